"""Ids: random where new, the same where the thing is the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.ids import content_id, normalise_title, random_id

texts = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)


def test_a_random_id_comes_once() -> None:
    ids = {random_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(len(one) == 24 and set(one) <= set("0123456789abcdef") for one in ids)


@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4))
def test_the_same_parts_and_only_they_give_the_same_id(first: list[str], second: list[str]) -> None:
    assert (content_id(*first) == content_id(*second)) == (first == second)


def test_parts_are_never_run_together() -> None:
    assert content_id("ab", "c") != content_id("a", "bc")
    assert content_id("abc") != content_id("abc", "")


def test_an_id_is_the_same_on_every_machine_and_for_ever() -> None:
    assert content_id("message", "mail:1@x.example") == "02fda61afe06e6d15712965f"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pay the invoice!", "pay the invoice"),
        ("Re-send  report", "re send report"),
        ("Ｐａｙ", "pay"),
        ("reply: Ana", "Reply – Ana"),
    ],
)
def test_titles_that_read_alike_are_the_same_title(one: str, other: str) -> None:
    assert normalise_title(one) == normalise_title(other)


def test_titles_that_differ_in_substance_stay_apart() -> None:
    assert normalise_title("Pay 10 €") != normalise_title("Pay 10 $")
    assert normalise_title("Call Ana") != normalise_title("Call Anna")


@given(st.text(st.characters(codec=None), max_size=200))
def test_a_normalised_title_stays_as_it_is(text: str) -> None:
    assert normalise_title(normalise_title(text)) == normalise_title(text)
