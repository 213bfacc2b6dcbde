from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.reading import (
    available,
    content_tokens,
    display_name,
    find_amounts,
    first_name,
    fold_space,
    guess,
    is_stop_word,
    language,
    locate,
    normalise_address,
    numbers_in,
    text_without_diacritics,
    tokens,
    without_diacritics,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


@given(ANY_TEXT)
@settings(max_examples=150, deadline=None)
def test_nothing_here_raises_on_any_text(text: str) -> None:
    tokens(text)
    content_tokens(text)
    numbers_in(text)
    display_name(text, text)
    first_name(text)
    guess(text)
    assert normalise_address(normalise_address(text)) == normalise_address(text)
    assert all(text[amount.start : amount.end] == amount.text for amount in find_amounts(text))


@given(ANY_TEXT, st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=200, deadline=None)
def test_a_piece_of_a_text_is_found_in_it(text: str, first: int, second: int) -> None:
    piece = text[min(first, second) : max(first, second)]
    span = locate(piece, text)
    if not piece.strip():
        assert span is None
    else:
        assert span is not None
        assert fold_space(span.of(text)) == fold_space(piece)


@pytest.mark.parametrize(
    ("quote", "text", "original"),
    [
        ("send the report", "Please send\n  the  report now", "send\n  the  report"),
        ("don't wait", "We don’t wait", "don’t wait"),
        ('"yes" - maybe', "He said “yes” – maybe", "“yes” – maybe"),
        ("  padded ", "is padded here", "padded"),
    ],
)
def test_a_quote_is_located_although_space_and_marks_differ(quote: str, text: str, original: str) -> None:
    span = locate(quote, text)
    assert span is not None
    assert span.of(text) == original


@pytest.mark.parametrize("quote", ["", "   ", "not there", "sendthe"])
def test_a_quote_that_is_not_there_is_not_found(quote: str) -> None:
    assert locate(quote, "Please send the report") is None


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("€ 84.20", "84.20", "EUR"),
        ("EUR 84,20", "84.20", "EUR"),
        ("$1,200.50", "1200.50", "USD"),
        ("R$ 300", "300", "BRL"),
        ("R$ 1.234,56", "1234.56", "BRL"),
        ("£5", "5", "GBP"),
        ("120 euros", "120", "EUR"),
        ("1.200,50 €", "1200.50", "EUR"),
        ("CHF 1'200.00", "1200.00", "CHF"),
        ("$3k", "3000", "USD"),
        ("40 reais", "40", "BRL"),
    ],
)
def test_a_sum_is_read_in_the_notations_of_four_languages(text: str, value: str, currency: str) -> None:
    (amount,) = find_amounts(f"Please pay {text}, thanks.")
    assert (amount.text, amount.value, amount.currency) == (text, Decimal(value), currency)


@pytest.mark.parametrize("text", ["room 84.20", "a real problem", "3 dollarfish", "version 5", "€", "US 40"])
def test_a_number_without_a_currency_is_no_sum(text: str) -> None:
    assert find_amounts(text) == ()


def test_numbers_are_compared_without_their_separators() -> None:
    assert numbers_in("1.200,50 and 1,200.50") == {"1200.5", "200", "50"}
    assert {"2026", "12", "03", "3"} <= numbers_in("on 2026-12-03")
    assert numbers_in("10:30") == {"10", "30"}
    assert numbers_in("1,000,000 people, 7 dogs") == {"1000000", "000"}


def test_an_invented_number_is_not_among_those_of_its_evidence() -> None:
    assert not numbers_in("Pay 420 euros") <= numbers_in("Pay 42 euros by the 10th")


def test_tokens_keep_diacritics_and_have_a_folded_form() -> None:
    assert tokens("A reunião do João, at 10.30 o'clock!") == (
        "a",
        "reunião",
        "do",
        "joão",
        "at",
        "10.30",
        "o'clock",
    )
    assert [without_diacritics(word) for word in ("reunião", "Straße", "mañana")] == [
        "reuniao",
        "strasse",
        "manana",
    ]


@given(st.lists(ANY_TEXT, max_size=4))
@settings(max_examples=100, deadline=None)
def test_a_text_without_diacritics_is_its_words_without_them(words: list[str]) -> None:
    assert text_without_diacritics(" ".join(words)) == " ".join(map(without_diacritics, words))


