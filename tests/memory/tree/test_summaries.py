"""Summaries: whole sentences without a model, a model's words only where they stand below, and always which of both."""

import json
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.core.settings import BudgetSettings, Settings
from heedful.inference import load_prompt
from heedful.memory.messages import sources_store
from heedful.memory.queue.asking import enqueue
from heedful.memory.tree import tree_store
from heedful.memory.tree.by_model import MOST_INPUT_HERE, MOST_TEXT, PROMPT
from heedful.memory.tree.extractive import Passage, extract
from heedful.memory.tree.grounding import Ground, grounded, runs, tells_enough, unheard
from heedful.memory.tree.tree_store import Node
from heedful.sources import Incoming
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import ModelServer, items
from tests.inference.desk import Desk
from tests.memory.grove import node, settle, shape
from tests.memory.incoming import ANA, RUI, A, B, do, letter, rows, take
from tests.memory.workshop import failures

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)

BOILER = (
    ("Ana Lopes", "Good morning Rui. The new boiler costs 2480 euros with fitting. Shall I order it?"),
    ("Rui Prado", "Yes please. But the boiler must be fitted before 20 December, for the guests come then."),
    ("Ana Lopes", "They can fit the boiler on 14 December. By the way, the cat is well."),
    ("Rui Prado", "Thanks. I have paid 500 euros for the boiler in advance."),
)


def passages(lang: str = "en") -> list[Passage]:
    return [Passage(author, text, lang) for author, text in BOILER]


def below(texts: list[Passage]) -> str:
    return "\n".join(f"{passage.label}: {passage.text}" for passage in texts)


def test_what_is_extracted_are_whole_sentences_in_the_order_in_which_they_were_said() -> None:
    text = extract(passages(), budget=320)
    lines = text.split("\n")
    assert len(text) <= 320
    assert lines == [line for line in dict.fromkeys(lines) if line]
    places = []
    for line in lines:
        author, sentence = line.split(": ", 1)
        number = next(at for at, (name, said) in enumerate(BOILER) if name == author and sentence in said)
        places.append((number, BOILER[number][1].index(sentence)))
    assert places == sorted(places)


def test_what_recurs_and_what_has_numbers_is_told_and_small_talk_is_not() -> None:
    text = extract(passages(), budget=260)
    assert "2480 euros" in text
    assert "14 December" in text
    assert "cat" not in text
    assert "Good morning" not in text


@pytest.mark.parametrize(
    ("lang", "opening", "closing", "promise"),
    [
        ("en", "Dear Mrs Lopes, thank you for your visit.", "Good night everybody!", "I ask Tom by Thursday."),
        ("de", "Liebe Frau Lopes, vielen Dank für den Besuch.", "Guten Abend zusammen!", "Ich frage Tom am Montag."),
        ("pt", "Prezada senhora Lopes, muito obrigado pela visita.", "Boa noite a todos!", "Pergunto ao Tom na terça."),
        ("es", "Estimada señora: gracias por su visita.", "¡Buenas noches a todos!", "Pregunto a Tom el martes."),
    ],
)  # fmt: skip
def test_a_short_promise_is_told_and_a_greeting_is_not(
    lang: str, opening: str, closing: str, promise: str
) -> None:
    said = [("Rui", opening), ("Rui", "The boiler is 2480 euros, the boiler room is dry.")]
    said += [
        ("Ana", "Agreed, the boiler is fitted in the boiler room on 14 December."),
        ("Ana", promise),
        ("Mia", closing),
    ]
    text = extract([Passage(author, words, lang) for author, words in said], budget=900)
    assert promise in text
    assert opening not in text
    assert closing not in text


def test_the_same_passages_give_the_same_summary() -> None:
    assert extract(passages(), budget=300) == extract(passages(), budget=300)


def test_a_summary_of_summaries_keeps_their_lines() -> None:
    lines = extract(passages(), budget=400)
    other = Passage(
        "", "Mia Falk · Paint: The paint for the boiler room costs 90 euros.", "en", is_lines=True
    )
    text = extract([Passage("", lines, "en", is_lines=True), other], budget=250)
    assert set(text.split("\n")) <= {*lines.split("\n"), other.text}
    assert "Mia Falk · Paint: The paint" in text


