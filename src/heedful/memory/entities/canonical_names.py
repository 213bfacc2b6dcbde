"""Names, mailboxes and login names in forms that two spellings of one person share."""

import re
from dataclasses import dataclass
from functools import lru_cache

from heedful.memory.entities.words import entity_words
from heedful.reading import display_name, without_diacritics

_NICKNAME = re.compile(r"[\"“”„«»‹›][^\"“”„«»‹›]*[\"“”„«»‹›]|(?<!\w)'[^']*'(?!\w)|\([^)]*\)")
_WORD = re.compile(r"[^\W\d_]+")
_LOGIN_BREAK = re.compile(r"[^a-z0-9]+")
_DIGITS = "0123456789"
_DOTLESS = frozenset(["gmail.com", "googlemail.com"])


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address taken apart: `local` without a tag, `domain`, and `key`, the same for all spellings of it."""

    local: str
    domain: str
    key: str


@lru_cache(maxsize=16384)
def mailbox(address: str) -> Mailbox:
    """The mailbox behind a normalised address; tags after `+` and the dots that Google ignores don't count."""
    local, _, domain = address.rpartition("@")
    bare = local.split("+", 1)[0] or local
    if domain in _DOTLESS:
        return Mailbox(bare, domain, bare.replace(".", "") + "@gmail.com")
    return Mailbox(bare, domain, f"{bare}@{domain}")


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a person's name in writing order, folded; titles, nicknames and particles left out.

    Empty for a name that is an address, or that names nobody.
    """
    if "@" in name:
        return ()
    shown = display_name(_NICKNAME.sub(" ", name), "")
    words = [without_diacritics(word) for word in _WORD.findall(shown)]
    known = entity_words()
    kept = tuple(word for word in words if word not in known.name_titles and word not in known.name_particles)
    return () if any(word in known.no_ones for word in kept) else kept


def name_key(name: str) -> str:
    """The same for the same full name in any order of its words; initials in its middle don't count."""
    words = name_words(name)
    long = [word for word in words if len(word) > 1]
    return " ".join(sorted(map(_plain_vowels, long if len(long) > 1 else words)))


def is_role(address: str) -> bool:
    """Whether an address names a duty rather than a person."""
    local, roles = mailbox(address).local, entity_words().role_addresses
    parts = [part.rstrip(_DIGITS) for part in re.split(r"[._\-]+", local)]
    return local in roles or any(part in roles for part in parts) or not local


def is_free_mail(domain: str) -> bool:
    """Whether anybody may have a mailbox at a domain: sharing it says nothing of two people."""
    return domain in entity_words().free_mail


def organisation_of(domain: str) -> str:
    """The part of a domain that its owner chose: `mail.ciclone.com.example` → `ciclone`; empty for free mail."""
    labels = domain.split(".")
    if is_free_mail(domain) or len(labels) < 2:
        return ""
    second = -2
    if len(labels) > 2 and (labels[-2] in {"co", "com", "ac", "org", "net", "gov", "edu", "or"}):
        second = -3
    return labels[second]


def firm_of(domain: str) -> str:
    """The name of the firm whose mail a domain is; empty for free mail, and where its owner chose a common word."""
    name, words = organisation_of(domain), entity_words()
    common = (
        words.plain_domains,
        words.role_addresses,
        words.organisation_ends,
        words.organisation_starts,
        words.role_words,
        words.thing_words,
    )
    return "" if any(without_diacritics(name) in known for known in common) else name


@lru_cache(maxsize=65536)
def login_fit(login: str, words: tuple[str, ...]) -> float:
    """How surely a login name was made from a person's name, 0 to 1.

    It is read as beginnings of the name's words, in any order, with at most one letter of a name not told.
    """
    bare = _plain_vowels(_LOGIN_BREAK.sub(" ", without_diacritics(login))).strip()
    letters = re.sub(r"[\s\d]", "", bare)
    folded = tuple(_plain_vowels(word) for word in words if word)
    if len(letters) < 2 or not folded:
        return 0.0
    return max(_fit(letters, folded, spare=0), _fit(letters, folded, spare=1) - 0.02)


def _fit(letters: str, words: tuple[str, ...], *, spare: int) -> float:
    best = 0.0
    for used in _segmentations(letters, words, spare):
        best = max(best, _worth(used, words))
    return best


def _segmentations(letters: str, words: tuple[str, ...], spare: int) -> list[tuple[tuple[int, int], ...]]:
    """All ways to read the letters as beginnings of different words: (which word, how many letters)."""
    found: list[tuple[tuple[int, int], ...]] = []
    stack: list[tuple[int, tuple[tuple[int, int], ...], int]] = [(0, (), spare)]
    while stack and len(found) < 64:
        at, used, left = stack.pop()
        if at == len(letters):
            found.append(used)
            continue
        for number, word in enumerate(words):
            if any(number == taken for taken, _ in used):
                continue
            length = _shared_start(letters, at, word)
            stack.extend(
                (at + size, (*used, (number, size)), left) for size in {1, length} if 0 < size <= length
            )
        if left and 0 < at < len(letters) - 1:
            stack.append((at + 1, used, left - 1))
    return found


def _shared_start(letters: str, at: int, word: str) -> int:
    size = 0
    while size < len(word) and at + size < len(letters) and letters[at + size] == word[size]:
        size += 1
    return size


def _worth(used: tuple[tuple[int, int], ...], words: tuple[str, ...]) -> float:
    whole = [number for number, size in used if size == len(words[number]) and size > 2]
    longest = max((size for _, size in used), default=0)
    if len(whole) > 1:
        return 0.97
    if whole and len(used) > 1:
        return 0.93 if longest >= 4 else 0.86
    if whole:
        return 0.72 if whole[0] == len(words) - 1 else 0.5
    if len(used) > 1 and longest >= 4:
        return 0.8
    if longest >= 5:
        return 0.6
    return 0.55 if len(used) >= 3 and len(used) == len(words) else 0.3 if len(used) > 1 else 0.0


def _plain_vowels(text: str) -> str:
    """Folds the two ways to write an umlaut on a bare keyboard, `ue` and `u`, to one."""
    return (
        text.replace("ae", "a")
        .replace("oe", "o")
        .replace("ue", "u")
        .replace("ø", "o")
        .replace("ł", "l")
        .replace("đ", "d")
    )
