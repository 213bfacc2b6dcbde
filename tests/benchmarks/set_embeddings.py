"""The embedded model for the question sets, with what it was asked before kept in a file."""

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from heedful.core.ids import SourceId
from heedful.core.settings import EmbeddingSettings
from heedful.memory import Meaning
from heedful.memory.embeddings.embedded import EmbeddedModel
from heedful.memory.embeddings.vector_numpy import Floats, np


class KeptEmbeddings:
    """The embedded model, with what it was asked before read from a file."""

    def __init__(self, file: Path | None) -> None:
        self._model = EmbeddedModel()
        self._rows = sqlite3.connect(str(file) if file is not None else ":memory:")
        self._rows.execute("CREATE TABLE IF NOT EXISTS made (text TEXT PRIMARY KEY, vector BLOB)")

    @property
    def id(self) -> str:
        return self._model.id

    async def kept_back(self) -> frozenset[SourceId]:
        return frozenset()

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        del source_ids
        known = {text: self._of(text) for text in texts}
        missing = [text for text, vector in known.items() if vector is None]
        for text, vector in zip(missing, self._model.embed_now(missing), strict=True):
            known[text] = vector
            if vector is not None:
                self._rows.execute("INSERT OR IGNORE INTO made VALUES (?, ?)", (text, vector.tobytes()))
        self._rows.commit()
        return [known[text] for text in texts]

    def _of(self, text: str) -> Floats | None:
        row = self._rows.execute("SELECT vector FROM made WHERE text = ?", (text,)).fetchone()
        return np.frombuffer(row[0], np.float32) if row else None


class FixedMeaning(Meaning):
    """Matching by meaning with an embedder of our own."""

    def __init__(self, embedder: KeptEmbeddings) -> None:
        super().__init__(EmbeddingSettings)
        self._fixed = embedder

    def embedder(self) -> KeptEmbeddings:
        return self._fixed
