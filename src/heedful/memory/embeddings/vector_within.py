"""The passages nearest to a question among those that a scope lets through, however many elsewhere come nearer.

Of a scope with few passages all codes are compared. Else the codes of all are ranked in memory and their chunks looked
up in `chunk_places`; where next to none of the best are let through, some thousands of what is let through are compared
instead. Either way a hundred vectors are read.
"""

from collections.abc import Callable

from heedful.memory.embeddings.vector_index import Ranking
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.embeddings.vector_search import nearest, nearest_where, ranking
from heedful.memory.search.scope import Scope, some_of, within
from heedful.storage import Connection

COMPARED_WHOLE = 4000
"""Passages that are compared at most where filters let next to none of the nearest through."""


def ranking_within(connection: Connection, sense: Sense, scope: Scope) -> Callable[[], Ranking]:
    """The work of ranking codes for `nearest_within`; it asks no store, so another thread may do it."""
    return ranking(connection, sense, among=scope.few)


def nearest_within(
    connection: Connection, sense: Sense, scope: Scope, *, count: int, ranked: Ranking
) -> list[int]:
    """The chunks nearest to the question, the nearest first: at most `count` that the scope lets through.

    The turns before them are among them, which may not be let through.
    """
    if scope.is_whole or scope.few is not None:
        return nearest(connection, sense, count=count, ranked=ranked)
    found = nearest_where(
        connection, sense, lambda chunks: within(connection, chunks, scope), count=count, ranked=ranked
    )
    if found is not None:
        return found
    among = some_of(connection, scope.filters, most=COMPARED_WHOLE)
    return nearest(connection, sense, count=count, among=among)
