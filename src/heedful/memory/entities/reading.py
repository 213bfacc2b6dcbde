"""What one message tells of people and things: who stands in its head, what its text names, what holds between them.

Pure: a message in, values out. Quoted text is left to the message it came from; what is forwarded counts a little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from heedful.core.ids import content_id
from heedful.memory.entities.canonical_names import firm_of, is_role, mailbox, name_key, name_words
from heedful.memory.entities.graph_predicates import Predicate
from heedful.memory.entities.graph_statements import statements
from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.memory.entities.names import Known, names_in
from heedful.memory.entities.patterns import shapes_in, without_overlap
from heedful.memory.entities.words import entity_words
from heedful.memory.messages.stored import StoredMessage
from heedful.reading import ZoneKind, without_diacritics
from heedful.sources import Person

Role = Literal["author", "to", "cc", "text", "signature"]
AliasKind = Literal["address", "name", "handle", "phone", "signed address", "value"]

MOST_RECIPIENTS = 8
"""A letter to more is an announcement: it makes no correspondents of those it reached."""

LONGEST_TEXT = 40_000
_FORWARDED_WORTH = 0.6
_READ_ZONES = {ZoneKind.NEW: "text", ZoneKind.SIGNATURE: "signature", ZoneKind.FORWARDED: "text"}


@dataclass(frozen=True, slots=True)
class Being:
    """An entity as its own alias names it: the same alias of the same kind, the same entity."""

    kind: EntityKind
    id: str
    name: str
    alias_kind: AliasKind
    alias: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A being that a message mentions; `alias` is how, None where by its own alias; `start` and `end` in its text."""

    being: Being
    role: Role
    start: int
    end: int
    score: float
    alias: tuple[AliasKind, str] | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """A relation that a message speaks for."""

    subject: Being
    predicate: Predicate
    object: Being
    confidence: float
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What one message came to."""

    message: StoredMessage
    seen: tuple[Seen, ...]
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class Around:
    """What is known before a message is read: names of others, and who wrote just before in its thread.

    `named` are names that somebody else made out, at characters of the message; what is seen here stands before them.
    """

    known: Known = field(default_factory=lambda: Known({}, {}))
    participants: Mapping[str, Being] = field(default_factory=dict)
    answers: Being | None = None
    answered_for: Being | None = None
    named: tuple[Sighting, ...] = ()


def read_message(message: StoredMessage, around: Around) -> Reading:
    """Everything a message tells; nothing of it depends on the store."""
    author = being_of(message.author, message)
    heads = _heads(message, author)
    seen, held = list(heads), []
    if author is not None:
        held += _correspondence(message, author, heads, around)
        held += _workplace(message, author, seen)
    for start, end, role, worth in _parts(message):
        part = message.text[start:end]
        found = _sightings(part, message, around, start)
        beings = [_being_of_sighting(sighting, message, around) for sighting in found]
        for sighting, being in zip(found, beings, strict=True):
            seen.append(_seen(sighting, being, role, start, worth))
        if role == "signature" and author is not None:
            seen += _signed(found, author, message, start)
            held += _signed_for(found, beings, author)
        elif worth == 1.0:
            told = _statements(part, start, found, beings, author, message)
            held += told
            seen += [
                Seen(one.object, "text", one.start, one.end, 0.5)
                for one in told
                if one.object.kind is EntityKind.TOPIC
            ]
    return Reading(message, tuple(without_doubles(seen)), tuple(held))


def named_besides(message: StoredMessage, around: Around, named: Sequence[Sighting]) -> Reading:
    """What a message tells once these names are known, besides what it told without them."""
    reading = read_message(message, replace(around, named=tuple(named)))
    places = {(one.start, one.end) for one in named}
    seen = tuple(one for one in reading.seen if one.role == "text" and (one.start, one.end) in places)
    beings = {one.being.id for one in seen}
    held = (one for one in reading.held if one.subject.id in beings or one.object.id in beings)
    return Reading(message, seen, tuple(held))


def own_parts(message: StoredMessage, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where in [start, end) of a message's text stands what its author wrote or forwarded."""
    parts = [
        (max(begin, start), min(finish, end)) for begin, finish, role, _ in _parts(message) if role == "text"
    ]
    return tuple((begin, finish) for begin, finish in parts if begin < finish)


def being_of(person: Person, message: StoredMessage) -> Being | None:
    """Whom a name and an address of a message's head stand for; None for nobody."""
    address, name = person.address, person.name.strip()
    if "@" in address:
        return _addressed(name, address, is_machine=person == message.author and _is_machine(message))
    if address:
        handle = f"{message.channel}:{address}"
        return Being(
            EntityKind.PERSON, content_id("entity", "handle", handle), name or address, "handle", handle
        )
    return named_person(name, message) if name else None


