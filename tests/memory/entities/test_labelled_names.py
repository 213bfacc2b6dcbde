"""Names in mails and chats of four languages, against marks made by hand; a false one weighs more than a missed."""

import asyncio
from collections.abc import Mapping

import pytest

from heedful.memory.entities.kinds import EntityKind
from tests.memory.labelled_names import PARTS, Judged, Part, judged, labelled, scores


@pytest.fixture(scope="module")
def found() -> list[Judged]:
    return asyncio.run(judged())


LEAST: Mapping[Part, tuple[float, float]] = {
    "open": (0.98, 0.98),
    "held out": (0.98, 0.95),
    "fresh": (0.95, 0.93),
}


@pytest.mark.parametrize("part", PARTS)
def test_what_is_called_a_name_is_one_and_few_are_missed(found: list[Judged], part: Part) -> None:
    whole = scores(found, part)["all"]
    assert (whole.precision, whole.recall) >= LEAST[part]
    assert whole.recall >= LEAST[part][1]


def test_no_kind_is_guessed_at(found: list[Judged]) -> None:
    every = [score for part in PARTS for kind, score in scores(found, part).items() if score.found]
    assert min(score.precision for score in every) >= 0.85


def test_every_kind_that_is_read_from_a_text_is_marked_in_some_message() -> None:
    marked = {name.kind for one in labelled() for name in one.names}
    assert marked == {kind.value for kind in EntityKind} - {"topic"}
