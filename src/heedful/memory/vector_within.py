"""The passages nearest to a question among those that filters let through, however many elsewhere come nearer.

Codes are ranked in memory and their chunks looked up in `chunk_places`; where next to none of the best are let
through, the codes of what is let through are compared instead. Either way a hundred vectors are read.
"""

from heedful.memory.recall_candidates import within
from heedful.memory.search_terms import Filters, narrowed
from heedful.memory.vector_meaning import Sense
from heedful.memory.vector_search import nearest, nearest_where
from heedful.storage import Connection

COMPARED_WHOLE = 4000
"""Passages that are compared at most where filters let next to none of the nearest through."""


def nearest_within(connection: Connection, sense: Sense, filters: Filters, *, count: int) -> list[int]:
    """The chunks nearest to the question, the nearest first: at most `count` that the filters let through.

    The turns before them are among them, which may not be let through.
    """
    found = nearest_where(connection, sense, lambda chunks: within(connection, chunks, filters), count=count)
    if found is not None:
        return found
    return nearest(connection, sense, count=count, among=_first(connection, filters, most=COMPARED_WHOLE))


def _first(connection: Connection, filters: Filters, *, most: int) -> list[int]:
    """Passages that the filters let through: all, or so many of them."""
    where, bindings = narrowed(filters)
    is_pointed = filters.thread_id is not None or filters.entity_id is not None
    along = "messages m" if is_pointed else "sources s CROSS JOIN messages m ON m.source_id = s.id"
    rows = connection.rows(
        f"SELECT c.seq FROM {along} CROSS JOIN chunks c ON c.message_seq = m.seq {where} LIMIT :most",
        {**bindings, "most": most},
    )
    return [int(seq or 0) for (seq,) in rows]
