from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.inference import ceiling_tokens, estimate_tokens
from heedful.inference.exchange import ChatMessage
from heedful.inference.tokens import ceiling_of, estimate_of


def test_nothing_is_no_tokens() -> None:
    assert estimate_tokens("") == 0
    assert ceiling_tokens("") == 0


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_the_ceiling_is_never_below_the_estimate_of_bytes(text: str) -> None:
    assert ceiling_tokens(text) <= len(text.encode("utf-8", "replace"))
    assert ceiling_tokens(text) >= min(estimate_tokens(text), len(text.encode("utf-8", "replace")))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=100), st.text(max_size=100))
def test_more_text_is_never_fewer_tokens(one: str, two: str) -> None:
    assert estimate_tokens(one + "\n" + two) >= max(estimate_tokens(one), estimate_tokens(two)) - 2


def test_a_schema_counts_towards_the_ceiling_of_a_request() -> None:
    messages = (ChatMessage("user", "Pay the rent."),)
    assert ceiling_of(messages) > estimate_of(messages)
    assert ceiling_of(messages, {"type": "object"}) > ceiling_of(messages)