def _addressed(name: str, address: str, *, is_machine: bool) -> Being:
    """Whom an address stands for: a duty, a group or a firm, unless it bears a person's name.

    A machine writes for a person only where it bears one, as an answer while they are away.
    """
    words, known = name_words(name), entity_words()
    has_first_name = bool(words) and words[0] in known.first_names
    names_a_group = len(words) > 1 and (
        words[-1] in known.organisation_ends | known.role_addresses or words[0] in known.organisation_starts
    )
    automatic = is_role(address) or names_a_group or (is_machine and len(words) != 2)
    kind = EntityKind.ORGANISATION if automatic and not has_first_name else EntityKind.PERSON
    return Being(kind, content_id("entity", "address", address), name or address, "address", address)


def named_person(name: str, message: StoredMessage) -> Being:
    """Somebody known by a name alone: a full name is the same everywhere, a single one within its source."""
    words = name_words(name)
    scope = () if len(words) > 1 else (message.source_id,)
    return Being(
        EntityKind.PERSON,
        content_id("entity", "person", *scope, name_key(name) or name.casefold()),
        name,
        "name",
        name,
    )


def organisation(name: str, score_key: str = "") -> Being:
    """An organisation by its name; the letters of its legal form don't tell two apart."""
    words = [without_diacritics(word.strip(".,")) for word in (score_key or name).split()]
    legal = entity_words().legal_forms
    while len(words) > 1 and words[-1].replace(".", "") in legal:
        words.pop()
    return Being(
        EntityKind.ORGANISATION, content_id("entity", "organisation", " ".join(words)), name, "name", name
    )


def _is_machine(message: StoredMessage) -> bool:
    return message.traits.automatic or message.traits.bulk


def _heads(message: StoredMessage, author: Being | None) -> list[Seen]:
    found: dict[tuple[str, Role], Seen] = {}
    people: list[tuple[Person, Role]] = [(message.author, "author")]
    people += [(person, "to") for person in message.to] + [(person, "cc") for person in message.cc]
    for person, role in people:
        being = author if role == "author" else being_of(person, message)
        if being is not None:
            name = person.name.strip()
            named: tuple[AliasKind, str] | None = None
            if name and being.alias_kind != "name":
                named = ("name", name)
            found.setdefault((being.id, role), Seen(being, role, 0, 0, 1.0, named))
    return list(found.values())


def _correspondence(
    message: StoredMessage, author: Being, heads: Sequence[Seen], around: Around
) -> list[Held]:
    if _is_machine(message) or author.kind is not EntityKind.PERSON:
        return []
    reached = [head.being for head in heads if head.role != "author" and head.being.id != author.id]
    held = []
    if len(reached) <= MOST_RECIPIENTS:
        held = [
            Held(author, Predicate.COMMUNICATES_WITH, one, 0.6)
            for one in reached
            if one.kind is EntityKind.PERSON
        ]
    if around.answers is not None and around.answers.id != author.id and not reached:
        held.append(Held(author, Predicate.COMMUNICATES_WITH, around.answers, 0.4))
    other = around.answered_for
    if other is not None and other.id != author.id and other.kind is EntityKind.PERSON:
        held.append(Held(author, Predicate.ANSWERS_FOR, other, 0.5))
    mine = _firm(author)
    held += [
        Held(author, Predicate.WORKS_WITH, one, 0.4)
        for one in reached
        if mine and len(reached) <= MOST_RECIPIENTS and one.kind is EntityKind.PERSON and _firm(one) == mine
    ]
    return held


def _firm(being: Being) -> str:
    return firm_of(mailbox(being.alias).domain) if being.alias_kind == "address" else ""


def _workplace(message: StoredMessage, author: Being, seen: list[Seen]) -> list[Held]:
    """The owner of the author's mail domain; a domain made of their own name is theirs, not a firm's."""
    place = _firm(author)
    is_theirs = any(place.startswith(word) for word in name_words(message.author.name))
    if not place or is_theirs or author.kind is not EntityKind.PERSON:
        return []
    firm = organisation(place.capitalize(), place)
    seen.append(Seen(firm, "author", 0, 0, 0.5))
    return [Held(author, Predicate.WORKS_FOR, firm, 0.4)]


