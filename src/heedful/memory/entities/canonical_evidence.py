"""Weighs whether two identities are one person: every reason in words, the score from the strongest.

An identity is one address, or one name within one source, with every name it was seen under. What two identities
share is evidence; what contradicts it takes it away. Nothing here reads the store.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from heedful.memory.entities.canonical_names import (
    Mailbox,
    is_free_mail,
    is_role,
    login_fit,
    mailbox,
    name_key,
    name_words,
    organisation_of,
)
from heedful.reading import without_diacritics

MERGE_AT = 0.9
SUGGEST_AT = 0.6
STEM = 4
"""Letters of a name's word by which an address without a name finds whom it may be made of."""


FIRST_NAME_ONLY = "the same first name"
_BY_LOGIN = "an address made of the other's name"


@dataclass(frozen=True, slots=True)
class Identity:
    """One appearance of a person: an address (or empty), names as written, handles and phone numbers.

    `signed_addresses` stand in signatures of its own messages; `answers_for` are ids of identities that were
    written to alone and for whom this one answered; `is_own` says that the person calls the address their own.
    """

    id: str
    address: str = ""
    names: frozenset[str] = frozenset()
    handles: frozenset[str] = frozenset()
    phones: frozenset[str] = frozenset()
    signed_addresses: frozenset[str] = frozenset()
    answers_for: frozenset[str] = frozenset()
    is_own: bool = False

    @property
    def full_names(self) -> frozenset[tuple[str, ...]]:
        """The names of two words and more, folded."""
        return frozenset(words for name in self.names if len(words := name_words(name)) > 1)

    @property
    def single_names(self) -> frozenset[str]:
        """The names of one word, folded."""
        return frozenset(words[0] for name in self.names if len(words := name_words(name)) == 1)


@dataclass(frozen=True, slots=True)
class Opinion:
    """How sure it is, 0 to 1, that two identities are one person, and why, the strongest reason first."""

    score: float
    reasons: tuple[str, ...]


def keys_of(identity: Identity) -> frozenset[str]:
    """What another identity must share at least one of to be worth weighing."""
    keys = {f"name {name_key(name)}" for name in identity.names if len(name_words(name)) > 1}
    for words in identity.full_names:
        keys.update(f"word {word}" for word in words if len(word) > 2)
        keys.update(f"stem {word[:STEM]}" for word in words if len(word) >= STEM)
    keys.update(f"word {word}" for word in identity.single_names if len(word) > 2)
    if identity.address:
        keys.update(_address_keys(identity))
    keys.update(f"handle {handle}" for handle in identity.handles)
    keys.update(f"phone {phone}" for phone in identity.phones)
    keys.update(f"box {mailbox(address).key}" for address in identity.signed_addresses)
    return frozenset(keys | ({"own"} if identity.is_own else set()))


def _address_keys(identity: Identity) -> set[str]:
    box = mailbox(identity.address)
    keys = {f"box {box.key}"}
    if not is_role(identity.address):
        keys.add(f"login {_bare(box.local)}")
    if identity.full_names:
        return keys
    parts = [
        *([] if is_role(identity.address) else map(_bare, re.split(r"[._-]", box.local))),
        organisation_of(box.domain),
    ]
    for part in parts:
        keys.update(f"stem {part[at : at + STEM]}" for at in range(3) if len(part) >= at + STEM)
        keys.update(f"word {part}" for _ in part[2:3])
    return keys


def weigh(one: Identity, other: Identity) -> Opinion:
    """Whether two identities are one person.

    Source: Christen, «Data Matching» (2012), ch. 5 and 6, for comparing names by folded words and edit distance.
    """
    found = [
        *_by_address(one, other),
        *_by_signature(one, other),
        *_by_name(one, other),
        *_by_login(one, other),
    ]
    found += _by_conduct(one, other)
    if not found:
        return Opinion(0.0, ())
    found.sort(key=lambda reason: -reason[0])
    score = found[0][0]
    if are_different_names(one, other) and score < 0.97:
        score = min(score, 0.7)
    return Opinion(round(score, 3), tuple(dict.fromkeys(words for _, words in found)))


def is_by_login(opinion: Opinion) -> bool:
    """Whether nothing speaks for the two but that an address could be made of the other's name."""
    return opinion.reasons == (_BY_LOGIN,)


def are_different_names(one: Identity, other: Identity) -> bool:
    """Whether both have full names and none of one fits one of the other."""
    mine, theirs = one.full_names, other.full_names
    return bool(mine and theirs) and not any(are_alike(a, b) for a in mine for b in theirs)


