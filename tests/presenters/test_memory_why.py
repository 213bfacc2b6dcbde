"""Why a passage was found, in words."""

from dataclasses import replace

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory import Hit
from heedful.memory.ranking_features import FEATURES
from heedful.presenters.memory_why import known_reasons, why_found, why_in_short
from tests.fakes import samples

HIT = Hit(
    ChunkId("c"), 1.0, SourceId("s"), ThreadId("t"), MessageId("m"), "x", "Ana", samples.NOW, "", "Text", 3,
    cosine=0.4, boosts={"match": 0.2, "part": 0.8, "author": 0.1, "other_author": -0.3},
)  # fmt: skip


def test_the_strongest_reason_comes_first_and_fills_its_bar() -> None:
    found = why_found(HIT, "meaning")
    assert [(bar.name, bar.value) for bar in found.bars] == [
        ("near in meaning", 1.0),
        ("rare words in common", 0.25),
        ("by whom you named", 0.125),
    ]
    assert found.words == (
        "Found by its words and its meaning. What speaks against it: not by whom you named."
    )


def test_a_row_says_the_two_strongest_reasons() -> None:
    assert why_in_short(HIT, "meaning") == "near in meaning, rare words in common"
    assert why_in_short(HIT, "exact") == ""


def test_without_a_model_it_is_said_that_words_alone_found_it() -> None:
    found = why_found(replace(HIT, cosine=None, degraded=True), "meaning")
    assert found.words.startswith("Found by its words.")


def test_every_feature_of_the_ranking_has_its_words() -> None:
    assert set(FEATURES) <= known_reasons()
