"""Vectors in the store: what has none yet, what is kept, and what a search reads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heedful.core.errors import UserCanFixError
from heedful.core.ids import SourceId, content_id
from heedful.memory.embeddings.units import SHORT, Unit, parts, window
from heedful.storage import Connection, Row, Value

if TYPE_CHECKING:  # it brings numpy, which reading vectors does without
    from heedful.memory.vector_codes import Packed

AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Pending:
    """A passage without vectors, by its place, with the units that should have one.

    `before_seq` is the last passage of the message before, where that is in the unit too.
    """

    chunk_seq: int
    source_id: SourceId
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
    """The passages after a place, oldest first, without those of sources kept back; and the place of the last one read.

    The place is None when there is nothing after.
    """
    away = frozenset(kept_back)
    rows = connection.rows(
        "SELECT c.seq, m.source_id, substr(m.text, c.start + 1, c.finish - c.start), m.lang, length(m.text), "
        "coalesce(nullif(a.name, ''), a.address, ''), m.seq, m.thread_id, m.sent_at "
        "FROM chunks c JOIN messages m ON m.seq = c.message_seq LEFT JOIN participants a ON a.id = m.author_id "
        "WHERE c.seq > ? ORDER BY c.seq LIMIT ?",
        (after, limit),
    )
    found = [_pending(connection, row) for row in rows if SourceId(str(row[1])) not in away]
    return found, int(rows[-1][0] or 0) if rows else None


def _pending(connection: Connection, row: Row) -> Pending:
    seq, source, text, lang = int(row[0] or 0), SourceId(str(row[1])), str(row[2]), str(row[3])
    if int(row[4] or 0) > SHORT:
        return Pending(seq, source, None, tuple(Unit(n, part) for n, part in enumerate(parts(text, lang))))
    before = connection.row(
        "SELECT m.text, coalesce(nullif(a.name, ''), a.address, ''), "
        "(SELECT max(c.seq) FROM chunks c WHERE c.message_seq = m.seq) "
        "FROM messages m LEFT JOIN participants a ON a.id = m.author_id "
        "WHERE m.thread_id = ? AND m.sent_at <= ? AND m.seq <> ? AND (m.sent_at < ? OR m.seq < ?) "
        "ORDER BY m.sent_at DESC, m.seq DESC LIMIT 1",
        (row[7], row[8], row[6], row[8], row[6]),
    )
    earlier, author, before_seq = before if before is not None else ("", "", None)
    turn = window(str(row[5]), text, str(author), str(earlier))
    return Pending(seq, source, None if before_seq is None else int(before_seq), (Unit(0, turn),))


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


def codes_after(connection: Connection, model: int, after: int) -> list[Row]:
    """The codes of a model kept after a vector's number: (number, chunk, chunk before or None, bits)."""
    return connection.rows(
        "SELECT id, chunk_seq, before_seq, bits FROM vector_codes WHERE id > ? AND model_id = ? ORDER BY id",
        (after, model),
    )


def by_number(connection: Connection, numbers: Sequence[int]) -> list[Row]:
    """Kept vectors by their numbers: (number, chunk, chunk before, numbers); unknown ones left out."""
    return _parted(connection, "v.id IN", numbers, ())


def of_chunks(connection: Connection, model: int, chunks: Sequence[int]) -> list[Row]:
    """All kept vectors of these chunks, and the windows that hold them as what came before; rows as `by_number`."""
    own = _parted(connection, "v.model_id = ? AND v.chunk_seq IN", chunks, (model,))
    after = _parted(connection, "v.model_id = ? AND v.before_seq IN", chunks, (model,))
    return list({int(row[0] or 0): row for row in [*own, *after]}.values())


def _parted(connection: Connection, where: str, values: Sequence[int], first: Sequence[Value]) -> list[Row]:
    found: list[Row] = []
    for begin in range(0, len(values), AT_ONCE):
        part = values[begin : begin + AT_ONCE]
        found += connection.rows(
            "SELECT v.id, v.chunk_seq, v.before_seq, v.numbers FROM vectors v "
            f"WHERE {where} ({', '.join('?' * len(part))})",
            [*first, *part],
        )
    return found
