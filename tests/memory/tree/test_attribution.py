"""Whose words a summary tells: what stands below in another's mouth is seen, what is right is let pass."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from heedful.memory.tree.attribution import misattributed
from heedful.memory.tree.extractive import Passage
from heedful.memory.tree.speakers import Speakers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "attributions"
LANGUAGES = ("en", "de", "pt", "es")

LEASE = (
    ("Ana Lopes · Lease", "Dear Rui, could you send me the contract for the studio before Thursday?"),
    ("Rui Prado · Lease", "Yes, I will send the contract on Wednesday. The rent is 740 euros, Ana."),
    ("Ana Lopes · Lease", "Mia pays the deposit of 500 euros, and please bring the blue ladder."),
    ("Mia Stone · Lease", "I take the train at 9:40 and bring my sister's piano."),
)


def passages(*turns: tuple[str, str], lang: str = "en") -> list[Passage]:
    return [Passage(label, text, lang) for label, text in turns]


def labelled(part: int) -> Iterator[tuple[list[Passage], str, str, bool]]:
    """Sentences of the fixtures with their talk and whether they are right; part 0 is open, part 1 held out."""
    for lang in LANGUAGES:
        talks = tomllib.loads((FIXTURES / f"{lang}.toml").read_text(encoding="utf-8"))["talk"]
        for talk in talks[part::2]:
            below = passages(*map(tuple, talk["turns"]), lang=lang)
            for is_right in (True, False):
                for sentence in talk["right" if is_right else "wrong"]:
                    yield below, sentence, lang, is_right


@pytest.mark.parametrize(("part", "seen"), [(0, 32), (1, 38)])
def test_most_that_is_in_the_wrong_mouth_is_seen_and_nothing_that_is_in_the_right_one(
    part: int, seen: int
) -> None:
    refused = [
        (sentence, is_right)
        for below, sentence, lang, is_right in labelled(part)
        if misattributed(sentence, below, lang=lang)
    ]
    assert [sentence for sentence, is_right in refused if is_right] == []
    assert len(refused) >= seen
    assert sum(not is_right for *_, is_right in labelled(part)) == 40


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("Rui Prado will send the contract on Wednesday.", True),
        ("Ana Lopes will send the contract on Wednesday.", False),
        ("Ana asks Rui to send the contract for the studio before Thursday.", True),
        ("Mia Stone pays the deposit of 500 euros.", True),
        ("Rui Prado pays the deposit of 500 euros.", False),
        ("Mia takes the train at 9:40, and Rui will send the contract on Wednesday.", True),
        ("Ana takes the train at 9:40, and Rui will send the contract on Wednesday.", False),
        ("Rui Prado and Ana Lopes send the contract on Wednesday.", True),
        ("Ana's contract is sent on Wednesday.", True),
        ("Ana mentions a piano teacher.", True),
        ("Mia sends the ladder, the rent, the deposit and the contract on Wednesday.", True),
        ("The contract is sent on Wednesday.", True),
        ("Pedro Alves will send the contract on Wednesday.", True),
        ("She will send the contract on Wednesday.", True),
    ],
)
def test_what_is_said_of_somebody_is_held_against_what_they_and_the_others_said(
    sentence: str, *, is_right: bool
) -> None:
    assert misattributed(sentence, passages(*LEASE), lang="en") == (() if is_right else (sentence,))


def test_a_request_is_no_statement_and_who_answers_it_says_what_was_asked() -> None:
    below = passages(
        ("Dora", "Ned, could you print the new leaflets in blue?"),
        ("Ned", "Will do, on Friday."),
        ("Eva", "Thanks."),
    )
    assert misattributed("Ned prints the new leaflets in blue.", below, lang="en") == ()
    assert misattributed("Dora prints the new leaflets in blue on Friday.", below, lang="en") != ()


def test_who_agrees_may_be_told_what_was_proposed_to_them_before() -> None:
    below = passages(
        ("Ida", "Without the worktop the oak fronts come to 6,099 pounds."), ("Otto", "Agreed, we take that.")
    )
    assert misattributed("Otto accepts the oak fronts for 6,099 pounds.", below, lang="en") == ()
    assert misattributed("Otto offers the oak fronts for 6,099 pounds.", below, lang="en") != ()


def test_whom_a_message_calls_upon_did_not_say_it_nor_does_what_the_others_ask_of_you_prove_anything() -> (
    None
):
    below = passages(
        ("Rui", "Ana, the ladder is in the blue shed behind the house."),
        ("Mia", "Then you give the piano lessons on Mondays, Ana."),
        ("Ana", "Fine with me."),
    )
    assert misattributed("Ana says the ladder is in the blue shed behind the house.", below, lang="en") != ()
    assert misattributed("Ana gives the piano lessons on Mondays.", below, lang="en") == ()


def test_who_is_named_in_what_another_said_may_be_told_to_do_it() -> None:
    below = passages(
        ("Rui", "The meeting about the new roof is with Ana on Friday."), ("Ana", "I know."), ("Mia", "Ah.")
    )
    assert misattributed("Ana has a meeting about the new roof on Friday.", below, lang="en") == ()
    assert misattributed("Mia has a meeting about the new roof on Friday.", below, lang="en") != ()


@pytest.mark.parametrize(
    ("lang", "said", "told"),
    [
        (
            "de",
            "Am Freitag hole ich das Paket beim Nachbarn ab.",
            "Am Freitag holt {} das Paket beim Nachbarn ab.",
        ),
        ("en", "I pay the rent of 740 euros on Friday.", "The rent of 740 euros is paid by {} on Friday."),
    ],
)
def test_who_does_something_may_stand_behind_it(lang: str, said: str, told: str) -> None:
    below = passages(("Petra Vogt", said), ("Jonas Falk", "Good."), lang=lang)
    assert misattributed(told.format("Petra"), below, lang=lang) == ()
    assert misattributed(told.format("Jonas"), below, lang=lang) != ()


def test_what_somebody_said_in_several_sentences_is_theirs_though_another_said_it_in_one() -> None:
    below = passages(
        ("Ida", "The boiler broke. It was new in May. The plumber is ordered."),
        ("Otto", "So the new boiler broke in May, and a plumber is what it needs."),
    )
    assert (
        misattributed("Ida says the boiler, new in May, broke, so a plumber is ordered.", below, lang="en")
        == ()
    )
    assert misattributed("Ida orders fish.", below, lang="en") == ()


def test_who_speaks_of_what_another_said_is_let_pass_where_they_share_some_of_it() -> None:
    below = passages(
        ("Joanna", "My audition for the winter play went well on Monday."),
        ("Nate", "An audition for a winter play, how exciting."),
        ("Eva", "The soup is cold."),
    )
    named = "Nate hears from Joanna that the audition for the winter play went on Monday."
    assert misattributed(named, below, lang="en") == ()
    assert misattributed("Eva hears that the audition for the winter play went well.", below, lang="en") != ()


def test_lines_of_a_summary_below_are_their_labels_and_a_models_prose_is_nobodys() -> None:
    said = "Rui Prado · Lease: The rent is 740 euros a month.\nAna Lopes: The cat is well and sleeps."
    lines = [Passage("", said, "en", is_lines=True)]
    claim = "Ana Lopes says the rent is 740 euros a month."
    assert misattributed(claim, lines, lang="en") == (claim,)
    prose = [Passage("", "The rent is 740 euros a month.", "en"), *lines]
    assert misattributed(claim, prose, lang="en") == ()


def test_where_only_one_speaks_nothing_is_in_the_wrong_mouth() -> None:
    below = passages(("Ana", "I pay the rent of 740 euros."), ("Ana", "The boiler is new."))
    assert (
        misattributed("Ana says the boiler is new and Rui pays the rent of 740 euros.", below, lang="en")
        == ()
    )


def test_a_first_or_last_name_is_whose_it_is_where_nobody_shares_it() -> None:
    labels = ["Ana Lopes · Lease", "Ana Prado", "Rui Prado", "Mia Stone", "Mia"]
    speakers = Speakers.of(labels)
    assert [*map(speakers.of_label, labels[:4])] == ["ana lopes", "ana prado", "rui prado", "mia stone"]
    named = [
        one.who
        for one in speakers.mentions("Mia and Stone, Ana or Prado; then Lopes, Rui Prado and Rui's aunt")
    ]
    assert named == ["mia stone", "mia stone", "ana lopes", "rui prado", "rui prado"]
    assert speakers.of_label("Mia") == "mia stone"
    assert speakers.of_label("") == ""


def test_a_mention_says_what_stands_around_it() -> None:
    speakers = Speakers.of(["Ana Lopes", "Rui Prado"])
    called, owner = speakers.mentions("Hi Ana, the key is in Rui's garage.")
    assert (called.is_called, called.owns, owner.is_called, owner.owns) == (True, False, False, True)
    (hailed,) = speakers.mentions("The key is in the garage, Ana.")
    assert (hailed.is_called, hailed.before) == (True, "")
    first, second = speakers.mentions("On Friday Mrs. Lopes and Rui pay.")
    assert (first.before, first.start, second.before, second.joins) == ("friday", 10, "and", True)
