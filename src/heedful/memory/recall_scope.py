"""How far a look-up reaches: what narrows it, and all that this lets through where it is not much.

What lets little through is read once and kept in mind; what lets much through is asked passage by passage.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heedful.memory.search_terms import UNFILTERED, Filters, narrowed, placed
from heedful.storage import Connection, Value

FEW = 2000
"""Passages that are read at once, at most."""

_OF_AN_ENTITY = (
    "FROM (SELECT DISTINCT k.message_seq FROM entities s JOIN entities e ON e.canonical = s.canonical "
    "JOIN mentions x ON x.entity_seq = e.seq JOIN chunk_places k ON k.chunk_seq = x.chunk_seq WHERE s.id = :entity) k "
    "CROSS JOIN chunks c ON c.message_seq = k.message_seq CROSS JOIN chunk_places p ON p.chunk_seq = c.seq"
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
    along, where, bindings = _along(filters)
    if _has_more(connection, filters, where, bindings):
        return Scope(filters)
    rows = connection.rows(f"SELECT c.seq {along} {where} LIMIT :most", {**bindings, "most": FEW + 1})
    few = frozenset(int(seq or 0) for (seq,) in rows)
    return Scope(filters, few if len(few) <= FEW else None)


def _along(filters: Filters) -> tuple[str, str, dict[str, Value]]:
    where, bindings = narrowed(filters)
    if filters.entity_id is not None:
        near = placed(replace(filters, entity_id=None))
        return _OF_AN_ENTITY, f"WHERE {near}" if near else "", bindings
    pointed = "messages m" if filters.thread_id is not None else BY_SOURCE
    return f"FROM {pointed} CROSS JOIN chunks c ON c.message_seq = m.seq", where, bindings


BY_SOURCE = "sources s CROSS JOIN messages m ON m.source_id = s.id"


def _has_more(connection: Connection, filters: Filters, where: str, bindings: dict[str, Value]) -> bool:
    """Whether it is plain at a glance, from an index or a count, that more than a few are let through."""
    if filters.entity_id is not None:
        alone = filters == Filters(entity_id=filters.entity_id)
        said = connection.value(
            "SELECT sum(chunks) FROM entities WHERE canonical = (SELECT canonical FROM entities WHERE id = ?)",
            (filters.entity_id,),
        )
        return alone and int(said or 0) > FEW
    pointed = "messages m" if filters.thread_id is not None else BY_SOURCE
    return connection.row(f"SELECT 1 FROM {pointed} {where} LIMIT 1 OFFSET {FEW}", bindings) is not None


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
