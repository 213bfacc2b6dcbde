"""A question in each language comes down to its telling words, in the forms in which the index may hold them."""

from datetime import datetime, timedelta

import pytest

from heedful.memory import Filters, recall
from heedful.memory.search.question import language_of, stemmed, stems, understand
from heedful.reading import without_diacritics
from heedful.storage import Store
from tests.memory.incoming import MONDAY, A, B, letter, take


@pytest.mark.parametrize(
    ("text", "lang", "content"),
    [
        ("What did she say about the boat?", "en", "boat"),
        ("Was hat sie über das Boot gesagt?", "de", "boot gesagt"),
        ("O que ela disse sobre o barco?", "pt", "barco"),
        ("¿Qué dijo ella sobre el barco?", "es", "barco"),
    ],
)
def test_small_and_asking_words_are_no_content(text: str, lang: str, content: str) -> None:
    assert language_of(text) == lang
    assert understand(text).content == content


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Was kam gestern?", "de"), ("Was sagte Peter?", "de"), ("Rechnung Telekom", "de"), ("letzte Woche", "de"),
        ("Was Peter there?", "en"), ("Was it Monday?", "en"), ("last week", "en"),
        ("semana pasada", "es"), ("correo sobre alquiler", "es"), ("semana passada", "pt"), ("carta do banco", "pt"),
    ],
)  # fmt: skip
def test_few_words_tell_a_language_where_their_small_words_are_those_of_several(text: str, lang: str) -> None:
    assert language_of(text) == lang


def test_a_question_of_small_words_alone_keeps_them() -> None:
    assert [term.word for term in understand("who is that").terms] == ["who", "is", "that"]


def test_a_single_capital_inside_a_question_is_a_name() -> None:
    assert "b" in [term.word for term in understand("What belongs to plan B now?").terms]


@pytest.mark.parametrize(
    ("said", "asked", "lang"),
    [
        ("Die Rechnungen wurden bezahlt", "Wo ist die Rechnung?", "de"),
        ("Die Häuser werden gestrichen", "Was ist mit dem Haus?", "de"),
        ("As reuniões foram marcadas", "Onde foi a reunião?", "pt"),
        ("Os cartões e os papéis chegaram", "Onde está o cartão?", "pt"),
        ("Las facturas pagadas", "¿Dónde está la factura?", "es"),
        ("Las reuniones de mayo", "¿Cuándo es la reunión?", "es"),
    ],
)
def test_an_inflected_word_shares_a_form_with_the_index(said: str, asked: str, lang: str) -> None:
    held = {without_diacritics(stem) for stem in stems(said, lang).split()}
    question = understand(asked)
    assert question.lang == lang
    assert any(form in held for term in question.terms for form in term.forms)


@pytest.mark.parametrize(
    ("one", "many"),
    [("reunião", "reuniões"), ("pão", "pães"), ("animal", "animais"), ("papel", "papéis"), ("viagem", "viagens"),
     ("lençol", "lençóis"), ("amável", "amáveis"), ("aluno", "alunos"), ("mês", "mês")],
)  # fmt: skip
def test_a_portuguese_plural_has_the_stem_of_its_singular(one: str, many: str) -> None:
    assert stemmed(one, "pt") == stemmed(many, "pt")


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Could it be that the boat should happen to sink?", "boat sink"),
        ("Konnte das Boot während des Sturms gemacht werden, und müssen wir zahlen?", "boot sturms zahlen"),
        ("O barco deverá fazer a viagem durante a mesma semana?", "barco viagem semana"),
        ("¿El barco debe hacer el mismo viaje y podría llegar?", "barco viaje llegar"),
    ],
)
def test_words_that_only_help_a_verb_tell_little_in_each_language(text: str, content: str) -> None:
    assert understand(text).content == content


@pytest.mark.parametrize(
    "text",
    ["What came on 27 November 2026?", "Was kam am 27. November 2026?", "O que veio em 27 de novembro de 2026?",
     "¿Qué llegó el 27 de noviembre de 2026?"],
)  # fmt: skip
def test_a_day_is_understood_in_each_language(text: str) -> None:
    periods = understand(text, now=MONDAY).periods
    assert [(begin.date(), end - begin) for begin, end in periods] == [
        (datetime(2026, 11, 27, tzinfo=MONDAY.tzinfo).date(), timedelta(days=1))
    ]


@pytest.mark.parametrize(
    "text",
    [
        "What came yesterday?",
        "Was kam gestern?",
        "Worum ging es gestern?",
        "O que chegou ontem?",
        "¿Qué llegó ayer?",
    ],
)
def test_a_day_told_from_now_is_of_this_year_alone(text: str) -> None:
    periods = understand(text, now=MONDAY).periods
    assert [begin.date() for begin, _ in periods] == [MONDAY.date() - timedelta(days=1)]


def test_a_day_without_a_year_may_be_of_any_of_the_last_ones() -> None:
    periods = understand("What came on 7 March?", now=MONDAY).periods
    assert {begin.date().isoformat() for begin, _ in periods} >= {"2026-03-07", "2025-03-07", "2024-03-07"}


@pytest.mark.parametrize(
    "text",
    ["What happened on 7 March 2026?", "Was war am 7. März 2026?", "Worum ging es gestern?",
     "O que aconteceu em 7 de março de 2026?", "¿Qué pasó el 7 de marzo de 2026?"],
)  # fmt: skip
def test_what_was_on_a_day_asks_for_an_overview(text: str) -> None:
    assert understand(text, now=MONDAY).is_only_of_days


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("What did Ana say on Friday?", ["2026-11-27", "2026-12-04"]),
        ("What did we do at the weekend?", ["2026-11-28", "2026-12-05"]),
        ("Was war am Wochenende?", ["2026-11-28", "2026-12-05"]),
        ("What did Ana say last Friday?", ["2026-11-27"]),
    ],
)
def test_a_day_of_the_week_is_also_the_last_one(text: str, begins: list[str]) -> None:
    periods = understand(text, now=MONDAY).periods
    assert sorted(begin.date().isoformat() for begin, _ in periods) == begins


def test_without_a_now_no_day_is_understood() -> None:
    assert understand("last week").periods == ()
    assert understand("last week", now=MONDAY).periods != ()


@pytest.mark.parametrize(
    ("said", "lang", "asked"),
    [
        ("Die Häuser werden im Mai gestrichen.", "de", "Was ist mit dem Haus?"),
        ("As reuniões foram marcadas.", "pt", "Onde foi a reunião?"),
        ("Las luces se encienden; los jardines son grandes.", "es", "¿Dónde está el jardín?"),
    ],
)
async def test_recall_finds_an_inflected_word_without_any_model(
    store: Store, said: str, lang: str, asked: str
) -> None:
    await take(store, A, letter(1, said, lang=lang, subject=""), letter(2, "Nothing of it.", subject=""))
    hits = await store.read(lambda connection: recall(connection, asked))
    assert [hit.external_id for hit in hits] == ["x1"]


async def test_a_day_in_one_source_is_not_drowned_by_what_came_that_day_in_another(store: Store) -> None:
    await take(store, A, letter(1, "The quince is planted."))
    await take(store, B, *(letter(n, f"Letter {n}.") for n in range(2, 120)))
    for text in ("What happened on 30 November 2026?", "What came on 30 November 2026?"):
        hits = await store.read(
            lambda c, text=text: recall(c, text, filters=Filters(source_id=A), now=MONDAY)  # type: ignore[misc] # bound
        )
        assert [hit.external_id for hit in hits] == ["x1"]
