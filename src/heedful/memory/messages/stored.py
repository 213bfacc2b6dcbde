"""Messages and threads as they lie in the store, read whole for whoever judges or shows them."""

from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from heedful.core.clock import from_millis
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.reading.zones import Zone
from heedful.sources import Channel, IncomingKind, Occurrence, Person, Traits
from heedful.storage import Value


@dataclass(frozen=True, slots=True)
class Chunk:
    """An indexed passage: characters [start, end) of its message's text."""

    id: ChunkId
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message, event series or note as kept; `sent_at` is aware and carries its sender's offset.

    `is_new` is true when it arrived or was edited since the reader's last success. `changed` is its place in the
    order of arrivals and edits. `from_me` is None when nobody knows.
    """

    seq: int
    changed: int
    id: MessageId
    source_id: SourceId
    thread_id: ThreadId
    kind: IncomingKind
    channel: Channel
    external_id: str
    author: Person
    from_me: bool | None
    to: tuple[Person, ...]
    cc: tuple[Person, ...]
    sent_at: datetime
    subject: str
    text: str
    zones: tuple[Zone, ...]
    lang: str
    traits: Traits
    reply_to: str | None
    chunks: tuple[Chunk, ...]
    occurrences: tuple[Occurrence, ...] = ()
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread with those of its messages that were asked for, oldest first.

    `left_out` counts messages of the thread that are not here. `source_name` is the person's own name for the
    source under which it is listed; its messages may be of others.
    """

    id: ThreadId
    source_id: SourceId
    source_name: str
    channel: Channel
    title: str
    messages: tuple[StoredMessage, ...]
    left_out: int = 0


def sent(at: Value, offset_min: Value) -> datetime:
    """The moment of a message's columns `sent_at` and `sent_offset_min`, with its sender's offset; 0 for no offset."""
    return from_millis(int(at or 0)).astimezone(timezone(timedelta(minutes=int(offset_min or 0))))
