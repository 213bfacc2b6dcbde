"""Promises and requests in four languages, one sentence each, written before the rules that find them."""

import pytest

from tests.judgement.labelled_sentences import KINDS, LANGUAGES, figures, judge


@pytest.mark.parametrize("kind", KINDS)
def test_promises_and_requests_are_found_in_each_language_and_little_else(kind: str) -> None:
    said = judge(kind)
    for lang in LANGUAGES:
        found = figures(one for one in said if one.lang == lang)
        assert found.precision >= 0.95, (kind, lang, found)
        assert found.recall >= (0.65 if kind == "promises" and lang == "en" else 0.85), (kind, lang, found)


def test_a_request_is_told_as_what_is_to_be_done() -> None:
    said = judge("requests")
    for lang in LANGUAGES:
        assert figures(one for one in said if one.lang == lang).titles >= 0.8, lang


def test_four_languages_tell_the_same_day_doer_and_urgency_of_the_same_request() -> None:
    """The lines of `requests.txt` say the same in each language, one after another."""
    said = [one for one in judge("requests") if one.part != "fresh"]
    by_language = [[one.told for one in said if one.lang == lang] for lang in LANGUAGES]
    for number, told in enumerate(zip(*by_language, strict=True)):
        assert len(set(told)) == 1, (number, told)
    assert sum("2026" in "".join(one) for one in by_language[0]) >= 10


@pytest.mark.parametrize(
    "text",
    [
        "Ich bereite mich seit Montag auf die Prüfung vor.",  # since when, not until when
        "Hoje à noite não vou te enviar nada.",  # denied
        "Faço anos amanhã.",  # a saying
        "Ich schicke dir liebe Grüße aus Hamburg.",  # a greeting
        "Adjunto te envío el correo de hoy.",  # handed over already
        "Si quieres, mañana te envío el informe.",  # on a condition
        "O pagamento da renda é no dia 1.",  # a thing named like the deed
    ],
)
def test_what_only_sounds_like_a_promise_gives_nothing(text: str) -> None:
    (said,) = [one for one in judge("promises") if one.text == text]
    assert not said.title
