"""Vectors in the store: what has none yet, what is kept, and what a search reads."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heedful.core.errors import UserCanFixError
from heedful.core.ids import ChunkId, SourceId, content_id
from heedful.memory.embeddings.units import SHORT, Unit, parts, window
from heedful.storage import Connection, Row

if TYPE_CHECKING:  # it brings numpy, which reading vectors does without
    from heedful.memory.embeddings.vector_codes import Packed


@dataclass(frozen=True, slots=True)
class Pending:
    """A passage without vectors, by its place, with the units that should have one.

    `before_seq` is the last passage of the message before, where that is in the unit too; `sources` are those whose
    words are in the units.
    """

    chunk_seq: int
    sources: frozenset[SourceId]
    before_seq: int | None
    units: tuple[Unit, ...]


def model_id(connection: Connection, name: str) -> int | None:
    """The number under which a model's vectors are kept; None when there are none of it."""
    found = connection.value("SELECT id FROM embedding_models WHERE name = ?", (name,))
    return None if found is None else int(found)


def dimensions_of(connection: Connection, name: str) -> int | None:
    """How many numbers each kept vector of a model has; None when there are none of it."""
    found = connection.value("SELECT dimensions FROM embedding_models WHERE name = ?", (name,))
    return None if found is None else int(found)


def pending(
    connection: Connection, after: int, *, limit: int, kept_back: Iterable[SourceId] = ()
) -> tuple[list[Pending], int | None]:
    """The passages after a place, oldest first, without a word of sources kept back, and the last one's place.

    That is the place of the last one read; None when there is nothing after.
    """
    away = frozenset(kept_back)
    rows = connection.rows(
        "SELECT c.seq, m.source_id, substr(m.text, c.start + 1, c.finish - c.start), m.lang, length(m.text), "
        "coalesce(nullif(a.name, ''), a.address, ''), m.seq, m.thread_id, m.sent_at "
        "FROM chunks c JOIN messages m ON m.seq = c.message_seq LEFT JOIN participants a ON a.id = m.author_id "
        "WHERE c.seq > ? ORDER BY c.seq LIMIT ?",
        (after, limit),
    )
    found = [_pending(connection, row, away) for row in rows if SourceId(str(row[1])) not in away]
    return found, int(rows[-1][0] or 0) if rows else None


def _pending(connection: Connection, row: Row, away: frozenset[SourceId]) -> Pending:
    seq, own, text, lang = int(row[0] or 0), SourceId(str(row[1])), str(row[2]), str(row[3])
    if int(row[4] or 0) > SHORT:
        units = tuple(Unit(n, part) for n, part in enumerate(parts(text, lang)))
        return Pending(seq, frozenset([own]), None, units)
    before = connection.row(
        "SELECT m.text, coalesce(nullif(a.name, ''), a.address, ''), "
        "(SELECT max(c.seq) FROM chunks c WHERE c.message_seq = m.seq), m.source_id "
        "FROM messages m LEFT JOIN participants a ON a.id = m.author_id "
        "WHERE m.thread_id = ? AND m.sent_at <= ? AND m.seq <> ? AND (m.sent_at < ? OR m.seq < ?) "
        "ORDER BY m.sent_at DESC, m.seq DESC LIMIT 1",
        (row[7], row[8], row[6], row[8], row[6]),
    )
    if before is None or SourceId(str(before[3])) in away:
        before = ("", "", None, own)
    earlier, author, before_seq, source = before
    turn = window(str(row[5]), text, str(author), str(earlier))
    sources = frozenset([own, SourceId(str(source))])
    return Pending(seq, sources, None if before_seq is None else int(before_seq), (Unit(0, turn),))


