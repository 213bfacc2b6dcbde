"""The memory in plain values, as it is told outside: one shape for the command line and for other programs.

Fields are added, never changed in meaning. Times are ISO 8601 with the sender's offset. `sources` is what whoever asks
may see: nothing else is counted, named or hinted at.
"""

from collections.abc import Iterable
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId, NodeId, SourceId, ThreadId
from heedful.memory.entities.among import Mentioned
from heedful.memory.messages import messages_store, sources_store
from heedful.memory.messages.source_outlines import SourceCounts, counts_of, outlines
from heedful.memory.messages.sources_store import SourceRow
from heedful.memory.messages.stored import Chunk, StoredMessage
from heedful.memory.messages.thread_titles import titles
from heedful.memory.search.browsing import Leaf
from heedful.memory.search.hits import Hit, OfDays
from heedful.memory.tree import tree_store
from heedful.memory.tree.tree_store import Node
from heedful.sources import Person
from heedful.storage import Connection

Row = dict[str, object]
Sources = frozenset[SourceId]


def every_source(connection: Connection) -> Sources:
    """All sources, for the person themselves."""
    return frozenset(source.id for source in outlines(connection))


def hit_row(hit: Hit) -> Row:
    """A passage that was found."""
    return {
        "id": hit.chunk_id,
        "kind": "chunk",
        "score": hit.score,
        "why": {
            "fts_rank": hit.fts_rank,
            "cosine": hit.cosine,
            "boosts": dict(hit.boosts),
            "days": None if hit.of_days is None else _days_row(hit.of_days),
        },
        "source_id": hit.source_id,
        "thread_id": hit.thread_id,
        "message_id": hit.message_id,
        "external_id": hit.external_id,
        "author": hit.author,
        "sent_at": _moment(hit.sent_at),
        "subject": hit.subject,
        "excerpt": hit.excerpt,
        "degraded": hit.degraded,
    }


def _days_row(days: OfDays) -> Row:
    return {"how": days.how, "first": days.first.isoformat(), "last": days.last.isoformat()}


def leaf_row(leaf: Leaf) -> Row:
    """A passage in a list."""
    return {
        "id": leaf.chunk_id,
        "source_id": leaf.source_id,
        "thread_id": leaf.thread_id,
        "message_id": leaf.message_id,
        "external_id": leaf.external_id,
        "author": leaf.author,
        "sent_at": _moment(leaf.sent_at),
        "sent_at_ms": leaf.place.sent_at_ms,
        "subject": leaf.subject,
        "excerpt": leaf.excerpt,
    }


def entity_rows(found: Iterable[Mentioned]) -> list[Row]:
    """People and things with how many passages mention them."""
    return [
        {
            "id": one.id,
            "kind": one.kind.value,
            "name": one.name,
            "count": one.chunks,
            "last_at": _moment(one.last_at),
        }
        for one in found
    ]


def source_rows(connection: Connection, sources: Sources) -> list[Row]:
    """Sources and what they brought in first, the one with the newest message first.

    `last_sync` is when a source was last read to its end, `last_new` when something last came in, `stopped` why the
    last reading did not get to its end.
    """
    seen = [row for row in sources_store.sources(connection) if row.id in sources]
    told = [(row, counts_of(connection, row.id)) for row in seen]
    told.sort(key=lambda one: 0 if one[1].newest_at is None else -to_millis(one[1].newest_at))
    return [_source(row, counts) for row, counts in told]


def _source(row: SourceRow, counts: SourceCounts) -> Row:
    newest = counts.newest_at
    return {
        "id": row.id,
        "kind": row.kind,
        "name": row.name,
        "state": row.state,
        "egress": row.egress,
        "messages": counts.messages,
        "chunks": counts.chunks,
        "pending": row.pending,
        "rejected": row.rejected,
        "oldest": _moment(counts.oldest_at),
        "most_recent": _moment(newest),
        "most_recent_ms": None if newest is None else to_millis(newest),
        "last_new": _moment(row.last_new_at),
        "last_sync": _moment(row.last_sync_at),
        "stopped": None
        if row.stop is None
        else {"reason": row.stop.reason, "done": row.stop.done, "total": row.stop.total},
    }


def passage_row(connection: Connection, wanted: str, sources: Sources) -> Row | None:
    """A passage whole with its message, or a summary and what it was made of; None where there is none of that id.

    A summary is made of all that lies below it, so all of that must be in reach.
    """
    found = messages_store.chunk(connection, ChunkId(wanted))
    if found is not None and found[0].source_id in sources:
        return _passage(connection, sources, *found)
    node = tree_store.node(connection, NodeId(wanted))
    if node is not None and _may_see(connection, sources, node):
        return _summary(connection, sources, node)
    return None


def _may_see(connection: Connection, sources: Sources, node: Node) -> bool:
    return tree_store.sources_below(connection, node) <= sources


def _passage(connection: Connection, sources: Sources, message: StoredMessage, chunk: Chunk) -> Row:
    place = message.chunks.index(chunk)
    above = tree_store.nodes_above(connection, chunk.id)
    return {
        "id": chunk.id,
        "kind": "chunk",
        "source_id": message.source_id,
        "source_name": _source_name(connection, message.source_id),
        "thread_id": message.thread_id,
        "thread_title": _title(connection, sources, message.thread_id),
        "message_id": message.id,
        "external_id": message.external_id,
        "author": _name(message.author),
        "to": [_name(person) for person in (*message.to, *message.cc)],
        "sent_at": _moment(message.sent_at),
        "subject": message.subject,
        "text": message.text[chunk.start : chunk.end],
        "previous_id": _neighbour(message, place - 1),
        "next_id": _neighbour(message, place + 1),
        "above_id": _seen(connection, sources, above[0] if above else None),
        "below_ids": [],
        "made_by": "",
    }


def _summary(connection: Connection, sources: Sources, node: Node) -> Row:
    parent = None if node.parent_id is None else tree_store.node(connection, node.parent_id)
    source_id = node.scope_id if node.scope == "source" else ""
    below = [child.id for child in tree_store.children(connection, node.id)]
    return {
        "id": node.id,
        "kind": "node",
        "source_id": source_id,
        "source_name": _source_name(connection, source_id),
        "thread_id": node.scope_id if node.scope == "thread" else "",
        "thread_title": _title(connection, sources, node.scope_id) if node.scope == "thread" else "",
        "message_id": "",
        "external_id": "",
        "author": "",
        "to": [],
        "sent_at": _moment(node.ends_at),
        "subject": "",
        "text": node.text,
        "previous_id": None,
        "next_id": None,
        "above_id": _seen(connection, sources, parent),
        "below_ids": [*below, *tree_store.chunk_ids(connection, node.id)],
        "made_by": node.made_by,
    }


def _seen(connection: Connection, sources: Sources, node: Node | None) -> str | None:
    return node.id if node is not None and node.text and _may_see(connection, sources, node) else None


def _source_name(connection: Connection, source_id: str) -> str:
    return next((source.name for source in outlines(connection) if source.id == source_id), "")


def _title(connection: Connection, sources: Sources, thread_id: str) -> str:
    among = None if sources >= every_source(connection) else sources
    return titles(connection, [ThreadId(thread_id)], among=among).get(ThreadId(thread_id), "")


def _neighbour(message: StoredMessage, place: int) -> str | None:
    return message.chunks[place].id if 0 <= place < len(message.chunks) else None


def _name(person: Person) -> str:
    return person.name or person.address


def _moment(value: datetime | None) -> str | None:
    """A moment to the second; None stays None."""
    return None if value is None else value.isoformat(timespec="seconds")
