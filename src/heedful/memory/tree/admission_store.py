"""The rows of admissions: why a chunk is, or is not, among what the summaries are made of."""

import json
from collections.abc import Sequence
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId
from heedful.memory.tree.admission import Admission, Signal
from heedful.storage import Connection

AT_ONCE = 500


def keep(connection: Connection, admissions: Sequence[tuple[ChunkId, Admission]], *, now: datetime) -> None:
    """Writes the verdicts, over earlier ones about the same chunks."""
    connection.execute_many(
        "INSERT OR REPLACE INTO admissions (chunk_id, total, signals, admitted, reason, judged_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                chunk_id,
                one.total,
                json.dumps({name.value: value for name, value in one.signals.items()}),
                int(one.is_admitted),
                one.reason,
                to_millis(now),
            )
            for chunk_id, one in admissions
        ],
    )


def admission(connection: Connection, chunk_id: ChunkId) -> Admission | None:
    """The verdict on a chunk; None while nobody judged it."""
    row = connection.row(
        "SELECT total, signals, admitted, reason FROM admissions WHERE chunk_id = ?", (chunk_id,)
    )
    if row is None:
        return None
    signals = {Signal(name): float(value) for name, value in json.loads(str(row[1])).items()}
    return Admission(float(row[0] or 0.0), signals, bool(row[2]), str(row[3]))


def own_but_refused(connection: Connection, *, limit: int) -> list[int]:
    """Messages (seqs) left out that turned out to be the person's, whose address came to be known."""
    rows = connection.rows(
        "SELECT DISTINCT m.seq FROM own_addresses w CROSS JOIN participants a ON a.address = w.address "
        "CROSS JOIN messages m ON m.author_id = a.id CROSS JOIN chunks c ON c.message_seq = m.seq "
        "CROSS JOIN admissions d ON d.chunk_id = c.id "
        "WHERE w.origin <> 'refused' AND d.admitted = 0 AND m.from_me IS NULL LIMIT ?",
        (limit,),
    )
    return [int(seq or 0) for (seq,) in rows]


def entity_counts(connection: Connection, chunk_ids: Sequence[ChunkId]) -> dict[ChunkId, int]:
    """How many entities are named in each chunk's text; a chunk that nobody looked at is absent."""
    found: dict[ChunkId, int] = {}
    for begin in range(0, len(chunk_ids), AT_ONCE):
        part = list(chunk_ids[begin : begin + AT_ONCE])
        for chunk_id, count in connection.rows(
            "SELECT c.id, sum(e.role = 'text') FROM chunks c JOIN mentions e ON e.chunk_seq = c.seq "
            f"WHERE c.id IN ({', '.join('?' * len(part))}) GROUP BY c.id",
            part,
        ):
            found[ChunkId(str(chunk_id))] = int(count or 0)
    return found