def test_content_tokens_leave_small_words_out() -> None:
    assert content_tokens("Could you send the report to Ana?") == ("send", "report", "ana")
    assert content_tokens("Kannst du mir den Bericht schicken?", "de") == ("kannst", "bericht", "schicken")
    assert is_stop_word("The")
    assert not is_stop_word("report")


@pytest.mark.parametrize(
    ("name", "address", "shown"),
    [
        ("Ana Reis", "ana@reis.example", "Ana Reis"),
        ("'Reis, Ana'", "ana@reis.example", "Ana Reis"),
        ("ana@reis.example", "ana@reis.example", "Ana"),
        (None, "ana.reis+news@reis.example", "Ana Reis"),
        ("", "team42@reis.example", "team42"),
        (None, None, ""),
        ("me", "ana.reis@reis.example", "Ana Reis"),
        ("", "me@reis.example", "me@reis.example"),
        ("Ich", "ich@reis.example", "ich@reis.example"),
        ("Mi Reis", "yo@reis.example", "Mi Reis"),
    ],
)
def test_a_participant_is_called_by_a_name(name: str | None, address: str | None, shown: str) -> None:
    assert display_name(name, address) == shown


@pytest.mark.parametrize(
    ("name", "first"),
    [("Ana Reis", "Ana"), ("Reis, Ana", "Ana"), ("Dr. Ana Reis", "Ana"), ("Herr Tom Berg", "Tom"), ("", "")],
)
def test_a_first_name_is_what_a_friend_would_say(name: str, first: str) -> None:
    assert first_name(name) == first


def test_addresses_are_compared_bare() -> None:
    same = [
        "ana@reis.example",
        "Ana Reis <ANA@reis.example>",
        "mailto:ana@Reis.example",
        " <ana@reis.example> ",
    ]
    assert {normalise_address(address) for address in same} == {"ana@reis.example"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Could you please send me the report before the meeting?", "en"),
        ("Kannst du mir bitte den Bericht vor dem Treffen schicken?", "de"),
        ("Você pode me mandar o relatório antes da reunião, por favor?", "pt"),
        ("¿Puedes enviarme el informe antes de la reunión, por favor?", "es"),
    ],
)
def test_a_language_is_told_by_its_small_words(text: str, code: str) -> None:
    assert guess(text) == code


def test_a_short_text_has_the_language_that_the_caller_expects() -> None:
    assert [guess("ok", "de"), guess("", "pt"), guess("12:30")] == ["de", "pt", "en"]


def test_a_tag_finds_its_base_language_and_an_unknown_one_is_english() -> None:
    assert language("pt-BR") is language("pt")
    assert language("xx").code == language(None).code == "en"
    assert available()[0] == "en"


@pytest.mark.parametrize("code", available())
def test_every_language_file_has_what_the_readers_need(code: str) -> None:
    tongue = language(code)
    for table, keys in {
        "words": ("stop",),
        "sentences": ("abbreviations",),
        "mail": ("reply_openers", "reply_verbs", "original", "forwarded", "from", "sent", "to", "subject", "closings",
                 "mobile", "disclaimers", "footers", "greetings", "polite"),
        "dates": ("relative", "units", "deadline", "at", "in", "numbers", "ordinals"),
    }.items():  # fmt: skip
        assert all(tongue.lines(table, key) for key in keys)
    assert len(tongue.lines("dates", "months")) == 12
    assert len(tongue.lines("dates", "weekdays")) == 7
    assert tongue.table("no such table") == {}


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Was kam gestern?"),
        ("de", "Ich wohne seit Montag in Kiel."),
        ("de", "Schickst du mir die Rechnung?"),
        ("es", "¿Me mandas el contrato?"),
        ("es", "Te lo mando mañana."),
        ("es", "Confirmado, gracias."),
        ("es", "Llegó la información."),
        ("pt", "Mandas-me o contrato?"),
        ("pt", "Compro os bilhetes amanhã."),
        ("pt", "Faço isso na sexta-feira."),
        ("pt", "A tradução chegou."),
        ("en", "What came yesterday?"),
        ("en", "um so"),
        ("en", "See http://blog.example.com/o/os for more"),
        ("en", "Robin Hale <robin@hale.com>"),
        ("en", "Call me at noon"),
        ("en", "OK"),
        ("en", "See ya!"),
        ("en", "O"),
    ],
)
def test_a_short_text_tells_its_language_by_letters_endings_and_words_of_time(code: str, text: str) -> None:
    assert guess(text) == code