def test_the_same_sentence_is_told_once() -> None:
    twice = [
        Passage("Ana", "The roof is painted on Friday.", "en"),
        Passage("Rui", "The roof is painted on Friday.", "en"),
    ]
    assert extract(twice, budget=500) == "Ana: The roof is painted on Friday."


def test_a_sentence_is_never_cut_not_even_when_it_is_longer_than_the_budget() -> None:
    long = "The roof " + "and the wall " * 60 + "are painted."
    assert extract([Passage("Ana", long, "en")], budget=300) == f"Ana: {long}"


def test_a_summary_keeps_to_its_length_though_a_longer_sentence_would_say_more() -> None:
    long = "The boiler of the house costs 2480 euros, the boiler of the garden house 3100, and both are loud."
    short = "The boiler of the garden house leaks."
    assert extract([Passage("Ana", long, "en"), Passage("Rui", short, "en")], budget=60) == f"Rui: {short}"


@pytest.mark.parametrize(
    ("first", "second"),
    list(permutations(["The plumber repairs our kitchen sink.", "The gardener waters our distant roses."])),
)
def test_of_sentences_that_say_as_much_what_was_said_later_and_what_opens_a_passage_is_told(
    first: str, second: str
) -> None:
    earlier = Passage("Ana", first, "en")
    assert extract([earlier, Passage("Rui", second, "en")], budget=60) == f"Rui: {second}"
    assert extract([earlier, Passage("Rui", f"Hello! {second}", "en")], budget=60) == f"Ana: {first}"


def test_nothing_to_say_is_an_empty_text() -> None:
    assert extract([], budget=300) == ""
    assert extract([Passage("Ana", " \n 👍 ", "en")], budget=300) == ""


@pytest.mark.parametrize(
    ("lang", "text", "kept"),
    [
        (
            "de",
            "Hallo. Das Angebot für die Heizung beträgt 2.480 Euro. Die Heizung kommt am 14. Dezember.",
            "2.480 Euro",
        ),
        (
            "pt",
            "Olá. O orçamento da caldeira é de 2.480 euros. A caldeira chega em 14 de dezembro.",
            "2.480 euros",
        ),
        (
            "es",
            "Hola. El presupuesto de la caldera es de 2.480 euros. La caldera llega el 14 de diciembre.",
            "2.480",
        ),
    ],
)
def test_other_languages_are_summarised_as_well(lang: str, text: str, kept: str) -> None:
    assert kept in extract([Passage("Ana", text, lang)], budget=110)


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(50, 600))
def test_whatever_the_passages_nothing_is_told_that_does_not_stand_in_them(
    texts: list[str], budget: int
) -> None:
    made = extract([Passage("", text, "en") for text in texts], budget=budget)
    lines = made.split("\n") if made else []
    folded = [" ".join(text.split()) for text in texts]
    assert all(any(line in text for text in folded) for line in lines)
    assert len(made) <= budget or len(lines) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "Ana Lopes offers the boiler for 2480 euros and Rui Prado agrees.",
        "Rui Prado paid 500 euros in advance.",
        "The boiler is fitted on 14 December.",
        "Ana's boiler comes before the guests.",
    ],
)
def test_what_stands_below_may_be_told(sentence: str) -> None:
    assert unheard(sentence, Ground.of(below(passages())), lang="en", at=AT) == frozenset()


@pytest.mark.parametrize(
    ("lang", "said", "sentence"),
    [
        ("de", "Der Zug fährt um 7:40 ab, sagt Rui.", "Rui nennt die Abfahrt um 7:40 Uhr als Zeitpunkt."),
        ("en", "We meet at 9 in the hall.", "Participants meet at 9 in the hall."),
        ("pt", "O bolo custa 120 reais.", "Pessoas falam do bolo de 120 reais."),
        ("en", "Tuesday 4/8, 1-2:30pm, suits Sharon.", "The time is Tuesday 4/8 1-2:30pm."),
        ("es", "La cena es a las 21.", "Participantes: la cena es a las 21."),
    ],
)
def test_a_plain_word_that_a_sentence_needs_was_not_invented(lang: str, said: str, sentence: str) -> None:
    assert unheard(sentence, Ground.of(said), lang=lang, at=AT) == frozenset()


