"""Passages cover their text, in order, bounded, and keep their ids."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.ids import MessageId
from heedful.memory.intake.chunking import WHOLE_LENGTH, chunk
from heedful.reading import Zone, ZoneKind, zones

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


def test_a_passage_keeps_its_id_when_others_come_before_it() -> None:
    def ids(text: str) -> list[str]:
        return [p.id for p in chunk(M, text, "en", is_note=True)]

    garden, harbour = f"# Garden\n\n{PROSE * 16}\n\n", f"# Harbour\n\n{PROSE * 16}\n\n"
    assert set(ids(garden + harbour)) < set(ids(f"# Attic\n\n{PROSE * 16}\n\n" + garden + harbour))


def test_a_passage_of_other_words_has_another_id_though_it_stands_in_the_same_place() -> None:
    lines = [f"{number:02} {PROSE}" for number in range(60)]
    before = chunk(M, "".join(lines), "en")
    after = chunk(M, "".join([lines[0].replace("Friday", "Sunday"), *lines[1:]]), "en")
    assert [(p.start, p.end) for p in before] == [(p.start, p.end) for p in after]
    assert before[0].id != after[0].id
    assert [p.id for p in before[1:]] == [p.id for p in after[1:]]


def told(text: str, **kind: bool) -> list[str]:
    passages = chunk(M, text, "en", zones=zones(text), **kind)
    return [text[p.start : p.end] for p in passages]


def test_a_letter_is_cut_before_the_one_it_answers() -> None:
    own = "Yes, Thursday suits me.\n\nBest,\nRui\n\n"
    old = "On Mon, 30 Nov 2026 at 09:00, Ana Lopes <ana@ciclone.example> wrote:\n> Does Thursday suit you?\n"
    assert told(own + old) == [own, old]


@pytest.mark.parametrize("ending", [ZoneKind.SIGNATURE, ZoneKind.DISCLAIMER])
def test_what_ends_a_letter_goes_with_the_old_one_that_stands_above_it(ending: ZoneKind) -> None:
    own, old, below = "Yes, Thursday suits me.\n\n", "> Does Thursday suit you?\n\n", "-- \nRui Prado\n"
    text, cuts = own + old + below, (0, len(own), len(own + old), len(own + old + below))
    kinds = (ZoneKind.NEW, ZoneKind.QUOTED, ending)
    parts = [Zone(kind, start, end) for kind, (start, end) in zip(kinds, pairwise(cuts), strict=True)]
    assert [text[p.start : p.end] for p in chunk(M, text, "en", zones=parts)] == [own, old + below]


def test_a_long_old_letter_is_cut_where_its_own_sentences_begin() -> None:
    own, old = "Yes, Thursday suits me.\n\n", PROSE.replace("quick", "very quick") * 36
    parts = [Zone(ZoneKind.NEW, 0, len(own)), Zone(ZoneKind.QUOTED, len(own), len(own + old))]
    first, *others = chunk(M, own + old, "en", zones=parts)
    assert (own + old)[first.start : first.end] == own
    assert len(others) > 1
    assert all((own + old)[p.start :].startswith("The very quick") for p in others)


def test_an_answer_between_the_lines_stays_with_what_it_answers() -> None:
    text = "> Does Thursday suit you?\nYes.\n\n> And the budget?\nTwo thousand.\n"
    assert told(text) == [text]


def test_a_letter_of_nothing_but_an_old_one_is_one_passage() -> None:
    text = "> Does Thursday suit you?\n> And the budget?\n"
    assert told(text) == [text]


def test_a_long_note_is_cut_at_its_headings_and_the_short_sections_stay_together() -> None:
    long = PROSE * 19
    first, second = f"# Garden\n\n{long}\n\n", f"## Harbour\n\nShort.\n\n## Attic\n\n{PROSE}\n"
    assert told(first + second, is_note=True) == [first, second]


def test_a_long_section_of_a_note_is_cut_between_its_paragraphs() -> None:
    paragraphs = [PROSE * 10 + "\n\n" for _ in range(4)]
    assert told("".join(paragraphs), is_note=True) == paragraphs


def test_a_sign_of_a_heading_inside_code_is_no_heading() -> None:
    code = "```\n" + "# a comment\nrun it now\n" * 45 + "```\n\n"
    passages = told(f"{PROSE * 8}\n\n{code}", is_note=True)
    assert passages == [f"{PROSE * 8}\n\n", code]


@given(texts, st.booleans())
def test_however_it_is_cut_passages_cover_the_text_and_are_bounded(text: str, is_note: bool) -> None:
    passages = chunk(M, text, "en", zones=zones(text), is_note=is_note)
    assert "".join(text[p.start : p.end] for p in passages) == text
    assert all(p.end - p.start <= WHOLE_LENGTH for p in passages)
    assert len({p.id for p in passages}) == len(passages)
