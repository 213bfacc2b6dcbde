"""The entities most often mentioned in some of the sources, told by nothing that stands elsewhere.

For whoever may see a part of the memory only: `entities.top_entities` counts and names over all of it.
"""

import heapq
import json
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import SourceId
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.search.terms import Filters, placed
from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class Mentioned:
    """An entity as these sources know it; `chunks` counts their passages that mention it."""

    id: str
    kind: EntityKind
    name: str
    chunks: int
    last_at: datetime


MANY = 60
"""From this many passages on, the last one is found sooner by going back in time than by looking at all of them."""

NAMED_BY = 100
"""So many mentions, the first of a source, tell by what name it is used there."""

_HERE = (
    "m.source_id IN (SELECT value FROM json_each(:among)) AND NOT EXISTS ("
    "SELECT 1 FROM admissions d INDEXED BY admissions_refused WHERE d.chunk_id = c.id AND d.admitted = 0)"
)

_NEARLY_HERE = placed(Filters(among=frozenset()))
"""What only a passage of these sources is likely to pass, without reading its message."""

_NEWEST_HERE = (
    "(SELECT max((SELECT max(n.sent_at) FROM messages n WHERE n.source_id = v.value)) "
    "FROM json_each(:among) v)"
)

# How often, when last, and which: the heaviest first, and of equals the later and then the older acquaintance.
_Weight = tuple[int, int, int]


def entities_among(
    connection: Connection, sources: frozenset[SourceId], *, kind: EntityKind | None = None, limit: int = 20
) -> list[Mentioned]:
    """At most `limit` entities, the most mentioned first, then those mentioned last."""
    among = json.dumps(sorted(sources))
    found = _heaviest(connection, among, kind, limit)
    return [_mentioned(connection, weight, among) for weight in sorted(found, reverse=True)]


def _heaviest(connection: Connection, among: str, kind: EntityKind | None, limit: int) -> list[_Weight]:
    """By the counts that are kept (migration 0005), where one passage may count for two identities of one person."""
    best: list[_Weight] = []
    for group, at_most, identities in connection.rows(
        "SELECT e.canonical, sum(n.chunks), count(DISTINCT e.seq) FROM entity_counts n "
        "JOIN entities e ON e.seq = n.entity_seq WHERE n.source_id IN (SELECT value FROM json_each(:among)) "
        "AND (:kind IS NULL OR e.kind = :kind) GROUP BY e.canonical ORDER BY 2 DESC",
        {"among": among, "kind": None if kind is None else kind.value},
    ):
        passages = int(at_most or 0)
        if len(best) == limit and passages < best[0][0]:
            break
        if int(identities or 0) > 1:
            passages -= _counted_twice(connection, int(group or 0), among)
        last_at = _last_at(connection, int(group or 0), among, of_many=passages > MANY)
        heapq.heappush(best, (passages, last_at, -int(group or 0)))
        if len(best) > limit:
            heapq.heappop(best)
    return best


def _counted_twice(connection: Connection, group: int, among: str) -> int:
    return int(
        connection.value(
            "SELECT sum(t.identities - 1) FROM (SELECT x.chunk_seq, count(DISTINCT x.entity_seq) AS identities "
            "FROM entities e CROSS JOIN mentions x ON x.entity_seq = e.seq WHERE e.canonical = :group "
            "GROUP BY x.chunk_seq HAVING identities > 1) t "
            f"CROSS JOIN chunks c ON c.seq = t.chunk_seq CROSS JOIN messages m ON m.seq = c.message_seq WHERE {_HERE}",
            {"group": group, "among": among},
        )
        or 0
    )


def _last_at(connection: Connection, group: int, among: str, *, of_many: bool) -> int:
    messages = "CROSS JOIN chunks c ON c.seq = x.chunk_seq CROSS JOIN messages m ON m.seq = c.message_seq"
    if of_many:
        sql = (
            "SELECT x.said_at FROM mentions x INDEXED BY mentions_by_time "
            f"CROSS JOIN chunk_places p ON p.chunk_seq = x.chunk_seq AND {_NEARLY_HERE} {messages} "
            f"WHERE x.said_at <= {_NEWEST_HERE} AND {_HERE} "
            "AND x.entity_seq IN (SELECT e.seq FROM entities e WHERE e.canonical = :group) "
            "ORDER BY x.said_at DESC LIMIT 1"
        )
    else:
        sql = (
            "SELECT max(x.said_at) FROM entities e CROSS JOIN mentions x ON x.entity_seq = e.seq "
            f"{messages} WHERE e.canonical = :group AND {_HERE}"
        )
    return int(connection.value(sql, {"group": group, "among": among}) or 0)


def is_mentioned_among(connection: Connection, sources: frozenset[SourceId], entity_id: str) -> bool:
    """Whether any passage of these sources mentions what an id stands for, under the address or name of that id.

    Ids can be worked out from addresses and names: one that answered for somebody mentioned here, though only others
    know it, would tell who else that is.
    """
    return bool(
        connection.value(
            "SELECT 1 FROM entities e "
            "JOIN mentions x ON x.entity_seq = e.seq JOIN chunks c ON c.seq = x.chunk_seq "
            "JOIN messages m ON m.seq = c.message_seq "
            "WHERE e.id = ? AND m.source_id IN (SELECT value FROM json_each(?)) LIMIT 1",
            (entity_id, json.dumps(sorted(sources))),
        )
    )


def _mentioned(connection: Connection, weight: _Weight, among: str) -> Mentioned:
    """Its id and name are those most used in these sources, a name before an address."""
    passages, last_at, group = weight
    known = connection.row(
        "SELECT e.id, e.kind, a.alias FROM ("
        "  SELECT x.entity_seq, x.alias_seq FROM entities s CROSS JOIN mentions x ON x.entity_seq = s.seq "
        "  CROSS JOIN chunks c ON c.seq = x.chunk_seq CROSS JOIN messages m ON m.seq = c.message_seq "
        "  WHERE s.canonical = :group AND m.source_id IN (SELECT value FROM json_each(:among)) LIMIT :most"
        ") t JOIN entities e ON e.seq = t.entity_seq JOIN aliases a ON a.seq = t.alias_seq "
        "GROUP BY e.id, a.seq ORDER BY a.kind = 'name' DESC, count(*) DESC, a.seq LIMIT 1",
        {"group": -group, "among": among, "most": NAMED_BY},
    ) or ("", EntityKind.PERSON.value, "")
    return Mentioned(str(known[0]), EntityKind(str(known[1])), str(known[2]), passages, from_millis(last_at))
