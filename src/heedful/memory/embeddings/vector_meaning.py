"""Matching by meaning, as the settings want it: the model, its codes in memory, a question turned into a vector."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from heedful.core.errors import HeedfulError
from heedful.core.settings import EmbeddingSettings
from heedful.memory.embeddings.choosing import embedder_for
from heedful.memory.embeddings.port import Embedder
from heedful.memory.embeddings.vector_nearness import Compared
from heedful.memory.search.question import understand

if TYPE_CHECKING:  # numpy is loaded by whoever asks for a sense, not by whoever may
    from heedful.memory.embeddings.openai_compatible import Remote
    from heedful.memory.embeddings.vector_index import VectorIndex
    from heedful.memory.embeddings.vector_numpy import Floats

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sense:
    """A question's vector, of length one, and where to look for its like.

    `compared` are the kept vectors, by number, that it was set beside so far; one sense is for one look-up.
    """

    model: str
    vector: "Floats"
    index: "VectorIndex"
    compared: dict[int, Compared] = field(default_factory=dict)


class Meaning:
    """Keeps one embedder and one index, and changes both when the settings do."""

    def __init__(
        self,
        settings: Callable[[], EmbeddingSettings],
        remote: "Callable[[EmbeddingSettings], Remote] | None" = None,
    ) -> None:
        """Loads nothing yet; `remote` makes the embedder that asks a server."""
        self._settings = settings
        self._remote = remote
        self._chosen: EmbeddingSettings | None = None
        self._embedder: Embedder | None = None
        self._index: VectorIndex | None = None

    def embedder(self) -> Embedder | None:
        """The embedder that the settings name now; None where there is none."""
        wanted = self._settings()
        if wanted != self._chosen:
            self._chosen, self._index = wanted, None
            self._embedder = embedder_for(wanted, self._remote)
        return self._embedder

    async def sense(self, text: str) -> Sense | None:
        """What a text means; None where no model is in reach, and then recall is degraded.

        The text and its telling words alone are embedded, and their mean is taken: a question's form («what did …
        say about») then weighs half.
        """
        try:
            embedder = self.embedder()
            if embedder is None:
                return None
            whole, telling = await embedder.embed([text, understand(text).content])
        except HeedfulError as exc:
            log.info("no model to match by meaning: %s", type(exc).__name__)
            return None
        if whole is None:
            return None
        from heedful.memory.embeddings.vector_index import VectorIndex
        from heedful.memory.embeddings.vector_numpy import np

        both = whole if telling is None else whole + telling
        length = float(np.linalg.norm(both))
        if not length:
            return None
        if self._index is None:
            self._index = VectorIndex(embedder.id)
        return Sense(embedder.id, both / np.float32(length), self._index)
