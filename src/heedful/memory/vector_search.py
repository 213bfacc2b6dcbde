"""The meaning's half of recall: the passages nearest to a question, and how near any passage is."""

from collections.abc import Iterable
from dataclasses import dataclass

from heedful.memory import vector_store
from heedful.memory.vector_codes import cosines
from heedful.memory.vector_meaning import Sense
from heedful.storage import Connection, Row

SHORTLIST = 150
"""Vectors taken from the codes for each look-up; enough that the ten nearest are among them."""


@dataclass(slots=True)
class Nearness:
    """Cosines of one passage: of its nearest part, all parts' mean, its window, and the window of what came after."""

    part: float = 0.0
    mean: float = 0.0
    window: float = 0.0
    after: float = 0.0


def nearest(connection: Connection, sense: Sense, *, count: int, shortlist: int = SHORTLIST) -> list[int]:
    """The chunks of the nearest vectors, at most `count`, the nearest first."""
    rows = vector_store.by_number(connection, sense.index.nearest(connection, sense.vector, shortlist))
    ranked = sorted(zip(_cosines(sense, rows), rows, strict=True), key=lambda pair: -pair[0])
    found = dict[int, None]()
    for _, row in ranked:
        found[int(row[1] or 0)] = None
        if row[3] is not None:
            found[int(row[3])] = None
    return list(found)[:count]


def nearness(connection: Connection, sense: Sense, chunks: Iterable[int]) -> dict[int, Nearness]:
    """How near each of these chunks is; those without vectors of the sense's model are left out."""
    model = vector_store.model_id(connection, sense.model)
    wanted = frozenset(chunks)
    if model is None:
        return {}
    rows = vector_store.of_chunks(connection, model, sorted(wanted))
    found: dict[int, Nearness] = {}
    parts: dict[int, list[float]] = {}
    for row, cosine in zip(rows, _cosines(sense, rows), strict=True):
        seq, before = int(row[1] or 0), row[3]
        if int(row[2] or 0) < 0:
            if seq in wanted:
                found.setdefault(seq, Nearness()).window = cosine
            if before is not None and int(before) in wanted:
                near = found.setdefault(int(before), Nearness())
                near.after = max(near.after, cosine)
        else:
            parts.setdefault(seq, []).append(cosine)
    for seq, values in parts.items():
        near = found.setdefault(seq, Nearness())
        near.part, near.mean = max(values), sum(values) / len(values)
        near.window = near.window or near.part
    return found


def _cosines(sense: Sense, rows: list[Row]) -> list[float]:
    kept = [row[5] for row in rows if isinstance(row[5], bytes)]
    return [float(value) for value in cosines(sense.vector, kept)]
