"""The model that embeds now, with what a job must know of it before it begins."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from heedful.core.ids import SourceId
from heedful.memory.embeddings.port import Embedder

if TYPE_CHECKING:  # whoever has one has loaded it
    from heedful.memory.embeddings.vector_meaning import Meaning


@dataclass(frozen=True, slots=True)
class AtHand:
    """An embedder, the id of its model, and the sources of which it may see nothing."""

    embedder: Embedder
    model: str
    kept_back: frozenset[SourceId]


async def at_hand(meaning: "Meaning | None") -> AtHand | None:
    """What embeds now; None where nothing does."""
    embedder = meaning.embedder() if meaning is not None else None
    if embedder is None:
        return None
    model = await asyncio.to_thread(lambda: embedder.id)  # it may have to read a file
    return AtHand(embedder, model, await embedder.kept_back())