def test_a_name_or_a_number_beside_a_plain_word_is_told_apart() -> None:
    ground = Ground.of("Der Zug fährt um 7:40 ab.")
    assert unheard("Pedro nennt 8:15 Uhr.", ground, lang="de", at=AT) >= {"Pedro", "8", "15"}
    assert "Uhr" not in unheard("Pedro nennt 8:15 Uhr.", ground, lang="de", at=AT)


@pytest.mark.parametrize(
    ("sentence", "invented"),
    [
        ("The boiler costs 2840 euros.", "2840"),
        ("Ana Lopes orders 3 boilers.", "3"),
        ("It is fitted on 15 December.", "15"),
        ("It is fitted in January.", "January"),
        ("It is fitted tomorrow.", "tomorrow"),
        ("Pedro agrees.", "Pedro"),
        ("Rui asked Siemens for the boiler.", "Siemens"),
        ("The boiler is from Junkers-Werke.", "Junkers-Werke"),
    ],
)
def test_a_number_a_date_or_a_name_that_does_not_stand_below_was_invented(
    sentence: str, invented: str
) -> None:
    assert invented in unheard(sentence, Ground.of(below(passages())), lang="en", at=AT)


def test_an_invented_sentence_goes_and_a_summary_that_is_mostly_invented_goes_whole() -> None:
    ground = Ground.of(below(passages()))
    true = "Ana Lopes offers the boiler for 2480 euros with fitting. Rui Prado agrees if it comes before 20 December."
    assert grounded(f"{true} Siemens pays.", ground, lang="en", at=AT) == true
    assert (
        grounded(f"Siemens pays 900 dollars to Pedro Alves in March. {true[:55]}.", ground, lang="en", at=AT)
        is None
    )
    assert grounded("", ground, lang="en", at=AT) is None


def test_a_model_that_repeats_itself_is_heard_once() -> None:
    ground = Ground.of(below(passages()))
    once = "Ana Lopes offers the boiler for 2480 euros."
    assert grounded(f"{once} Rui Prado agrees. {once} Rui Prado agrees.", ground, lang="en", at=AT) == (
        f"{once} Rui Prado agrees."
    )


def test_what_a_model_takes_from_the_prompts_examples_goes() -> None:
    ground = Ground.of(below(passages()))
    true = "Ana Lopes offers the boiler for 2480 euros with fitting and Rui Prado paid 500 euros in advance."
    foreign = runs("Ana agrees, but only if the others agree.") - runs(below(passages()))
    for said, kept in (
        ("Rui agrees if the guests come.", True),
        ("Rui agrees, but only if the others agree.", False),
    ):
        told = grounded(f"{true} {said}", ground, lang="en", at=AT, foreign=foreign)
        assert told == (f"{true} {said}" if kept else true)


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("Ana offers the boiler for 2480 euros and fits it on 14 December.", True),
        ("The boiler is fitted on 14 December.", False),
        ("They talk about the boiler.", False),
    ],
)
def test_a_text_that_leaves_out_most_numbers_is_worth_less_than_the_one_it_replaces(
    text: str, enough: bool
) -> None:
    assert tells_enough(text, extract(passages(), budget=400)) is enough
    assert tells_enough(text, "Ana paid 500 euros of 2480.")


# With a model


@pytest.fixture
def desk(store: Store, clock: FakeClock) -> Desk:
    return Desk(store, clock, Settings())


def boiler_letters(first: int = 0) -> list[Incoming]:
    people = {"Ana Lopes": ANA, "Rui Prado": RUI}
    return [
        letter(first + number, text, author=people[author], thread_key="boiler", channel="telegram")
        for number, (author, text) in enumerate(BOILER)
    ]


TRUE = "Ana Lopes offers the boiler for 2480 euros; Rui Prado wants it before 20 December and paid 500 euros."
FALSE = "Siemens sells Pedro Alves a boat for 9999 dollars in March."


