"""Passages cover their text, in order, bounded, and keep their ids."""

from hypothesis import given
from hypothesis import strategies as st

from heedful.core.ids import MessageId
from heedful.memory.chunking import WHOLE_LENGTH, chunk

M = MessageId("m")
PROSE = "The quick brown fox asks whether the lazy dog could please move over by Friday. "

texts = st.one_of(
    st.text(max_size=200),
    st.builds(
        lambda piece, times: (piece * times)[:6000], st.text(min_size=1, max_size=60), st.integers(1, 400)
    ),
    st.builds(
        lambda words: " ".join(words),
        st.lists(st.text(alphabet="abc.?! \n", min_size=1, max_size=30), min_size=1, max_size=400),
    ),
)


@given(texts)
def test_passages_cover_the_text_in_order_without_a_gap(text: str) -> None:
    passages = chunk(M, text, "en")
    assert passages[0].start == 0
    assert passages[-1].end == len(text)
    assert [p.start for p in passages[1:]] == [p.end for p in passages[:-1]]
    assert "".join(text[p.start : p.end] for p in passages) == text


@given(texts)
def test_passages_are_bounded_and_their_ids_differ(text: str) -> None:
    passages = chunk(M, text, "en")
    assert all(p.end - p.start <= WHOLE_LENGTH for p in passages)
    assert len({p.id for p in passages}) == len(passages)


def test_a_short_text_is_one_passage() -> None:
    assert len(chunk(M, PROSE, "en")) == 1
    assert len(chunk(M, "", "en")) == 1


def test_passages_begin_where_sentences_do() -> None:
    text = PROSE * 100
    assert all(text[p.start :].startswith("The quick") for p in chunk(M, text, "en"))


def test_no_word_is_cut_unless_it_is_longer_than_a_passage() -> None:
    text = "word " * 2000
    assert all(text[p.start : p.end].strip().endswith("word") for p in chunk(M, text, "en"))
    assert len(chunk(M, "x" * 5000, "en")) >= 4


def test_ids_are_stable_and_an_edit_keeps_those_of_the_passages_before_it() -> None:
    before = chunk(M, PROSE * 60, "en")
    after = chunk(M, PROSE * 60 + "One more line.", "en")
    assert before == chunk(M, PROSE * 60, "en")
    assert [p.id for p in before[:-1]] == [p.id for p in after[: len(before) - 1]]
    assert before[-1].id != after[-1].id
    assert chunk(MessageId("other"), PROSE, "en")[0].id != chunk(M, PROSE, "en")[0].id
