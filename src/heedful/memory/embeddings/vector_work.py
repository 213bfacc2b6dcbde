"""Gives passages their vectors, a bounded number at a time; a passage that has them costs one look."""

from dataclasses import dataclass

from heedful.core.ids import SourceId
from heedful.memory.embeddings.port import Embedder
from heedful.memory.embeddings.units import Unit
from heedful.memory.embeddings.vector_codes import Packed, pack
from heedful.memory.embeddings.vector_store import Pending


@dataclass(frozen=True, slots=True)
class Batch:
    """What one round made: vectors to keep, and the place up to which all passages are done; None at the end."""

    made: tuple[tuple[Pending, Unit, Packed], ...]
    upto: int | None
    dimensions: int


async def embed(embedder: Embedder, waiting: list[Pending], upto: int | None) -> Batch:
    """Embeds every unit of the passages; a unit that has no embedding is left out.

    Raises:
        HeedfulError: The model is not in reach.
    """
    units = [(owner, unit) for owner in waiting for unit in owner.units]
    sources = frozenset[SourceId]().union(*(owner.sources for owner in waiting))
    vectors = await embedder.embed([unit.text for _, unit in units], source_ids=sources) if units else []
    made = []
    for (owner, unit), vector in zip(units, vectors, strict=True):
        if vector is not None and (packed := pack(vector)) is not None:
            made.append((owner, unit, packed))
    return Batch(tuple(made), upto, len(made[0][2].numbers) if made else 0)