async def summarised(store: Store, clock: FakeClock, desk: Desk) -> Node:
    """The thread's node after two days with the model in reach."""
    await take(store, A, *boiler_letters(), now=clock.now())
    await settle(store, clock, inference=desk.inference)
    clock.advance(timedelta(days=2))
    await settle(store, clock, inference=desk.inference)
    return await one_thread(store)


async def one_thread(store: Store) -> Node:
    ((thread_id,),) = await rows(store, "SELECT id FROM threads")
    return await node(store, "thread", str(thread_id))


async def test_without_a_chosen_model_nothing_is_asked_and_the_method_says_so(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    made = await summarised(store, clock, desk)
    assert (made.method, made.made_by, made.prompt) == ("extractive", "builtin@1", "")
    assert server.requests == []
    assert await failures(store) == []


async def test_when_a_model_arrives_what_was_extractive_is_written_anew(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    assert (await summarised(store, clock, desk)).method == "extractive"
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": TRUE})
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "summarise", "all", now=now))
    await settle(store, clock, inference=desk.inference)
    made = await one_thread(store)
    assert (made.text, made.method, made.made_by) == (TRUE, "model", "custom/small-model")
    assert made.prompt == "summarise@5"
    asked = [chat.body["messages"][1]["content"] for chat in server.chats]
    assert any("Ana Lopes, 30 Nov 2026: Good morning Rui." in told for told in asked)
    assert all(told.startswith("Language: English\n<<<data ") for told in asked)
    assert all(told.endswith(">>>\nWrite in English.") for told in asked)
    assert await rows(store, "SELECT DISTINCT purpose, outcome, prompt, source_ids FROM ledger") == [
        ("summarise", "answered", "summarise@5", json.dumps([A]))
    ]
    assert (await store.read(shape)).faults == ()


async def test_a_model_that_invents_is_not_believed_and_not_asked_again_about_the_same(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": FALSE})
    made = await summarised(store, clock, desk)
    assert made.method == "extractive"
    assert "2480 euros" in made.text
    assert not await rows(store, "SELECT id FROM nodes WHERE text LIKE '%Siemens%'")
    calls = len(server.chats)
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "summarise", "all", now=now))
    await settle(store, clock, inference=desk.inference)
    assert len(server.chats) == calls


def test_the_length_at_which_a_server_cuts_an_answer_off_is_that_of_the_prompt(tmp_path: Path) -> None:
    schema = json.dumps(load_prompt(PROMPT, tmp_path).schema)
    assert f'"maxLength": {MOST_TEXT}' in schema


async def test_a_model_that_tells_next_to_nothing_does_not_replace_what_tells_more(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": "Ana Lopes and Rui Prado want the boiler."})
    made = await summarised(store, clock, desk)
    assert made.method == "extractive"
    assert "2480 euros" in made.text


async def test_a_model_that_puts_words_into_the_wrong_mouth_is_not_believed_and_the_node_says_so(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": TRUE.replace("Rui Prado wants it before 20 December and",
        "Ana Lopes wants it before 20 December and Rui Prado")})  # fmt: skip
    made = await summarised(store, clock, desk)
    assert (made.method, made.prompt) == (
        "extractive",
        "summarise@5, nothing of use from custom/small-model: words in somebody else's mouth",
    )


