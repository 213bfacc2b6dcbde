"""What everything a source yields goes through before it is stored: made storable, and rid of secrets."""

import re
from dataclasses import replace

from heedful.reading import Zone, ZoneKind, redact
from heedful.sources import Incoming, Person

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with what a database can't hold as text (NUL, half a surrogate pair) shown as `�`; as long as before."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def storable_item(item: Incoming) -> Incoming:
    """The thing with every text made storable."""
    if not any(_UNSTORABLE.search(text) for text in _texts(item)):
        return item
    return replace(
        item,
        external_id=storable(item.external_id),
        identity=storable(item.identity),
        thread_key=storable(item.thread_key),
        reply_to=None if item.reply_to is None else storable(item.reply_to),
        thread_title=storable(item.thread_title),
        subject=storable(item.subject),
        text=storable(item.text),
        raw=storable(item.raw),
        author=_storable_person(item.author),
        to=tuple(_storable_person(person) for person in item.to),
        cc=tuple(_storable_person(person) for person in item.cc),
    )


def without_secrets(item: Incoming) -> tuple[Incoming, int]:
    """The same thing with every secret replaced by a marker, its zones moved along, and how many there were."""
    whole, raw = redact(item.text), redact(item.raw)
    around = "\n".join((item.subject, item.thread_title, *_names(item)))
    if not whole.counts and not raw.counts and not redact(around).counts:
        return item, 0
    parts = [whole, *(redact(part) for part in (item.subject, *_names(item)))]
    count = sum(sum(part.counts.values()) for part in parts)
    zones = _moved_zones(item, whole.text) if whole.counts else item.zones
    return replace(
        item,
        subject=redact(item.subject).text,
        thread_title=redact(item.thread_title).text,
        text=whole.text,
        zones=zones,
        raw=raw.text,
        author=_redacted_person(item.author),
        to=tuple(_redacted_person(person) for person in item.to),
        cc=tuple(_redacted_person(person) for person in item.cc),
        traits=replace(item.traits, attachments=tuple(redact(name).text for name in item.traits.attachments)),
    ), count


def _moved_zones(item: Incoming, clean: str) -> tuple[Zone, ...]:
    """The zones in the redacted text.

    A secret that runs across zones leaves no honest ones behind: nothing of the text may then serve as evidence.
    """
    text, zones = "", []
    for zone in item.zones:
        piece = redact(item.text[zone.start : zone.end]).text
        zones.append(Zone(zone.kind, len(text), len(text) + len(piece)))
        text += piece
    return tuple(zones) if text == clean else (Zone(ZoneKind.QUOTED, 0, len(clean)),)


def _texts(item: Incoming) -> tuple[str, ...]:
    ids = (item.external_id, item.identity, item.thread_key, item.reply_to or "")
    return (*ids, item.thread_title, item.subject, item.text, item.raw, *_names(item))


def _names(item: Incoming) -> tuple[str, ...]:
    people = (item.author, *item.to, *item.cc)
    return (*(part for person in people for part in (person.name, person.address)), *item.traits.attachments)


def _storable_person(person: Person) -> Person:
    return Person(storable(person.name), storable(person.address))


def _redacted_person(person: Person) -> Person:
    return Person(redact(person.name).text, redact(person.address).text)
