from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.reading import sentences
from tests.linear_time import assert_linear

PIECES = st.lists(
    st.sampled_from(
        [
            "Hi Ana,",
            "\n",
            "\n\n",
            " ",
            "Dr. Stone",
            "3.50",
            "e.g. this",
            "Really?",
            "No!",
            "…",
            "...",
            "- item",
            "1. first",
            "https://x.example/a.b?c=d.",
            "🎉",
            "word",
            "END.",
            '"Quoted."',
            "(why?)",
            "\u2028",
        ]
    ),
    max_size=40,
)


def texts(text: str, lang: str = "en") -> list[str]:
    return [sentence.text for sentence in sentences(text, lang)]


@given(st.one_of(st.text(st.characters(codec=None), max_size=300), PIECES.map("".join)))
@settings(max_examples=250, deadline=None)
def test_sentences_leave_only_white_space_out_and_keep_order(text: str) -> None:
    found = sentences(text)
    assert all(text[one.start : one.end] == one.text == one.text.strip() and one.text for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))
    assert "".join("".join(one.text.split()) for one in found) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("See Dr. Stone at 5 p.m. Bring the keys.", "en", ["See Dr. Stone at 5 p.m.", "Bring the keys."]),
        ("It costs 3.50 euros, i.e. little. Fine.", "en", ["It costs 3.50 euros, i.e. little.", "Fine."]),
        ("Look at https://x.example/a.html?b=1. Ok?", "en", ["Look at https://x.example/a.html?b=1.", "Ok?"]),
        ("Mail bob@stone.example. Thanks!", "en", ["Mail bob@stone.example.", "Thanks!"]),
        ("J. R. Hill called. He waits.", "en", ["J. R. Hill called.", "He waits."]),
        ("Well... maybe. Hm… Yes.", "en", ["Well... maybe.", "Hm…", "Yes."]),
        ('She said "Stop." Then she left.', "en", ['She said "Stop."', "Then she left."]),
        ("It works (really?) and is fast.", "en", ["It works (really?) and is fast."]),
        ("thanks. i will check it", "en", ["thanks.", "i will check it"]),
        ("Great! 🎉 See you.", "en", ["Great! 🎉", "See you."]),
        (
            "Am 3. Dezember um 10 Uhr. Bitte z. B. Kuchen mitbringen.",
            "de",
            ["Am 3. Dezember um 10 Uhr.", "Bitte z. B. Kuchen mitbringen."],
        ),
        (
            "Das kostet ca. 20 Euro inkl. Versand. Passt das?",
            "de",
            ["Das kostet ca. 20 Euro inkl. Versand.", "Passt das?"],
        ),
        ("O Sr. Reis chega às 10h. Pode vir?", "pt", ["O Sr. Reis chega às 10h.", "Pode vir?"]),
        ("Llamó la Sra. Ruiz. ¿Puedes contestar?", "es", ["Llamó la Sra. Ruiz.", "¿Puedes contestar?"]),
        ("一句。另一句！", "en", ["一句。", "另一句！"]),
    ],
)
def test_marks_that_end_no_sentence_are_passed_over(text: str, lang: str, expected: list[str]) -> None:
    assert texts(text, lang) == expected


def test_a_wrapped_paragraph_is_not_cut_at_its_lines() -> None:
    text = (
        "This paragraph was wrapped by a mail program at about seventy characters,\n"
        "so that one sentence stands on two lines. Another one follows here and is\nshort.\n"
    )
    assert [" ".join(one.split()) for one in texts(text)] == [
        "This paragraph was wrapped by a mail program at about seventy characters, "
        "so that one sentence stands on two lines.",
        "Another one follows here and is short.",
    ]


def test_each_bullet_is_a_sentence_of_its_own() -> None:
    assert texts("Please bring:\n- the keys\n- the plan that we\n  drew yesterday\n2) bread") == [
        "Please bring:", "- the keys", "- the plan that we\n  drew yesterday", "2) bread",
    ]  # fmt: skip


def test_chat_lines_are_sentences_of_their_own() -> None:
    assert texts("ok\nsee you there\nCan you bring the book?\n[10:01] Ana: sure") == [
        "ok", "see you there", "Can you bring the book?", "[10:01] Ana: sure",
    ]  # fmt: skip


def test_a_greeting_line_stands_alone() -> None:
    assert texts("Hi Ana,\ncan you send it?") == ["Hi Ana,", "can you send it?"]


def test_a_long_text_without_marks_is_one_sentence() -> None:
    assert len(sentences("word " * 20_000)) == 1


@pytest.mark.parametrize("piece", [". ", "a.", "…", "\n", "- ", "1. ", "🎉", "A. ", '."', "(", "e.g. "])
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    assert_linear(sentences, piece, length=120_000)