async def test_the_sentence_in_which_a_model_was_cut_off_is_left_out(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": (f"{TRUE} " * 20)[:MOST_TEXT]})
    made = await summarised(store, clock, desk)
    assert (made.method, made.text) == ("model", TRUE)


async def test_a_model_that_answers_in_another_language_is_not_believed(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    said = (
        "Rui Prado zahlt die 900 Euro für die Heizung und bringt Ana Lopes den Schlüssel mit, wenn sie kommt."
    )
    server.otherwise = lambda _: items({"text": "Rui Prado pays the 900 Euro for the heating and Ana Lopes has the key "
        "with her when she comes to the house."})  # fmt: skip
    await take(
        store, A, letter(1, said, thread_key="heizung", channel="telegram", lang="de"), now=clock.now()
    )
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    await settle(store, clock, inference=desk.inference)
    made = await one_thread(store)
    assert (made.method, made.prompt) == (
        "extractive",
        "summarise@5, nothing of use from custom/small-model: another language",
    )
    assert server.chats[0].body["messages"][1]["content"].startswith("Language: German\n")


async def test_a_source_that_stays_here_is_summarised_here(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose("https://models.example/v1")
    await desk.agreed()
    await take(store, A, *boiler_letters(), now=clock.now())
    await do(store, lambda connection: sources_store.set_egress(connection, A, "local-only"))
    clock.advance(timedelta(days=2))
    settled = await settle(store, clock, inference=desk.inference)
    assert (settled.failed, settled.deferred) == (0, 0)
    assert (await one_thread(store)).method == "extractive"
    assert await rows(store, "SELECT * FROM ledger") == []


async def test_what_a_source_that_stays_here_said_in_anothers_thread_goes_to_no_model_elsewhere(
    store: Store, clock: FakeClock, desk: Desk
) -> None:
    desk.choose("https://models.example/v1")
    await desk.agreed()
    first, *others = boiler_letters()
    await take(store, A, first, now=clock.now())
    await take(store, B, *others, now=clock.now())
    await do(store, lambda connection: sources_store.set_egress(connection, B, "local-only"))
    clock.advance(timedelta(days=2))
    await settle(store, clock, inference=desk.inference)
    assert await rows(store, "SELECT DISTINCT source_id FROM threads") == [(A,)]
    assert await rows(store, "SELECT * FROM ledger") == []
    for top in (await one_thread(store), await node(store, "source", A), await node(store, "root", "")):
        assert await store.read(lambda c, n=top: tree_store.sources_below(c, n)) == {A, B}  # type: ignore[misc] # the loop's own node


async def test_a_model_server_that_is_down_puts_the_work_off_and_leaves_the_extractive_text(
    store: Store, clock: FakeClock, desk: Desk
) -> None:
    async with ModelServer() as gone:
        desk.choose(gone.base_url)
        await desk.agreed()
    await take(store, A, *boiler_letters(), now=clock.now())
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    settled = await settle(store, clock, inference=desk.inference)
    assert settled.failed == 0
    assert settled.deferred == 1
    assert (await one_thread(store)).text
    assert await failures(store) == []


async def test_a_model_on_this_computer_is_given_less_and_every_passage_has_its_share(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": "The roof of house 3 costs 103 euros."})
    long = " ".join(
        f"The roof of house {n} costs {n + 100} euros, as we said on the phone." for n in range(150)
    )
    await take(store, A, letter(1, long, thread_key="t", channel="telegram"),
        letter(2, "The key is 77.", thread_key="t", channel="telegram"), now=clock.now())  # fmt: skip
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    await settle(store, clock, inference=desk.inference)
    asked = max((chat.body["messages"][1]["content"] for chat in server.chats), key=len)
    assert len(asked) < MOST_INPUT_HERE + 1000
    assert "The key is 77." in asked


async def test_summaries_leave_half_of_the_days_allowance(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=8000))
    await desk.agreed()
    server.otherwise = lambda _: items({"text": TRUE}, tokens=(700, 0, 100))
    for number in range(12):
        await take(
            store, A, *(letter(number * 10 + place, text, thread_key=f"t{number}", channel="chat")
            for place, (_, text) in enumerate(BOILER)), now=clock.now()
        )  # fmt: skip
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    settled = await settle(store, clock, inference=desk.inference)
    assert settled.failed == 0
    assert 0.4 < await desk.inference.ledger.share_spent_today() < 0.7


async def test_a_change_below_makes_a_models_text_anew(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = lambda _: items({"text": TRUE})
    assert (await summarised(store, clock, desk)).method == "model"
    await take(store, A, letter(99, "The boiler burst, says Ana Lopes, and 900 litres ran out.", thread_key="boiler",
        channel="telegram"), now=clock.now())  # fmt: skip
    await settle(store, clock)
    made = await rows(store, "SELECT text, method FROM nodes WHERE scope = 'thread' ORDER BY seq DESC")
    assert any("900 litres" in str(text) and method == "extractive" for text, method in made)
