"""Reads messages and threads back whole, by id, by thread, or by what changed."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import get_args

from heedful.core.clock import from_millis
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.messages.stored import Chunk, StoredMessage, ThreadView, sent
from heedful.reading import Zone, ZoneKind
from heedful.sources import Channel, IncomingKind, Occurrence, Person, Traits
from heedful.sources.items import EventStatus
from heedful.storage import Connection, Row, Value

CONTEXT_MESSAGES = 12
AT_ONCE = 500

_COLUMNS = (
    "m.seq, m.changed, m.id, m.source_id, m.thread_id, m.kind, m.channel, m.external_id, a.name, a.address, "
    "coalesce(m.from_me, (SELECT 1 FROM own_addresses w WHERE w.address = a.address AND w.origin <> 'refused'), "
    "CASE WHEN m.channel = 'email' AND a.address <> '' THEN 0 END), "
    "m.sent_at, m.sent_offset_min, m.subject, m.text, m.zones, m.lang, m.traits, m.reply_to"
)
_FROM = "FROM messages m LEFT JOIN participants a ON a.id = m.author_id"

_KINDS: dict[str, IncomingKind] = {kind: kind for kind in get_args(IncomingKind)}
_CHANNELS: dict[str, Channel] = {channel: channel for channel in get_args(Channel)}
_STATUSES: dict[str, EventStatus] = {status: status for status in get_args(EventStatus)}


def last_change(connection: Connection) -> int:
    """The highest number that an arrival or edit ever had, though it may have left; 0 before the first."""
    return int(
        connection.value(
            "SELECT max(coalesce((SELECT max(changed) FROM messages), 0), changed) FROM changes_gone"
        )
        or 0
    )


def changes_since(
    connection: Connection, changed: int, *, source_id: SourceId | None = None, limit: int = 200
) -> list[tuple[int, int, ThreadId]]:
    """The oldest changes after `changed`: (change, message seq, thread), in order."""
    narrowed = "AND source_id = :source" if source_id is not None else ""
    bindings: dict[str, Value] = {"after": changed, "limit": limit}
    if source_id is not None:
        bindings["source"] = source_id
    rows = connection.rows(
        f"SELECT changed, seq, thread_id FROM messages WHERE changed > :after {narrowed} ORDER BY changed LIMIT :limit",
        bindings,
    )
    return [(int(change or 0), int(seq or 0), ThreadId(str(thread))) for change, seq, thread in rows]


def message(connection: Connection, message_id: MessageId) -> StoredMessage | None:
    """One message by its id."""
    rows = connection.rows(f"SELECT {_COLUMNS} {_FROM} WHERE m.id = ?", (message_id,))
    return _whole(connection, rows)[0] if rows else None


def messages(
    connection: Connection, seqs: Sequence[int], *, new: frozenset[int] = frozenset()
) -> list[StoredMessage]:
    """Messages by their place of arrival, in that order, those in `new` marked so; unknown ones are left out."""
    rows: list[Row] = []
    for part in _parts(seqs):
        rows += connection.rows(
            f"SELECT {_COLUMNS} {_FROM} WHERE m.seq IN ({_marks(part)}) ORDER BY m.seq", part
        )
    return _whole(connection, rows, new)


def identities(connection: Connection, seqs: Sequence[int]) -> dict[int, str]:
    """What each of these messages is the same by wherever it is met."""
    rows = connection.rows(
        "SELECT seq, identity FROM messages WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )
    return {int(seq or 0): str(identity) for seq, identity in rows}


def has_thread(connection: Connection, thread_id: ThreadId) -> bool:
    """Whether there is a thread of that id."""
    return connection.value("SELECT 1 FROM threads WHERE id = ?", (thread_id,)) is not None


def thread_view(
    connection: Connection,
    thread_id: ThreadId,
    *,
    new: Iterable[int] = (),
    context: int = CONTEXT_MESSAGES,
) -> ThreadView | None:
    """A thread with the messages in `new` (seqs, marked so), `context` before the first and all that came after.

    What came after the first and after the newest is kept up to four times `context`, for an answer may be there.
    """
    head = connection.row(
        "SELECT t.source_id, s.name, t.channel, t.title, t.messages "
        "FROM threads t JOIN sources s ON s.id = t.source_id WHERE t.id = ?",
        (thread_id,),
    )
    if head is None:
        return None
    wanted = frozenset(new)
    seqs = _around(connection, thread_id, wanted, context)
    shown = sorted(messages(connection, seqs, new=wanted), key=lambda m: (m.sent_at, m.seq))
    return ThreadView(
        id=thread_id,
        source_id=SourceId(str(head[0])),
        source_name=str(head[1]),
        channel=_CHANNELS[str(head[2])],
        title=str(head[3]),
        messages=tuple(shown),
        left_out=max(0, int(head[4] or 0) - len(shown)),
    )


def _around(connection: Connection, thread_id: ThreadId, new: frozenset[int], context: int) -> list[int]:
    if not new:
        rows = connection.rows(
            "SELECT seq FROM messages WHERE thread_id = ? ORDER BY sent_at DESC, seq DESC LIMIT ?",
            (thread_id, context),
        )
        return [int(seq or 0) for (seq,) in rows]
    first = min(new)
    known = sorted(new)
    begin = connection.row(
        f"SELECT min(sent_at), max(sent_at) FROM messages WHERE seq IN ({_marks(known[:AT_ONCE])})",
        known[:AT_ONCE],
    ) or (0, 0)
    before = connection.rows(
        "SELECT seq FROM messages WHERE thread_id = ? AND sent_at <= ? AND seq <> ? ORDER BY sent_at DESC LIMIT ?",
        (thread_id, begin[0], first, context),
    )
    after = [
        row
        for moment in dict.fromkeys(begin)
        for row in connection.rows(
            "SELECT seq FROM messages WHERE thread_id = ? AND sent_at >= ? ORDER BY sent_at LIMIT ?",
            (thread_id, moment, context * 4),
        )
    ]
    return sorted({*new, *(int(seq or 0) for (seq,) in before), *(int(seq or 0) for (seq,) in after)})


def _whole(
    connection: Connection, rows: Sequence[Row], new: frozenset[int] = frozenset()
) -> list[StoredMessage]:
    seqs = [int(row[0] or 0) for row in rows]
    chunks = _chunks(connection, seqs)
    people = _recipients(connection, seqs)
    events = [int(row[0] or 0) for row in rows if row[5] == "event"]
    occurrences = _occurrences(connection, events) if events else {}
    return [_message(row, new, chunks, people, occurrences) for row in rows]


def _message(
    row: Row,
    new: frozenset[int],
    chunks: dict[int, list[Chunk]],
    people: dict[tuple[int, str], list[Person]],
    occurrences: dict[int, list[Occurrence]],
) -> StoredMessage:
    seq = int(row[0] or 0)
    return StoredMessage(
        seq=seq,
        changed=int(row[1] or 0),
        id=MessageId(str(row[2])),
        source_id=SourceId(str(row[3])),
        thread_id=ThreadId(str(row[4])),
        kind=_KINDS[str(row[5])],
        channel=_CHANNELS[str(row[6])],
        external_id=str(row[7]),
        author=Person(str(row[8] or ""), str(row[9] or "")),
        from_me=None if row[10] is None else bool(row[10]),
        to=tuple(people.get((seq, "to"), ())),
        cc=tuple(people.get((seq, "cc"), ())),
        sent_at=sent(row[11], row[12]),
        subject=str(row[13]),
        text=str(row[14]),
        zones=_zones(str(row[15])),
        lang=str(row[16]),
        traits=_traits(str(row[17])),
        reply_to=None if row[18] is None else str(row[18]),
        chunks=tuple(chunks.get(seq, ())),
        occurrences=tuple(occurrences.get(seq, ())),
        is_new=seq in new,
    )


# Most messages have no traits and one zone: what is written of thousands reads the same.
@lru_cache(maxsize=4096)
def _zones(written: str) -> tuple[Zone, ...]:
    return tuple(Zone(ZoneKind(kind), start, end) for kind, start, end in json.loads(written))


@lru_cache(maxsize=4096)
def _traits(written: str) -> Traits:
    traits = json.loads(written)
    if "attachments" in traits:
        traits["attachments"] = tuple(traits["attachments"])
    return Traits(**traits)


def _chunks(connection: Connection, seqs: Sequence[int]) -> dict[int, list[Chunk]]:
    found: dict[int, list[Chunk]] = {}
    for part in _parts(seqs):
        for seq, chunk_id, start, finish in connection.rows(
            f"SELECT message_seq, id, start, finish FROM chunks WHERE message_seq IN ({_marks(part)}) "
            "ORDER BY message_seq, start",
            part,
        ):
            found.setdefault(int(seq or 0), []).append(
                Chunk(ChunkId(str(chunk_id)), int(start or 0), int(finish or 0))
            )
    return found


def _recipients(connection: Connection, seqs: Sequence[int]) -> dict[tuple[int, str], list[Person]]:
    found: dict[tuple[int, str], list[Person]] = {}
    for part in _parts(seqs):
        for seq, role, name, address in connection.rows(
            "SELECT r.message_seq, r.role, p.name, p.address FROM recipients r "
            f"JOIN participants p ON p.id = r.participant_id WHERE r.message_seq IN ({_marks(part)}) "
            "ORDER BY r.message_seq, r.place",
            part,
        ):
            found.setdefault((int(seq or 0), str(role)), []).append(Person(str(name), str(address)))
    return found


def _occurrences(connection: Connection, seqs: Sequence[int]) -> dict[int, list[Occurrence]]:
    found: dict[int, list[Occurrence]] = {}
    for part in _parts(seqs):
        for seq, key, starts, ends, all_day, status, moved in connection.rows(
            "SELECT message_seq, occurrence, starts_at, ends_at, all_day, status, moved_from FROM occurrences "
            f"WHERE message_seq IN ({_marks(part)}) ORDER BY message_seq, starts_at",
            part,
        ):
            found.setdefault(int(seq or 0), []).append(
                Occurrence(
                    key=str(key),
                    starts_at=_moment(starts),
                    ends_at=_moment(ends),
                    all_day=bool(all_day),
                    status=_STATUSES[str(status)],
                    moved_from=None if moved is None else _moment(moved),
                )
            )
    return found


def _parts(seqs: Sequence[int]) -> list[list[int]]:
    return [list(seqs[begin : begin + AT_ONCE]) for begin in range(0, len(seqs), AT_ONCE)]


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _moment(value: Value) -> datetime:
    return from_millis(int(value or 0))


def chunk(connection: Connection, chunk_id: ChunkId) -> tuple[StoredMessage, Chunk] | None:
    """A passage with its message; None when there is none of that id."""
    seq = connection.value("SELECT message_seq FROM chunks WHERE id = ?", (chunk_id,))
    if seq is None:
        return None
    found = messages(connection, [int(seq)])[0]
    return found, next(passage for passage in found.chunks if passage.id == chunk_id)