def _parts(message: StoredMessage) -> list[tuple[int, int, Role, float]]:
    zones: list[tuple[int, int, Role, float]] = []
    for zone in message.zones:
        if zone.kind in _READ_ZONES and zone.start < LONGEST_TEXT:
            role: Role = "signature" if zone.kind is ZoneKind.SIGNATURE else "text"
            worth = _FORWARDED_WORTH if zone.kind is ZoneKind.FORWARDED else 1.0
            zones.append((zone.start, min(zone.end, LONGEST_TEXT), role, worth))
    return zones


def _sightings(text: str, message: StoredMessage, around: Around, offset: int) -> list[Sighting]:
    found = shapes_in(text, at=message.sent_at, lang=message.lang)
    named = [
        replace(one, start=one.start - offset, end=one.end - offset)
        for one in around.named
        if offset <= one.start and one.end <= offset + len(text)
    ]
    return without_overlap([*found, *names_in(text, lang=message.lang, known=around.known), *named])


def _being_of_sighting(sighting: Sighting, message: StoredMessage, around: Around) -> Being:
    if sighting.kind is EntityKind.PERSON:
        if sighting.address:
            return _addressed("", sighting.address, is_machine=False)
        if sighting.handle:
            return _handle(sighting.handle, message)
        taken = around.participants.get(sighting.key)
        return taken if taken is not None else named_person(sighting.name, message)
    if sighting.kind is EntityKind.ORGANISATION:
        return organisation(sighting.name)
    alias: AliasKind = "name" if sighting.kind in _NAMED_THINGS else "value"
    return Being(
        sighting.kind, content_id("entity", sighting.kind, sighting.key), sighting.name, alias, sighting.name
    )


_NAMED_THINGS = frozenset([EntityKind.PLACE, EntityKind.PROJECT, EntityKind.PRODUCT, EntityKind.TOPIC])


def _handle(handle: str, message: StoredMessage) -> Being:
    alias = f"{message.channel}:@{handle}"
    return Being(EntityKind.PERSON, content_id("entity", "handle", alias), f"@{handle}", "handle", alias)


def _seen(sighting: Sighting, being: Being, role: Role, offset: int, worth: float) -> Seen:
    return Seen(being, role, offset + sighting.start, offset + sighting.end, round(sighting.score * worth, 3))


def _signed(found: Sequence[Sighting], author: Being, message: StoredMessage, offset: int) -> list[Seen]:
    """The phone numbers and addresses that an author signs with are theirs.

    Not one that the message goes to: a mailing list writes its own below whatever passes through it.
    """
    others = {person.address for person in (message.author, *message.to, *message.cc)}
    signed: list[Seen] = []
    for sighting in found:
        alias: tuple[AliasKind, str] | None = None
        if sighting.kind is EntityKind.PHONE:
            alias = ("phone", sighting.key)
        elif sighting.address and sighting.address not in others and not is_role(sighting.address):
            alias = ("signed address", sighting.address)
        if alias is not None:
            signed.append(
                Seen(author, "signature", offset + sighting.start, offset + sighting.end, 0.9, alias)
            )
    return signed


def _signed_for(found: Sequence[Sighting], beings: Sequence[Being], author: Being) -> list[Held]:
    if author.kind is not EntityKind.PERSON:
        return []
    return [
        Held(author, Predicate.WORKS_FOR, being, 0.8 * sighting.score, sighting.start, sighting.end)
        for sighting, being in zip(found, beings, strict=True)
        if sighting.kind is EntityKind.ORGANISATION
    ][:1]


def _statements(
    part: str,
    offset: int,
    found: Sequence[Sighting],
    beings: Sequence[Being],
    author: Being | None,
    message: StoredMessage,
) -> list[Held]:
    by_place = {(sighting.start, sighting.end): being for sighting, being in zip(found, beings, strict=True)}
    held = []
    for said in statements(part, found, lang=message.lang):
        subject = author if said.subject is None else by_place.get((said.subject.start, said.subject.end))
        obj = by_place.get((said.object.start, said.object.end)) or topic(said.object)
        if subject is not None and subject.id != obj.id:
            held.append(
                Held(subject, said.predicate, obj, said.confidence, offset + said.start, offset + said.end)
            )
    return held


def topic(sighting: Sighting) -> Being:
    """What somebody likes, avoids or looks into, by its words."""
    return Being(
        EntityKind.TOPIC, content_id("entity", "topic", sighting.key), sighting.name, "name", sighting.name
    )


def without_doubles(seen: Sequence[Seen]) -> list[Seen]:
    """One of each being, role and place: what two rules saw is there once, as the surer saw it."""
    best: dict[tuple[str, Role, int], Seen] = {}
    for one in seen:
        key = (one.being.id, one.role, one.start)
        if key not in best or best[key].score < one.score:
            best[key] = one
    return list(best.values())