def are_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two full names may be one: the same words but for middle ones, initials, order and slips."""
    return _name_score(one, other) >= SUGGEST_AT


Reason = tuple[float, str]


def _by_address(one: Identity, other: Identity) -> Iterable[Reason]:
    if not one.address or not other.address:
        return
    mine, theirs = mailbox(one.address), mailbox(other.address)
    if mine.key == theirs.key:
        yield 0.99, "the same mailbox under two spellings"
    elif one.is_own and other.is_own:
        yield 0.98, "both addresses are yours"
    elif mine.local == theirs.local and not is_role(one.address):
        yield from _by_local_part(mine, theirs, one, other)


def _by_local_part(mine: Mailbox, theirs: Mailbox, one: Identity, other: Identity) -> Iterable[Reason]:
    if mine.domain.endswith("." + theirs.domain) or theirs.domain.endswith("." + mine.domain):
        yield 0.97, "the same name at a domain and its part"
        return
    place = organisation_of(mine.domain)
    if place and place == organisation_of(theirs.domain):
        yield 0.95, "the same name at two domains of one owner"
    elif _is_telling(mine.local, one, other):
        yield 0.92, "the same rare name before the @"
    elif len(mine.local) > 2:
        yield 0.62, "the same name before the @"


def _is_telling(local: str, one: Identity, other: Identity) -> bool:
    """Whether few people would choose this local part: no first name alone, and not too short."""
    words = [*one.full_names, *other.full_names]
    bare = _bare(local)
    if any(bare == name[0] for name in words) or bare in one.single_names | other.single_names:
        return False
    if any(login_fit(local, name) >= 0.72 for name in words):
        return True
    return len(bare) >= (4 if words else 6) or (
        len(bare) == 3 and any(login_fit(local, name) >= 0.28 for name in words)
    )


def _by_signature(one: Identity, other: Identity) -> Iterable[Reason]:
    for signer, owner in ((one, other), (other, one)):
        if owner.address and owner.address in signer.signed_addresses and not are_different_names(one, other):
            yield 0.94, "one signs with the other's address"
    if one.phones & other.phones:
        agreed = _best_name_score(one, other) >= SUGGEST_AT or not (one.full_names and other.full_names)
        yield (0.93 if agreed else 0.4), "the same phone number in their signatures"
    if one.handles & other.handles:
        yield 0.95, "the same handle"


def _by_name(one: Identity, other: Identity) -> Iterable[Reason]:
    score = _best_name_score(one, other)
    if score >= MERGE_AT:
        if _are_numbered_namesakes(one, other):
            yield 0.8, "the same full name, but numbered addresses"
        else:
            yield score, "the same full name"
    elif score >= SUGGEST_AT:
        sure = score >= 0.8 and any(
            login_fit(mailbox(a.address).local, name) >= 0.93
            for a, b in ((one, other), (other, one))
            if a.address
            for name in b.full_names
        )
        yield (0.91 if sure else score), "almost the same name"
    firsts = {words[0] for words in one.full_names | other.full_names}
    if one.single_names & other.single_names or (one.single_names ^ other.single_names) & firsts:
        yield 0.6, FIRST_NAME_ONLY


def _best_name_score(one: Identity, other: Identity) -> float:
    return max((_name_score(a, b) for a in one.full_names for b in other.full_names), default=0.0)


def _name_score(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    if sorted(one) == sorted(other):
        return 0.96
    from rapidfuzz import fuzz  # some megabytes and 30 ms that only a comparison needs

    mine, theirs = (name_key(" ".join(words)).split() for words in (one, other))
    if mine == theirs and len(mine) > 1:
        return 0.95
    shorter, longer = sorted((set(mine), set(theirs)), key=len)
    if len(shorter) > 1 and shorter <= longer:
        return 0.93 if {one[0], one[-1]} == {other[0], other[-1]} or len(longer) - len(shorter) == 1 else 0.8
    if "".join(mine) == "".join(theirs):
        return 0.93
    if fuzz.token_sort_ratio(" ".join(mine), " ".join(theirs)) >= 90 and _share_a_word_almost(one, other):
        return 0.85
    if one[-1] == other[-1] and one[0][0] == other[0][0] and 1 in (len(one[0]), len(other[0])):
        return 0.8
    return 0.0


def _share_a_word_almost(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether first and last word each agree but for a slip: «Anna» and «Hanna» of one family stay two."""
    from rapidfuzz import fuzz  # as in `_name_score`

    pairs = ((one[0], other[0]), (one[-1], other[-1]))
    return all(a == b or (a[0] == b[0] and fuzz.ratio(a, b) >= 80) for a, b in pairs)


def _are_numbered_namesakes(one: Identity, other: Identity) -> bool:
    """`j.silva@` and `j.silva2@` of one company are two people with one name."""
    if not one.address or not other.address:
        return False
    mine, theirs = mailbox(one.address), mailbox(other.address)
    same_place = mine.domain == theirs.domain and not is_free_mail(mine.domain)
    return (
        same_place
        and mine.local != theirs.local
        and mine.local.rstrip("0123456789") == theirs.local.rstrip("0123456789")
    )


def _by_login(one: Identity, other: Identity) -> Iterable[Reason]:
    for nameless, named in ((one, other), (other, one)):
        if nameless.full_names or not nameless.address or is_role_of_many(nameless.address):
            continue
        fit = max((_address_fit(nameless.address, name) for name in named.full_names), default=0.0)
        if fit >= SUGGEST_AT:
            yield fit, _BY_LOGIN


def is_role_of_many(address: str) -> bool:
    """Whether neither the local part nor its domain can name a person."""
    return is_role(address) and is_free_mail(mailbox(address).domain)


def _address_fit(address: str, name: tuple[str, ...]) -> float:
    box = mailbox(address)
    own = 0.0 if is_role(address) else login_fit(box.local, name)
    place = organisation_of(box.domain)
    if not place:
        return own
    if is_role(address):
        return login_fit(place, name) if login_fit(place, name) >= 0.93 else 0.0
    together = login_fit(box.local + place, name)
    return max(own, 0.95 if together >= 0.97 else 0.0, 0.93 if login_fit(place, name) >= 0.97 else 0.0)


def _by_conduct(one: Identity, other: Identity) -> Iterable[Reason]:
    if other.id in one.answers_for or one.id in other.answers_for:
        known = one.full_names and other.full_names
        score = 0.92 if not known or _best_name_score(one, other) >= SUGGEST_AT else 0.5
        yield score, "one answers what was sent to the other alone"


def _bare(local: str) -> str:
    return "".join(filter(str.isalpha, without_diacritics(local)))
