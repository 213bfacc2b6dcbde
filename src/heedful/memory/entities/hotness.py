"""How much an entity is on the person's mind now: recent mentions, fading; where from; what they asked for.

Only the window counts, so what was talked of long ago cools by itself. A message counts once, however often it
names somebody, and one that was dropped from the memory does not count.
"""

import heapq
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from heedful.core.clock import to_millis
from heedful.storage import Connection, Value

WINDOW = timedelta(days=60)
HALF_LIFE_DAYS = 10.0
DAY_MS = 86_400_000
WINDOW_MS = WINDOW.days * DAY_MS
BUCKET_DAYS = 5
RARE = 10_000
"""Up to so many mentions, those of a kind are looked up entity by entity."""


@dataclass(frozen=True, slots=True)
class Heat:
    """What makes an entity hot: messages in the window as faded by age, sources, partners, and questions, faded too."""

    mentions: float
    age_days: float
    sources: int
    partners: int
    asked: float

    @property
    def total(self) -> float:
        """The sum by which entities are ordered; 0 for one outside the window that nobody asked for.

        What is counted goes in by its logarithm, so that no chatter drowns the rest; the weights were set by hand.
        """
        if self.mentions <= 0 and self.asked <= 0:
            return 0.0
        recency = 1.0 if self.age_days <= 1 else max(0.0, 1.0 - self.age_days / 30)
        centrality = min(1.0, math.log1p(self.partners) / 4)
        return (
            math.log1p(self.mentions)
            + 0.5 * math.log1p(self.sources)
            + recency
            + centrality
            + 2 * math.log1p(self.asked)
        )


_UNMENTIONED = Heat(mentions=0.0, age_days=math.inf, sources=0, partners=0, asked=0.0)


def faded(count: float, age_days: float) -> float:
    """A count as it still weighs after some days."""
    return float(count * 0.5 ** (max(0.0, age_days) / HALF_LIFE_DAYS))


def note_asked(connection: Connection, entity_ids: Iterable[str], *, now: datetime) -> None:
    """Counts that the person, or a program for them, asked for these entities."""
    day = to_millis(now) // DAY_MS
    connection.execute_many(
        "INSERT INTO query_hits (owner_id, day, hits) VALUES (?, ?, 1) "
        "ON CONFLICT (owner_id, day) DO UPDATE SET hits = hits + 1",
        [(entity_id, day) for entity_id in entity_ids],
    )