def keep(
    connection: Connection,
    model: str,
    dimensions: int,
    packed: Sequence[tuple[Pending, Unit, "Packed"]],
) -> int:
    """Keeps vectors of a model; those of passages that are gone meanwhile are left out. Returns how many were kept.

    Raises:
        UserCanFixError: They have another length than those kept of it, so the two can't be compared.
    """
    if not packed:
        return 0
    connection.execute(
        "INSERT INTO embedding_models (name, dimensions) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
        (model, dimensions),
    )
    known = dimensions_of(connection, model)
    if known != dimensions:
        raise UserCanFixError(
            "The embedding model makes other vectors than before",
            f"They have {dimensions} numbers where those it made earlier have {known}, and can't be compared.",
            "Serve the model as before or, in Settings, use another one and then this one again.",
        )
    number = model_id(connection, model)
    kept = 0
    for owner, unit, vector in packed:
        digest = content_id("embedded", unit.text)
        kept += connection.execute(
            "INSERT INTO vectors (model_id, chunk_seq, part, before_seq, content_hash, scale, numbers) "
            "SELECT ?, seq, ?, ?, ?, ?, ? FROM chunks WHERE seq = ? "
            "ON CONFLICT (chunk_seq, model_id, part) DO NOTHING",
            (
                number, unit.part, owner.before_seq, digest, vector.scale, vector.numbers,
                owner.chunk_seq,
            ),
        ) and _keep_code(connection, vector.bits)  # fmt: skip
    return kept


def _keep_code(connection: Connection, bits: bytes) -> int:
    return connection.execute(
        "INSERT INTO vector_codes (id, model_id, chunk_seq, before_seq, bits) "
        "SELECT id, model_id, chunk_seq, before_seq, ? FROM vectors WHERE id = ?",
        (bits, connection.last_row_id()),
    )


def drop_other_models(connection: Connection, model: str) -> int:
    """Removes the vectors of every model but one, and forgets how far they had come; returns how many went."""
    number = model_id(connection, model)
    gone = connection.execute("DELETE FROM vectors WHERE model_id IS NOT ?", (number,))
    connection.execute("DELETE FROM embedding_models WHERE id IS NOT ?", (number,))
    connection.execute(
        "DELETE FROM stage_cursors WHERE (stage GLOB 'embed *' AND stage <> 'embed ' || ?1) "
        "OR (stage GLOB 're-embed *' AND stage <> 're-embed ' || ?1)",
        (model,),
    )
    return gone


def codes_after(connection: Connection, model: str, after: int, *, limit: int) -> list[Row]:
    """The next `limit` codes of a model after a vector's number: (number, chunk, chunk before or None, bits)."""
    return connection.rows(
        "SELECT id, chunk_seq, before_seq, bits FROM vector_codes "
        "WHERE id > ? AND model_id = (SELECT id FROM embedding_models WHERE name = ?) ORDER BY id LIMIT ?",
        (after, model, limit),
    )


def by_number(connection: Connection, numbers: Sequence[int]) -> list[Row]:
    """Kept vectors by their numbers, which they rise by: (number, chunk, chunk before, numbers); unknown left out."""
    return connection.rows(
        "SELECT id, chunk_seq, before_seq, numbers FROM vectors WHERE id IN (SELECT value FROM json_each(?)) "
        "ORDER BY id",
        (json.dumps(numbers),),
    )


def made_beside_others(
    connection: Connection, sources: frozenset[SourceId], chunk_ids: Sequence[ChunkId]
) -> frozenset[str]:
    """Those of the passages whose vector holds the words of a message from none of the sources."""
    rows = connection.rows(
        "SELECT c.id FROM chunks c JOIN vectors v ON v.chunk_seq = c.seq JOIN chunks b ON b.seq = v.before_seq "
        "JOIN messages m ON m.seq = b.message_seq WHERE c.id IN (SELECT value FROM json_each(?)) "
        "AND m.source_id NOT IN (SELECT value FROM json_each(?))",
        (json.dumps(list(chunk_ids)), json.dumps(sorted(sources))),
    )
    return frozenset(str(chunk_id) for (chunk_id,) in rows)
