"""The entities most often mentioned in some of the sources, told by nothing that stands elsewhere.

For whoever may see a part of the memory only: `entities.top_entities` counts and names over all of it.
"""

import heapq
import json
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import SourceId
from heedful.memory.entity_kinds import EntityKind
from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class Mentioned:
    """An entity as these sources know it; `chunks` counts their passages that mention it."""

    id: str
    kind: EntityKind
    name: str
    chunks: int
    last_at: datetime


NEARLY_ALL = 0.9
"""From this share of all messages on, trying the most mentioned of all is quicker than counting every mention."""

_HERE = (
    "m.source_id IN (SELECT value FROM json_each(:sources)) "
    "AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND NOT d.admitted)"
)

# How often, when last, and which: the heaviest first, and of equals the later and then the older acquaintance.
_Weight = tuple[int, int, int]


def entities_among(
    connection: Connection, sources: frozenset[SourceId], *, kind: EntityKind | None = None, limit: int = 20
) -> list[Mentioned]:
    """At most `limit` entities, the most mentioned first, then those mentioned last."""
    among = json.dumps(sorted(sources))
    weigh = _tried if _share(connection, among) >= NEARLY_ALL else _counted
    found = weigh(connection, among, kind, limit)
    return [_mentioned(connection, weight, among) for weight in sorted(found, reverse=True)]


def _share(connection: Connection, among: str) -> float:
    there = connection.value(
        "SELECT count(*) FROM messages WHERE source_id IN (SELECT value FROM json_each(?))", (among,)
    )
    return int(there or 0) / max(1, int(connection.value("SELECT count(*) FROM messages") or 0))


def _counted(connection: Connection, among: str, kind: EntityKind | None, limit: int) -> list[_Weight]:
    """By counting every mention in these sources.

    The sign before the column keeps SQLite from looking every passage up in every entity.
    """
    rows = connection.rows(
        "SELECT count(DISTINCT x.chunk_seq), max(x.said_at), -e.canonical "
        "FROM entities e CROSS JOIN mentions x ON x.entity_seq = e.seq WHERE +x.chunk_seq IN ("
        f"SELECT c.seq FROM messages m CROSS JOIN chunks c ON c.message_seq = m.seq WHERE {_HERE}"
        ") AND (:kind IS NULL OR e.kind = :kind) GROUP BY e.canonical ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT :limit",
        {"sources": among, "kind": None if kind is None else kind.value, "limit": limit},
    )
    return [(int(passages or 0), int(last_at or 0), int(group or 0)) for passages, last_at, group in rows]


def _tried(connection: Connection, among: str, kind: EntityKind | None, limit: int) -> list[_Weight]:
    """By counting those that all sources mention most, until no other can be mentioned more in these."""
    best: list[_Weight] = []
    for group, at_most in connection.rows(
        "SELECT canonical, sum(chunks) FROM entities WHERE chunks > 0 AND (:kind IS NULL OR kind = :kind) "
        "GROUP BY canonical ORDER BY 2 DESC",
        {"kind": None if kind is None else kind.value},
    ):
        if len(best) == limit and int(at_most or 0) < best[0][0]:
            break
        passages, last_at = connection.row(
            "SELECT count(DISTINCT x.chunk_seq), max(x.said_at) FROM entities e "
            "CROSS JOIN mentions x ON x.entity_seq = e.seq CROSS JOIN chunks c ON c.seq = x.chunk_seq "
            f"CROSS JOIN messages m ON m.seq = c.message_seq WHERE e.canonical = :group AND {_HERE}",
            {"sources": among, "group": group},
        ) or (0, None)
        if passages:
            heapq.heappush(best, (int(passages), int(last_at or 0), -int(group or 0)))
        if len(best) > limit:
            heapq.heappop(best)
    return best


def is_mentioned_among(connection: Connection, sources: frozenset[SourceId], entity_id: str) -> bool:
    """Whether any passage of these sources mentions the entity that an id stands for."""
    return bool(
        connection.value(
            "SELECT 1 FROM entities s JOIN entities e ON e.canonical = s.canonical "
            "JOIN mentions x ON x.entity_seq = e.seq JOIN chunks c ON c.seq = x.chunk_seq "
            "JOIN messages m ON m.seq = c.message_seq "
            "WHERE s.id = ? AND m.source_id IN (SELECT value FROM json_each(?)) LIMIT 1",
            (entity_id, json.dumps(sorted(sources))),
        )
    )


def _mentioned(connection: Connection, weight: _Weight, among: str) -> Mentioned:
    """Its id and name are those most used in these sources, a name before an address."""
    passages, last_at, group = weight
    known = connection.row(
        "SELECT e.id, e.kind, a.alias FROM entities e JOIN mentions x ON x.entity_seq = e.seq "
        "JOIN aliases a ON a.seq = x.alias_seq JOIN chunks c ON c.seq = x.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq "
        "WHERE e.canonical = :group AND m.source_id IN (SELECT value FROM json_each(:sources)) "
        "GROUP BY e.id, a.seq ORDER BY a.kind = 'name' DESC, count(*) DESC, a.seq LIMIT 1",
        {"group": -group, "sources": among},
    ) or ("", EntityKind.PERSON.value, "")
    return Mentioned(str(known[0]), EntityKind(str(known[1])), str(known[2]), passages, from_millis(last_at))