def forget_old_questions(connection: Connection, *, now: datetime) -> None:
    """Drops what was asked for before the window, which counts for nothing any more."""
    connection.execute("DELETE FROM query_hits WHERE day <= ?", (to_millis(now) // DAY_MS - WINDOW.days,))


def heats(
    connection: Connection, *, now: datetime, kind: str | None = None, most: int = 100
) -> Mapping[int, Heat]:
    """The heat of at most `most` of the warmest entities, by the number of their group (`entities.canonical`)."""
    until = to_millis(now)
    bindings: dict[str, Value] = {
        "since": until - WINDOW_MS,
        "until": until,
        "kind": kind,
        "step": BUCKET_DAYS * DAY_MS,
    }
    asked = _asked(connection, until, kind)
    warmest = {*_likely(connection, bindings, most), *sorted(asked, key=lambda group: -asked[group])[:most]}
    bindings["groups"] = json.dumps(sorted(warmest))
    mentions = _mentions(connection, bindings)
    return {
        group: replace(
            mentions.get(group, _UNMENTIONED),
            partners=_partners(connection, group),
            asked=asked.get(group, 0.0),
        )
        for group in warmest
        if group in mentions or group in asked
    }


_COUNTED = "(:until - m.said_at) / :step AS bucket, count(*) AS count"
_OF_ALL = (
    f"SELECT e.canonical, t.bucket, sum(t.count) FROM (SELECT m.entity_seq, {_COUNTED} FROM mentions m "
    "WHERE m.said_at > :since AND m.said_at <= :until GROUP BY 1, 2) t "
    "JOIN entities e ON e.seq = t.entity_seq WHERE :kind IS NULL OR e.kind = :kind GROUP BY 1, 2"
)
_OF_A_RARE_KIND = (
    f"SELECT e.canonical, {_COUNTED} FROM entities e CROSS JOIN mentions m ON m.entity_seq = e.seq "
    "WHERE e.kind = :kind AND m.said_at > :since AND m.said_at <= :until GROUP BY 1, 2"
)


def _is_rare(connection: Connection, kind: Value) -> bool:
    """Whether all mentions of a kind, of whenever, are fewer than it pays to go through the window for."""
    if kind is None:
        return False
    return int(connection.value("SELECT sum(chunks) FROM entities WHERE kind = ?", (kind,)) or 0) <= RARE


def _likely(connection: Connection, bindings: Mapping[str, Value], most: int) -> list[int]:
    """Those most mentioned of late, roughly counted: which of them are hottest is then weighed exactly."""
    weights: dict[int, float] = {}
    sql = _OF_A_RARE_KIND if _is_rare(connection, bindings["kind"]) else _OF_ALL
    for group, bucket, count in connection.rows(sql, bindings):
        seq = int(group or 0)
        weights[seq] = weights.get(seq, 0.0) + faded(int(count or 0), int(bucket or 0) * BUCKET_DAYS)
    return heapq.nlargest(most, weights, key=lambda group: (weights[group], -group))


_WARM = (
    "FROM json_each(:groups) g CROSS JOIN entities e ON e.canonical = g.value JOIN mentions m ON m.entity_seq = e.seq "
    "CROSS JOIN chunk_places p ON p.chunk_seq = m.chunk_seq CROSS JOIN chunks c ON c.seq = m.chunk_seq "
    "WHERE m.said_at > :since AND m.said_at <= :until AND NOT EXISTS ("
    "SELECT 1 FROM admissions x INDEXED BY admissions_refused WHERE x.chunk_id = c.id AND x.admitted = 0)"
)


def _mentions(connection: Connection, bindings: Mapping[str, Value]) -> dict[int, Heat]:
    """The part of heat that mentions make, exactly."""
    until = int(bindings["until"] or 0)
    found: dict[int, Heat] = {}
    sources: dict[int, set[Value]] = {}
    for group, day, source, messages, latest in connection.rows(
        f"SELECT e.canonical, m.said_at / {DAY_MS}, p.source, count(DISTINCT p.message_seq), max(m.said_at) {_WARM} "
        "GROUP BY 1, 2, 3",
        bindings,
    ):
        seq = int(group or 0)
        sources.setdefault(seq, set()).add(source)
        before = found.get(seq, _UNMENTIONED)
        found[seq] = replace(
            before,
            mentions=before.mentions + faded(int(messages or 0), until / DAY_MS - int(day or 0)),
            age_days=min(before.age_days, (until - int(latest or 0)) / DAY_MS),
            sources=len(sources[seq]),
        )
    return found


def _asked(connection: Connection, until: int, kind: str | None) -> dict[int, float]:
    found: dict[int, float] = {}
    today = until // DAY_MS
    for group, day, hits in connection.rows(
        "SELECT e.canonical, q.day, sum(q.hits) FROM query_hits q JOIN entities e ON e.id = q.owner_id "
        "WHERE q.day > :first AND q.day <= :today AND (:kind IS NULL OR e.kind = :kind) GROUP BY 1, 2",
        {"first": today - WINDOW.days, "today": today, "kind": kind},
    ):
        found[int(group or 0)] = found.get(int(group or 0), 0.0) + faded(
            int(hits or 0), today - int(day or 0)
        )
    return found


def _partners(connection: Connection, group: int) -> int:
    """How many others something holds with."""
    return int(
        connection.value(
            "SELECT count(*) FROM (SELECT o.canonical FROM entities e JOIN relations r ON r.subject_seq = e.seq "
            "JOIN entities o ON o.seq = r.object_seq WHERE e.canonical = :g UNION "
            "SELECT s.canonical FROM entities e JOIN relations r ON r.object_seq = e.seq "
            "JOIN entities s ON s.seq = r.subject_seq WHERE e.canonical = :g)",
            {"g": group},
        )
        or 0
    )
