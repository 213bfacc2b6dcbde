"""Ids: random where new, the same where the thing is the same."""

from hypothesis import given
from hypothesis import strategies as st

from heedful.core.ids import content_id, random_id

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
