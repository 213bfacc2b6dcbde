"""Vectors for a store that is measured: real ones, and for more passages than are worth embedding derived ones.

A derived vector is the sum of two real ones: it lies where real ones lie, near the first, and near nothing else by
accident. Random numbers would be far from everything, which makes a search easy.
"""

import asyncio
from collections.abc import Iterator, Sequence

from heedful.memory.embeddings import vector_work
from heedful.memory.embeddings.embedded import EmbeddedModel
from heedful.memory.embeddings.units import Unit
from heedful.memory.embeddings.vector_codes import pack
from heedful.memory.embeddings.vector_numpy import Floats, np
from heedful.memory.embeddings.vector_store import Pending, keep, pending
from heedful.storage import Connection

SECOND_WEIGHT = 0.5
AT_ONCE = 256
DERIVED_AT_ONCE = 20_000


class Recording(EmbeddedModel):
    """The embedded model, which remembers every vector it made."""

    def __init__(self) -> None:
        """Remembers nothing yet."""
        super().__init__()
        self.made: list[Floats] = []

    def embed_now(self, texts: Sequence[str]) -> list[Floats | None]:
        """As the model's, kept."""
        found = super().embed_now(texts)
        self.made += [vector for vector in found if vector is not None]
        return found


def embed(connection: Connection, most: int) -> Floats:
    """Embeds the first passages as the program does, at most so many; their vectors in the order of their numbers."""
    model = Recording()
    asyncio.run(_embed(connection, model, most))
    return np.stack(model.made)


async def _embed(connection: Connection, model: Recording, most: int) -> None:
    place: int | None = 0
    while place is not None and place < most:
        waiting, upto = pending(connection, place, limit=AT_ONCE)
        batch = await vector_work.embed(model, waiting, upto)
        with connection.transaction():
            keep(connection, model.id, batch.dimensions, batch.made)
        place = batch.upto


def derive(connection: Connection, model: str, real: Floats) -> int:
    """Gives every passage without a vector one, as the window of a turn; returns how many."""
    dice = np.random.default_rng(5)
    made = 0
    for seqs in _waiting(connection):
        first, second = dice.integers(len(real), size=(2, len(seqs)))
        vectors = _of_length_one(real[first] + np.float32(SECOND_WEIGHT) * real[second])
        packed = [
            (Pending(seq, frozenset(), seq - 1 or None, ()), Unit(0, f"derived {seq}"), vector)
            for seq, row in zip(seqs, vectors, strict=True)
            if (vector := pack(row)) is not None
        ]
        with connection.transaction():
            made += keep(connection, model, real.shape[1], packed)
    return made


def _waiting(connection: Connection) -> Iterator[list[int]]:
    place = 0
    while rows := connection.rows(
        "SELECT seq, seq IN (SELECT chunk_seq FROM vectors) FROM chunks WHERE seq > ? ORDER BY seq LIMIT ?",
        (place, DERIVED_AT_ONCE),
    ):
        place = int(rows[-1][0] or 0)
        yield [int(seq or 0) for seq, has in rows if not has]


def _of_length_one(vectors: Floats) -> Floats:
    found: Floats = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return found
