"""Sentences of four languages that say what holds, and some that only sound like it."""

import pytest

from heedful.memory.entities.graph_predicates import Predicate
from tests.memory.entities.test_graph import said
from tests.memory.statements_said import SAYING, SOUNDING


@pytest.mark.parametrize(("lang", "text", "statement"), SAYING)
def test_a_sentence_says_just_what_holds(
    lang: str, text: str, statement: tuple[str | None, str, str]
) -> None:
    assert said(text, lang) == {statement}


@pytest.mark.parametrize(("lang", "text"), SOUNDING)
def test_what_was_or_may_be_or_is_wished_for_does_not_hold(lang: str, text: str) -> None:
    assert said(text, lang) == set()


def test_every_predicate_that_people_say_is_said_here_in_each_language() -> None:
    spoken = {(lang, predicate) for lang, _, (_, predicate, _) in SAYING}
    told = {one.value for one in Predicate} - {"answers for", "investigates", "uses", "is in"}
    assert {(lang, one) for lang in ("en", "de", "pt", "es") for one in told} <= spoken
