"""The memory graph: what holds between people and things, as said, with the passages that say so."""

import math
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import ChunkId
from heedful.memory.entities.graph_predicates import Predicate
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import entity
from heedful.storage import Connection

EVIDENCE_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Relation:
    """What holds between two entities. `is_outgoing`: read from the one that was asked about to `other_id`.

    `weight` is 0 to 1 for drawing: the surer and the more evidence, the heavier. `evidence` are the newest passages.
    """

    predicate: Predicate
    other_id: str
    other_kind: EntityKind
    other_name: str
    is_outgoing: bool
    confidence: float
    evidence_count: int
    weight: float
    first_at: datetime
    last_at: datetime
    evidence: tuple[ChunkId, ...]


def around(connection: Connection, entity_id: str, limit: int = 30) -> list[Relation]:
    """The relations of an entity with others, the heaviest first; those of one person's identities are one relation."""
    rows = connection.rows(
        "WITH mine AS (SELECT e.seq FROM entities s JOIN entities e ON e.canonical = s.canonical WHERE s.id = :id), "
        "ties AS (SELECT r.seq, r.predicate, o.canonical AS other, 1 AS outgoing, r.doubt, r.evidence_count, "
        "r.first_at, r.last_at FROM relations r JOIN entities o ON o.seq = r.object_seq "
        "WHERE r.subject_seq IN (SELECT seq FROM mine) "
        "AND r.object_seq NOT IN (SELECT seq FROM mine) UNION ALL "
        "SELECT r.seq, r.predicate, o.canonical, 0, r.doubt, r.evidence_count, r.first_at, r.last_at FROM relations r "
        "JOIN entities o ON o.seq = r.subject_seq WHERE r.object_seq IN (SELECT seq FROM mine) "
        "AND r.subject_seq NOT IN (SELECT seq FROM mine)) "
        "SELECT predicate, other, outgoing, sum(doubt), sum(evidence_count), min(first_at), max(last_at), "
        "group_concat(seq) FROM ties WHERE predicate <> :hidden GROUP BY predicate, other, outgoing "
        "ORDER BY sum(evidence_count) * (1.0 + (predicate <> :common)) DESC, max(last_at) DESC LIMIT :limit",
        {
            "id": entity_id,
            "hidden": Predicate.ANSWERS_FOR.value,
            "common": Predicate.COMMUNICATES_WITH.value,
            "limit": limit,
        },
    )
    found = []
    for predicate, other, outgoing, doubt, count, first, last, seqs in rows:
        first_id = connection.value(
            "SELECT id FROM entities WHERE canonical = ? ORDER BY seq LIMIT 1", (other,)
        )
        whole = entity(connection, str(first_id))
        if whole is not None:
            confidence = 1 - math.exp(float(doubt or 0))
            found.append(
                Relation(
                    predicate=Predicate(str(predicate)),
                    other_id=whole.id,
                    other_kind=whole.kind,
                    other_name=whole.name,
                    is_outgoing=bool(outgoing),
                    confidence=round(confidence, 3),
                    evidence_count=int(count or 0),
                    weight=round(confidence * min(1.0, math.log1p(int(count or 0)) / math.log(50)), 3),
                    first_at=from_millis(int(first or 0)),
                    last_at=from_millis(int(last or 0)),
                    evidence=_evidence(connection, str(seqs)),
                )
            )
    return sorted(found, key=lambda relation: -relation.weight)


def _evidence(connection: Connection, relation_seqs: str) -> tuple[ChunkId, ...]:
    seqs = [int(seq) for seq in relation_seqs.split(",")]
    marks = ", ".join("?" * len(seqs))
    rows = connection.rows(
        f"SELECT c.id FROM relation_evidence e JOIN chunks c ON c.seq = e.chunk_seq WHERE e.relation_seq IN ({marks}) "
        "ORDER BY e.said_at DESC LIMIT ?",
        (*seqs, EVIDENCE_SHOWN),
    )
    return tuple(ChunkId(str(chunk)) for (chunk,) in rows)
