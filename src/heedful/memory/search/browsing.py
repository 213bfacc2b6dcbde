"""The leaves of the memory in the order of time, among some sources: page by page, and how many there are.

A page begins after a place, not at a number: what comes in meanwhile shifts nothing. Each source is walked by its own
index and the walks are merged, so that a page costs the same however much is remembered.
"""

import heapq
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory.messages.stored import sent
from heedful.memory.search.hits import excerpt
from heedful.storage import Connection, Row, Value


@dataclass(frozen=True, slots=True)
class Range:
    """What to look through: these sources, one entity where its id is given, messages sent in [since, until]."""

    sources: frozenset[SourceId]
    entity_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a leaf stands: newer before older, later arrivals first, a message's passages as they follow."""

    sent_at_ms: int
    message_seq: int
    start: int

    @property
    def turn(self) -> tuple[int, int, int]:
        """Rises from the first leaf to the last."""
        return -self.sent_at_ms, -self.message_seq, self.start


@dataclass(frozen=True, slots=True)
class Leaf:
    """A passage as a list shows it."""

    chunk_id: ChunkId
    source_id: SourceId
    thread_id: ThreadId
    message_id: MessageId
    external_id: str
    author: str
    sent_at: datetime
    subject: str
    excerpt: str
    place: Place


_MENTIONED = (
    "c.seq IN (SELECT x.chunk_seq FROM entities s JOIN entities e ON e.canonical = s.canonical "
    "JOIN mentions x ON x.entity_seq = e.seq WHERE s.id = :entity)"
)
_AFTER = "m.sent_at <= :at AND (m.sent_at < :at OR m.seq < :seq OR (m.seq = :seq AND c.start > :start))"
_IN_TURN = "ORDER BY m.sent_at DESC, m.seq DESC, c.start"


def browse(
    connection: Connection, among: Range, *, limit: int, after: Place | None = None, skip: int = 0
) -> list[Leaf]:
    """At most `limit` leaves, the newest first: those after a place, or after the first `skip`."""
    places = _places(connection, among, after, limit + skip)
    return leaves(connection, [chunk for _, chunk in list(places)[skip : skip + limit]])


def count(connection: Connection, among: Range) -> int:
    """How many leaves there are in all."""
    narrowing, bindings = _narrowed(among, None)
    return int(
        connection.value(
            "SELECT count(*) FROM messages m JOIN chunks c ON c.message_seq = m.seq "
            f"WHERE m.source_id IN (SELECT value FROM json_each(:sources)) {narrowing}",
            bindings | {"sources": json.dumps(sorted(among.sources))},
        )
        or 0
    )


def _places(
    connection: Connection, among: Range, after: Place | None, limit: int
) -> Iterator[tuple[tuple[int, int, int], int]]:
    """The turns and rows of the first `limit` leaves of all sources together."""
    walks = [_walk(connection, among, after, source, limit) for source in sorted(among.sources)]
    for taken, one in enumerate(heapq.merge(*walks)):
        if taken == limit:
            return
        yield one


def _walk(
    connection: Connection, among: Range, after: Place | None, source: SourceId, limit: int
) -> list[tuple[tuple[int, int, int], int]]:
    narrowing, bindings = _narrowed(among, after)
    rows = connection.rows(
        "SELECT m.sent_at, m.seq, c.start, c.seq FROM messages m JOIN chunks c ON c.message_seq = m.seq "
        f"WHERE m.source_id = :source {narrowing} {_IN_TURN} LIMIT :limit",
        bindings | {"source": source, "limit": limit},
    )
    return [
        (Place(int(at or 0), int(message or 0), int(start or 0)).turn, int(chunk or 0))
        for at, message, start, chunk in rows
    ]


def _narrowed(among: Range, after: Place | None) -> tuple[str, dict[str, Value]]:
    """Conditions that follow another, with their bindings.

    One that narrows nothing is not there: SQLite then enters the index along time where the page begins.
    """
    clauses: list[str] = []
    bindings: dict[str, Value] = {}
    if among.entity_id is not None:
        clauses.append(_MENTIONED)
        bindings["entity"] = among.entity_id
    if among.since is not None:
        clauses.append("m.sent_at >= :since")
        bindings["since"] = to_millis(among.since)
    if among.until is not None:
        clauses.append("m.sent_at <= :until")
        bindings["until"] = to_millis(among.until)
    if after is not None:
        clauses.append(_AFTER)
        bindings |= {"at": after.sent_at_ms, "seq": after.message_seq, "start": after.start}
    return "".join(f"AND {clause} " for clause in clauses).rstrip(), bindings


def leaves(connection: Connection, chunks: Sequence[int]) -> list[Leaf]:
    """The leaves of these rows of chunks, in their order."""
    rows = connection.rows(
        "SELECT c.seq, c.id, m.source_id, m.thread_id, m.id, m.external_id, a.name, a.address, m.sent_at, "
        "m.sent_offset_min, m.subject, substr(m.text, c.start + 1, c.finish - c.start), m.seq, c.start "
        "FROM json_each(:chunks) j JOIN chunks c ON c.seq = j.value JOIN messages m ON m.seq = c.message_seq "
        "LEFT JOIN participants a ON a.id = m.author_id ORDER BY j.key",
        {"chunks": json.dumps(chunks)},
    )
    return [_leaf(row) for row in rows]


def _leaf(row: Row) -> Leaf:
    return Leaf(
        chunk_id=ChunkId(str(row[1])),
        source_id=SourceId(str(row[2])),
        thread_id=ThreadId(str(row[3])),
        message_id=MessageId(str(row[4])),
        external_id=str(row[5]),
        author=str(row[6] or row[7] or ""),
        sent_at=sent(row[8], row[9]),
        subject=str(row[10]),
        excerpt=excerpt(str(row[11]), ()),
        place=Place(int(row[8] or 0), int(row[12] or 0), int(row[13] or 0)),
    )
