"""What holds between people and things, in sentences that were written without a look at the phrases."""

import pytest

from tests.memory.entities.test_graph import said
from tests.memory.labelled_relations import LANGUAGES, figures, read_all


def test_relations_are_read_in_each_language_and_few_that_nobody_said() -> None:
    told = read_all()
    for lang in LANGUAGES:
        precision, recall = figures(one for one in told if one.lang == lang)
        assert precision >= 0.88, lang
        assert recall >= 0.78, lang


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Ben Hale is a patient at Corvid Health Ltd."),
        ("de", "Lena Busch ist Kundin bei der Rabenhaus GmbH."),
        ("pt", "Joana Pires é paciente na Corvo Saúde Lda."),
        ("es", "Clara Soto es clienta en Clínica Cuervo S.A."),
    ],
)
def test_a_trade_is_any_word_but_those_of_people_who_are_served_there(lang: str, text: str) -> None:
    assert said(text, lang) == set()


def test_what_two_do_together_they_do_with_each_other() -> None:
    assert said("Nora Lind and Tom Adler built the shed together last year.") == {
        ("Nora Lind", "works with", "Tom Adler")
    }
    assert said("Nora Lind and Tom Adler did not build the shed together.") == set()


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Tom Adler asked whether Nora Lind works at Corvid Health Ltd."),
        ("de", "Jonas Falk fragte, ob Petra Vogt bei der Rabenhaus GmbH arbeitet."),
        ("pt", "Nuno Faria perguntou se a Rita Prado trabalha na Corvo Saúde Lda."),
        ("es", "Pablo Vega preguntó si Elena Robles trabaja en Clínica Cuervo S.A."),
    ],
)
def test_what_is_only_asked_within_a_sentence_does_not_hold(lang: str, text: str) -> None:
    assert said(text, lang) == set()
