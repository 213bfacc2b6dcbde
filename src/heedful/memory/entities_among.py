"""The entities most often mentioned in some of the sources, told by nothing that stands elsewhere.

For whoever may see a part of the memory only: `entities.top_entities` counts and names over all of it.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import SourceId
from heedful.memory.entity_kinds import EntityKind
from heedful.storage import Connection, Row, Value


@dataclass(frozen=True, slots=True)
class Mentioned:
    """An entity as these sources know it; `chunks` counts their passages that mention it."""

    id: str
    kind: EntityKind
    name: str
    chunks: int
    last_at: datetime


_THERE = (
    "FROM messages m JOIN chunks c ON c.message_seq = m.seq JOIN mentions x ON x.chunk_seq = c.seq "
    "JOIN entities e ON e.seq = x.entity_seq WHERE m.source_id IN (SELECT value FROM json_each(:sources)) "
    "AND NOT EXISTS (SELECT 1 FROM admissions d WHERE d.chunk_id = c.id AND NOT d.admitted)"
)


def entities_among(
    connection: Connection, sources: frozenset[SourceId], *, kind: EntityKind | None = None, limit: int = 20
) -> list[Mentioned]:
    """At most `limit` entities, the most mentioned first, then those mentioned last."""
    bindings: dict[str, Value] = {
        "sources": json.dumps(sorted(sources)),
        "kind": None if kind is None else kind.value,
        "limit": limit,
    }
    groups = connection.rows(
        f"SELECT e.canonical, count(DISTINCT c.seq) AS passages, max(m.sent_at) AS last_at {_THERE} "
        "AND (:kind IS NULL OR e.kind = :kind) GROUP BY e.canonical "
        "ORDER BY passages DESC, last_at DESC, e.canonical LIMIT :limit",
        bindings,
    )
    return [_mentioned(connection, row, bindings["sources"]) for row in groups]


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


def _mentioned(connection: Connection, row: Row, among: Value) -> Mentioned:
    """Its id and name are those most used in these sources, a name before an address."""
    group, passages, last_at = row
    known = connection.row(
        "SELECT e.id, e.kind, a.alias FROM entities e JOIN mentions x ON x.entity_seq = e.seq "
        "JOIN aliases a ON a.seq = x.alias_seq JOIN chunks c ON c.seq = x.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq "
        "WHERE e.canonical = :group AND m.source_id IN (SELECT value FROM json_each(:sources)) "
        "GROUP BY e.id, a.seq ORDER BY a.kind = 'name' DESC, count(*) DESC, a.seq LIMIT 1",
        {"group": group, "sources": among},
    ) or ("", EntityKind.PERSON.value, "")
    return Mentioned(
        str(known[0]),
        EntityKind(str(known[1])),
        str(known[2]),
        int(passages or 0),
        from_millis(int(last_at or 0)),
    )
