"""A message as intake writes it, all that is made of it: pure, so that it is made before anything is written."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId, MessageId, content_id
from heedful.memory.intake.chunking import chunk
from heedful.memory.messages.cleaning import storable_item, without_secrets
from heedful.memory.messages.stored import Chunk
from heedful.memory.search.question import stems
from heedful.memory.search.terms import indexed
from heedful.reading import Zone
from heedful.sources import Incoming

_EXPORT_STAMPS = re.compile(r"(?mi)^(?:DTSTAMP|LAST-MODIFIED|CREATED|SEQUENCE)[;:][^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A message without secrets, how many were taken out, and a hash that is the same for the same content."""

    item: Incoming
    redacted: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class WrittenChunk:
    """Characters [start, end) of a message's text, and what the index gets of them."""

    id: ChunkId
    start: int
    end: int
    words: str
    stems: str


@dataclass(frozen=True, slots=True)
class Written:
    """The columns of a message; `sent_at` in milliseconds, `subject` and `people` as the index gets them."""

    item: Incoming
    message_id: MessageId
    sent_at: int
    offset_min: int
    zones: str
    traits: str
    subject: str
    people: str
    chunks: tuple[WrittenChunk, ...]


def clean(item: Incoming) -> Cleaned:
    """The message as it may be kept."""
    cleaned, redacted = without_secrets(storable_item(item))
    return Cleaned(cleaned, redacted, _content_hash(cleaned))


def in_full(item: Incoming) -> Written:
    """All that is written of a cleaned message."""
    message_id = MessageId(content_id("message", item.identity))
    chunks = chunk(message_id, item.text, item.lang, zones=item.zones, is_note=item.kind == "note")
    return Written(
        item=item,
        message_id=message_id,
        sent_at=to_millis(item.sent_at),
        offset_min=_offset_minutes(item.sent_at),
        zones=_zones_json(item.zones),
        traits=_traits_json(item),
        subject=indexed(item.subject or item.thread_title),
        people=indexed(f"{item.author.name} {item.author.address}".strip()),
        chunks=tuple(_written(item, one) for one in chunks),
    )


def _written(item: Incoming, one: Chunk) -> WrittenChunk:
    text = item.text[one.start : one.end]
    return WrittenChunk(one.id, one.start, one.end, indexed(text), stems(text, item.lang))


def _content_hash(item: Incoming) -> str:
    """The same for the same thing: a calendar's export stamps and the days it happens to be read on don't count."""
    content = _EXPORT_STAMPS.sub("", item.raw) if item.kind == "event" and item.raw else item.text
    return content_id("content", item.subject, content, item.thread_title)


def _offset_minutes(moment: datetime) -> int:
    offset = moment.utcoffset()
    return round(offset.total_seconds() / 60) if offset is not None else 0


def _zones_json(zones: Sequence[Zone]) -> str:
    return json.dumps([[zone.kind.value, zone.start, zone.end] for zone in zones])


def _traits_json(item: Incoming) -> str:
    traits = item.traits
    kept = {name: getattr(traits, name) for name in traits.__slots__ if getattr(traits, name)}
    return json.dumps(kept)
