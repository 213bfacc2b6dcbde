"""Embedders that need no weights: words fall into boxes, and words of one meaning into the same box."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from heedful.core.errors import PassingError
from heedful.core.ids import SourceId
from heedful.core.settings import EmbeddingSettings
from heedful.memory import Meaning
from heedful.memory.embeddings import Embedder
from heedful.memory.embeddings.vector_numpy import Floats, np

SAME = {"automobile": "car", "auto": "car", "carro": "car", "physician": "doctor", "arzt": "doctor"}


@dataclass(slots=True)
class BoxEmbedder:
    """Counts words by box; `asked` are the texts it was given, `seen` the sources. Out of reach it raises."""

    id: str = "boxes"
    dimensions: int = 192
    in_reach: bool = True
    away: frozenset[SourceId] = frozenset()
    asked: list[str] = field(default_factory=list)
    seen: set[SourceId] = field(default_factory=set)

    async def kept_back(self) -> frozenset[SourceId]:
        return self.away

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        if not self.in_reach:
            raise PassingError("The embedding server does not answer")
        self.asked += texts
        self.seen.update(source_ids)
        return [self.vector_of(text) for text in texts]

    def vector_of(self, text: str) -> Floats | None:
        """A text by its words; None where it has none."""
        words = [word.strip(".,:?!").casefold() for word in text.split()]
        vector = np.zeros(self.dimensions, np.float32)
        for word in words:
            if word:
                box = zlib.crc32(SAME.get(word, word).encode(errors="replace"))
                vector[[box % self.dimensions, box // 7 % self.dimensions, box // 53 % self.dimensions]] += 1
        length = float(np.linalg.norm(vector))
        return vector / np.float32(length) if length else None


class FakeMeaning(Meaning):
    """Matching by meaning with whatever embedder a test gives; it may be exchanged."""

    def __init__(self, embedder: Embedder | None) -> None:
        super().__init__(EmbeddingSettings)
        self.fake = embedder

    def embedder(self) -> Embedder | None:
        return self.fake
