"""The passages nearest to a question among those that filters let through, however many elsewhere come nearer.

What is narrowed to little is compared whole; what is narrowed to much is looked for in a longer shortlist.
"""

from heedful.memory.search_terms import Filters, narrowed
from heedful.memory.vector_meaning import Sense
from heedful.memory.vector_search import nearest, nearness
from heedful.storage import Connection

COMPARED_WHOLE = 1000
"""Passages whose vectors are all read, which takes some ten milliseconds."""
WIDER = 1000
"""Vectors taken from the codes where more are let through; what else they lead to is sorted out by whoever asks."""


def nearest_within(connection: Connection, sense: Sense, filters: Filters, *, count: int) -> list[int]:
    """The chunks nearest to the question, the nearest first: at most `count` that the filters let through.

    Where they let much through, more than `count`, and among them some that they don't.
    """
    few = _first(connection, filters, most=COMPARED_WHOLE + 1)
    if len(few) > COMPARED_WHOLE:
        return nearest(connection, sense, count=2 * WIDER, shortlist=WIDER)
    near = nearness(connection, sense, few)
    return sorted(near, key=lambda seq: (-near[seq].part, seq))[:count]


def _first(connection: Connection, filters: Filters, *, most: int) -> list[int]:
    """Some passages that the filters let through: all, where there are fewer than `most`."""
    where, bindings = narrowed(filters)
    is_pointed = filters.thread_id is not None or filters.entity_id is not None
    along = "messages m" if is_pointed else "sources s CROSS JOIN messages m ON m.source_id = s.id"
    rows = connection.rows(
        f"SELECT c.seq FROM {along} JOIN chunks c ON c.message_seq = m.seq {where} LIMIT :most",
        {**bindings, "most": most},
    )
    return [int(seq or 0) for (seq,) in rows]
