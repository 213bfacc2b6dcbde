"""Why a passage was found, in words."""

from dataclasses import replace
from datetime import date

import pytest

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
from heedful.memory import Hit
from heedful.memory.recall.ranking_features import FEATURES
from heedful.memory.search.hits import OfDays
from heedful.presenters.memory_why import days_in_words, why_found, why_in_short
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


def test_what_belongs_to_days_that_were_asked_for_says_how() -> None:
    day = OfDays("from", date(2024, 3, 5), date(2024, 3, 5))
    from_day = replace(HIT, fts_rank=None, of_days=day)
    assert why_in_short(from_day, "exact") == "from 5 March 2024"
    assert why_found(from_day, "exact").words == "It is from 5 March 2024."
    both = replace(HIT, of_days=replace(day, how="names"))
    assert why_found(both, "exact").words.endswith("inflected. It names 5 March 2024.")
    month = OfDays("from", date(2024, 2, 1), date(2024, 2, 29))
    assert days_in_words(month) == "from February 2024"
    assert days_in_words(replace(month, last=date(2024, 3, 3))) == "from 1 February 2024 to 3 March 2024"


def test_without_a_model_it_is_said_that_words_alone_found_it() -> None:
    found = why_found(replace(HIT, cosine=None, degraded=True), "meaning")
    assert found.words.startswith("Found by its words.")


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_of_the_ranking_has_its_words(feature: str) -> None:
    speaks_for, speaks_against = (
        why_found(replace(HIT, boosts={feature: worth}), "meaning") for worth in (1.0, -1.0)
    )
    assert speaks_for.bars or "against" in speaks_against.words
