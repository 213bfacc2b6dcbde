"""How far a look-up reaches: what narrows it, and all that this lets through where it is not much.

What lets little through is read once and kept in mind; what lets much through is asked passage by passage.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heedful.memory.search.terms import UNFILTERED, Filters, narrowed, placed
from heedful.storage import Connection

FEW, MOST, A_FORTIETH = 2000, 25_000, 40
"""Passages that are read at once: so few always, and up to so many where they are no more than a fortieth of all."""

SAMPLED = 24
"""So many passages tell which share of all a scope lets through, where no count tells."""

_OF_AN_ENTITY = (
    "FROM (SELECT DISTINCT k.message_seq FROM entities s JOIN entities e ON e.canonical = s.canonical "
    "JOIN mentions x ON x.entity_seq = e.seq JOIN chunk_places k ON k.chunk_seq = x.chunk_seq WHERE s.id = :entity) k "
    "CROSS JOIN chunks c ON c.message_seq = k.message_seq"
)

# Materialising everybody's messages costs more than to ask for each of some hundreds whether they are in it.
_IS_MENTIONED = (
    "EXISTS (SELECT 1 FROM chunks k CROSS JOIN mentions x ON x.chunk_seq = k.seq CROSS JOIN entities e "
    "ON e.seq = x.entity_seq WHERE k.message_seq = p.message_seq "
    "AND e.canonical = (SELECT canonical FROM entities WHERE id = :entity))"
)


@dataclass(frozen=True, slots=True)
class Scope:
    """What narrows one look-up; `few` are all passages that it lets through, None where they are many or all."""

    filters: Filters = UNFILTERED
    few: frozenset[int] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether nothing narrows."""
        return self.filters == UNFILTERED


def scope_of(connection: Connection, filters: Filters) -> Scope:
    """The scope of these filters as the store is now; ids that begin alike may be taken for one."""
    if filters == UNFILTERED:
        return Scope()
    total = int(connection.value("SELECT max(seq) FROM chunks") or 0)
    most = max(FEW, min(MOST, total // A_FORTIETH))
    if _are_more(connection, filters, most):
        return Scope(filters)
    few = frozenset(some_of(connection, filters, most=most + 1))
    return Scope(filters, few if len(few) <= most else None)


def some_of(connection: Connection, filters: Filters, *, most: int) -> list[int]:
    """Passages that the filters let through: all, or so many of them."""
    where, bindings = narrowed(filters)
    if filters.entity_id is None:
        along = f"FROM {_messages(filters)} CROSS JOIN chunks c ON c.message_seq = m.seq WHERE {where}"
    else:
        along, near = _OF_AN_ENTITY, placed(replace(filters, entity_id=None))
        along += f" CROSS JOIN chunk_places p ON p.chunk_seq = c.seq WHERE {near}" if near else ""
    rows = connection.rows(f"SELECT c.seq {along} LIMIT :most", {**bindings, "most": most})
    return [int(seq or 0) for (seq,) in rows]


def _are_more(connection: Connection, filters: Filters, most: int) -> bool:
    """Whether an index or a count tells at a glance that more than so many are let through."""
    if (counted := _in_sources(connection, filters)) is not None:
        return counted > most
    if filters.entity_id is None:
        where, bindings = narrowed(filters)
        return bool(
            connection.rows(
                f"SELECT 1 FROM {_messages(filters)} WHERE {where} LIMIT 1 OFFSET {most}", bindings
            )
        )
    said = connection.value(
        "SELECT sum(chunks) FROM entities WHERE canonical = (SELECT canonical FROM entities WHERE id = ?)",
        (filters.entity_id,),
    )
    return filters == Filters(entity_id=filters.entity_id) and int(said or 0) > most


def _in_sources(connection: Connection, filters: Filters) -> int | None:
    """How many passages are in the sources that the filters name; None where they name anything else besides."""
    if filters.source_id is not None and filters == Filters(source_id=filters.source_id):
        among = frozenset({filters.source_id})
    elif filters.among is not None and filters == Filters(among=filters.among):
        among = filters.among
    else:
        return None
    return int(
        connection.value(
            "SELECT sum(chunks) FROM source_counts WHERE source_id IN (SELECT value FROM json_each(?))",
            (json.dumps(sorted(among)),),
        )
        or 0
    )


def share_of(connection: Connection, scope: Scope, total: int) -> float:
    """About which share of all passages, of which the last has the number `total`, the scope lets through."""
    counted = _in_sources(connection, scope.filters)
    if counted is not None:
        return counted / total
    some = [total * place // SAMPLED for place in range(1, SAMPLED + 1)]
    return len(within(connection, some, scope)) / SAMPLED


def _messages(filters: Filters) -> str:
    if filters.thread_id is not None:
        return "messages m"
    return "sources s CROSS JOIN messages m ON m.source_id = s.id"


def within(connection: Connection, seqs: Sequence[int], scope: Scope) -> list[int]:
    """Those of these passages that the scope lets through, in the order given; nothing of their text is read."""
    if scope.few is not None:
        return [seq for seq in seqs if seq in scope.few]
    if scope.is_whole:
        return list(seqs)
    _, bindings = narrowed(scope.filters)
    near = [placed(replace(scope.filters, entity_id=None)), _IS_MENTIONED if scope.filters.entity_id else ""]
    rows = connection.rows(
        "SELECT p.chunk_seq FROM chunk_places p WHERE p.chunk_seq IN (SELECT value FROM json_each(:seqs)) AND "
        + " AND ".join(filter(None, near)),
        {**bindings, "seqs": json.dumps(list(seqs))},
    )
    passed = {row[0] for row in rows}
    return [seq for seq in seqs if seq in passed]
