"""Builds stored messages and thread views for tests, as the memory would give them."""

from collections.abc import Iterable
from datetime import datetime

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.messages.stored import Chunk, StoredMessage, ThreadView
from heedful.reading import guess, zones
from heedful.sources import Channel, IncomingKind, Occurrence, Person, Traits

ROBIN = Person("Robin Hale", "robin.hale@acme.example")
ANA = Person("Ana Costa", "ana.costa@acme.example")
MARTA = Person("Marta Silva", "marta.silva@northwind.example")
SENT_AT = datetime.fromisoformat("2026-11-25T16:00:00+01:00")
PLAIN = Traits()
OWN = frozenset({"robin.hale@acme.example", "robin hale"})


def message(
    text: str,
    *,
    seq: int = 1,
    author: Person = ANA,
    to: tuple[Person, ...] = (ROBIN,),
    cc: tuple[Person, ...] = (),
    sent_at: datetime = SENT_AT,
    subject: str = "",
    channel: Channel = "email",
    kind: IncomingKind = "message",
    from_me: bool | None = None,
    lang: str | None = None,
    traits: Traits = PLAIN,
    occurrences: tuple[Occurrence, ...] = (),
    is_new: bool = True,
    reply_to: str | None = None,
    thread: str = "t1",
    id: str | None = None,
    chunk_chars: int = 4000,
) -> StoredMessage:
    """A stored message whose text is cut into chunks of at most `chunk_chars`."""
    name = id or f"m{seq}"
    chunks = tuple(
        Chunk(ChunkId(f"{name}.c{place}"), start, min(len(text), start + chunk_chars))
        for place, start in enumerate(range(0, max(1, len(text)), chunk_chars))
    )
    return StoredMessage(
        seq=seq,
        changed=seq,
        id=MessageId(name),
        source_id=SourceId("s1"),
        thread_id=ThreadId(thread),
        kind=kind,
        channel=channel,
        external_id=name,
        author=author,
        from_me=from_me,
        to=to if channel in {"email", "calendar"} else (),
        cc=cc,
        sent_at=sent_at,
        subject=subject,
        text=text,
        zones=zones(text),
        lang=lang or guess(text),
        traits=traits,
        reply_to=reply_to,
        chunks=chunks,
        occurrences=occurrences,
        is_new=is_new,
    )


def thread(*messages: StoredMessage, title: str = "", source_name: str = "Work mail") -> ThreadView:
    """The messages as one thread, oldest first."""
    ordered: Iterable[StoredMessage] = sorted(messages, key=lambda one: (one.sent_at, one.seq))
    first = messages[0]
    return ThreadView(
        id=first.thread_id,
        source_id=first.source_id,
        source_name=source_name,
        channel=first.channel,
        title=title or first.subject,
        messages=tuple(ordered),
    )
