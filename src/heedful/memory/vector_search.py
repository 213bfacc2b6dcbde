"""The meaning's half of recall: the passages nearest to a question, and how near any passage is."""

from collections.abc import Iterable

from heedful.memory import vector_store
from heedful.memory.vector_meaning import Sense
from heedful.memory.vector_nearness import Nearness
from heedful.storage import Connection, Row

SHORTLIST = 100
"""Vectors taken from the codes for each look-up; enough that the ten nearest are among them."""


def nearest(connection: Connection, sense: Sense, *, count: int, shortlist: int = SHORTLIST) -> list[int]:
    """The chunks of the nearest vectors, at most `count`, the nearest first."""
    if not _is_comparable(connection, sense):
        return []
    rows = vector_store.by_number(connection, sense.index.nearest(connection, sense.vector, shortlist))
    ranked = sorted(zip(_cosines(sense, rows), rows, strict=True), key=lambda pair: -pair[0])
    found = dict[int, None]()
    for _, row in ranked:
        found[int(row[1] or 0)] = None
        if row[2] is not None:
            found[int(row[2])] = None
    return list(found)[:count]


def nearness(connection: Connection, sense: Sense, chunks: Iterable[int]) -> dict[int, Nearness]:
    """How near each of these chunks is; those without vectors of the sense's model are left out."""
    model = vector_store.model_id(connection, sense.model)
    wanted = frozenset(chunks)
    if model is None or not _is_comparable(connection, sense):
        return {}
    rows = vector_store.of_chunks(connection, model, sorted(wanted))
    own: dict[int, list[float]] = {}
    after: dict[int, float] = {}
    for row, cosine in zip(rows, _cosines(sense, rows), strict=True):
        own.setdefault(int(row[1] or 0), []).append(cosine)
        if row[2] is not None:
            after[int(row[2])] = max(cosine, after.get(int(row[2]), cosine))
    return {
        seq: Nearness(max(values), sum(values) / len(values), max(*values, after.get(seq, values[0])))
        for seq, values in own.items()
    }


def _is_comparable(connection: Connection, sense: Sense) -> bool:
    """Whether the question has as many numbers as what is kept; a server may change a model behind its name."""
    return vector_store.dimensions_of(connection, sense.model) == len(sense.vector)


def _cosines(sense: Sense, rows: list[Row]) -> list[float]:
    from heedful.memory.vector_codes import cosines  # brings numpy, which only a question by meaning needs

    kept = [row[3] for row in rows if isinstance(row[3], bytes)]
    return [float(value) for value in cosines(sense.vector, kept)]
