"""A chosen model names what patterns can't explain; nothing counts that does not stand in the passage."""

from datetime import timedelta

import pytest

from heedful.core.settings import BudgetSettings, Settings
from heedful.memory.entities import registry
from heedful.memory.entities.grounding import grounded
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.registry import Entity
from heedful.memory.stages import stages_of
from heedful.sources import Incoming
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import ModelServer, Received, chat, error, items
from tests.inference.desk import Desk
from tests.memory.grove import settle
from tests.memory.incoming import MONDAY, A, B, do, rows, take
from tests.memory.reading_along import mail
from tests.memory.workshop import failures

STAGES = ("extract_entities", "seal", "name_entities")
TEXT = "The people of Zubrowka asked whether Xanthippe could send the offer for the new office by courier."
ORGANISATION = {"name": "Zubrowka", "kind": "organisation"}
PERSON = {"name": "Xanthippe", "kind": "person"}


@pytest.fixture
def desk(store: Store, clock: FakeClock) -> Desk:
    return Desk(store, clock, Settings())


async def named(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer, *letters: Incoming
) -> list[tuple[str, str, str]]:
    """Kind, name and maker of everything that the texts mention, after a model was chosen and all was worked off."""
    if letters:
        await take(store, A, *letters, now=clock.now())
    desk.choose(server.base_url)
    await desk.agreed()
    await settle(store, clock, *STAGES, inference=desk.inference)
    return await mentioned(store)


async def mentioned(store: Store) -> list[tuple[str, str, str]]:
    found = await rows(
        store,
        "SELECT e.kind, e.name, x.made_by FROM mentions x JOIN entities e ON e.seq = x.entity_seq "
        "WHERE x.role = 'text' ORDER BY x.chunk_seq, x.start",
    )
    return [(str(kind), str(name), str(by)) for kind, name, by in found]


async def test_what_a_model_names_is_kept_with_who_named_it(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: items(ORGANISATION, PERSON)
    assert await named(store, clock, desk, server, mail(1, TEXT)) == [
        ("organisation", "Zubrowka", "entities@1 custom/small-model"),
        ("person", "Xanthippe", "entities@1 custom/small-model"),
    ]
    assert await rows(store, "SELECT purpose, outcome, prompt FROM ledger") == [
        ("entities", "answered", "entities@1")
    ]
    assert TEXT in server.chats[0].body["messages"][1]["content"]
    ((message_id, score),) = await rows(
        store,
        "SELECT m.id, x.score FROM mentions x JOIN chunks c ON c.seq = x.chunk_seq "
        "JOIN messages m ON m.seq = c.message_seq JOIN entities e ON e.seq = x.entity_seq WHERE e.name = 'Zubrowka'",
    )
    assert score == 0.5
    told = await store.read(lambda connection: stages_of(connection, str(message_id), now=MONDAY))
    facts = [stage.facts for stage in told.stages if stage.name == "entities"]
    assert "organisation Zubrowka text by entities@1 custom/small-model" in str(facts)


async def test_without_a_chosen_model_nothing_is_asked(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await take(store, A, mail(1, TEXT), now=clock.now())
    await settle(store, clock, *STAGES, inference=desk.inference)
    assert await mentioned(store) == []
    assert server.requests == []
    assert await failures(store) == []


async def test_a_name_that_does_not_stand_in_the_passage_is_not_believed(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: items(
        {"name": "Grand Budapest", "kind": "organisation"},
        {"name": "zubrowka", "kind": "organisation"},
        {"name": "Zubrow", "kind": "organisation"},
        {"name": "Zubrowka", "kind": "planet"},
        {"name": 7, "kind": "person"},
        {"kind": "person"},
        {"name": "courier", "kind": "product"},
        {"name": "The", "kind": "person"},
    )
    assert await named(store, clock, desk, server, mail(1, TEXT)) == []


@pytest.mark.parametrize("said", ["I see no names here, sorry.", '{"items": "none"}', "", "[[[["])
async def test_an_answer_of_no_use_changes_nothing_and_is_not_asked_for_again(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer, said: str
) -> None:
    server.otherwise = lambda _: chat(said)
    assert await named(store, clock, desk, server, mail(1, TEXT)) == []
    asked = len(server.chats)
    assert asked >= 1
    clock.advance(timedelta(hours=3))
    assert await named(store, clock, desk, server) == []
    assert len(server.chats) == asked
    assert await failures(store) == []


async def test_a_model_that_is_down_puts_the_work_off_and_it_is_done_when_it_is_back(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: error(503, "Loading model", headers=[("retry-after", "60")])
    assert await named(store, clock, desk, server, mail(1, TEXT)) == []
    ((state, attempts, deferrals),) = await rows(
        store, "SELECT state, attempts, deferrals FROM jobs WHERE kind = 'name_entities'"
    )
    assert (state, attempts) == ("ready", 0)
    assert int(deferrals or 0) >= 1
    server.otherwise = lambda _: items(ORGANISATION)
    clock.advance(timedelta(hours=2))
    assert [name for _, name, _ in await named(store, clock, desk, server)] == ["Zubrowka"]


async def test_a_model_that_is_not_there_puts_the_work_off(
    store: Store, clock: FakeClock, desk: Desk
) -> None:
    async with ModelServer() as gone:
        desk.choose(gone.base_url)
        await desk.agreed()
    await take(store, A, mail(1, TEXT), now=clock.now())
    await settle(store, clock, *STAGES, inference=desk.inference)
    assert await rows(
        store, "SELECT state, attempts, deferrals > 0 FROM jobs WHERE kind = 'name_entities'"
    ) == [("ready", 0, 1)]


async def test_a_model_that_answers_nobody_is_given_time(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: error(500, "Out of order")
    letters = [
        mail(n, TEXT.replace("Zubrowka", name)) for n, name in enumerate(["Quillon", "Jubilex", "Ottilien"])
    ]
    assert await named(store, clock, desk, server, *letters) == []
    assert not [chat for chat in server.chats if "Quillon" in asked_of(chat)]
    server.otherwise = lambda _: items(
        {"name": "Quillon", "kind": "project"}, {"name": "Jubilex", "kind": "project"}
    )
    clock.advance(timedelta(hours=2))
    assert [name for _, name, _ in await named(store, clock, desk, server)] == ["Quillon", "Jubilex"]


async def test_what_patterns_found_stays_as_they_found_it(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: items(
        {"name": "Falk & Partner GmbH", "kind": "person"}, {"name": "Partner", "kind": "person"}, ORGANISATION
    )
    text = "I wrote to Falk & Partner GmbH. The people of Zubrowka asked for it."
    assert await named(store, clock, desk, server, mail(1, text)) == [
        ("organisation", "Falk & Partner GmbH", ""),
        ("organisation", "Zubrowka", "entities@1 custom/small-model"),
    ]


async def test_a_passage_that_patterns_explain_is_not_asked_about(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await named(
        store, clock, desk, server,
        mail(1, "Nobody knows whether the offer for the new office will come by courier this week or the next one."),
        mail(2, "We should ask Falk & Partner GmbH whether the offer for the new office comes by courier."),
    )  # fmt: skip
    assert server.chats == []


async def test_each_passage_is_asked_about_once_and_the_newest_first(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    names = ["Zubrowka", "Xanthippe", "Yggdrasil", "Quillon", "Wolpertinger", "Jubilex", "Vexillum"]
    letters = [mail(n, TEXT.replace("Zubrowka", name)) for n, name in enumerate(names)]
    await named(store, clock, desk, server, *letters)
    assert [
        name for chat in server.chats for name in names if f"people of {name}" in asked_of(chat)
    ] == names[::-1]
    await named(store, clock, desk, server, mail(20, TEXT.replace("Zubrowka", "Ottilien")))
    assert "Ottilien" in asked_of(server.chats[-1])
    assert len(server.chats) == len(names) + 1


async def test_what_is_left_out_of_the_summaries_is_not_asked_about(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await take(store, A, mail(1, TEXT), now=clock.now())
    await settle(store, clock, "extract_entities", "seal")
    await do(store, lambda connection: connection.execute("UPDATE admissions SET admitted = 0"))
    await do(store, lambda connection: connection.execute("UPDATE jobs SET state = 'done'"))
    await take(store, A, mail(2, "Yes."), now=clock.now())
    await named(store, clock, desk, server)
    assert server.chats == []


async def test_a_source_that_stays_here_is_not_shown_to_a_model_elsewhere(
    store: Store, clock: FakeClock, desk: Desk
) -> None:
    await take(store, B, mail(1, TEXT), now=clock.now())
    await do(store, lambda connection: connection.execute("UPDATE sources SET egress = 'local-only'"))
    desk.choose("https://models.example/v1")
    await desk.agreed()
    await settle(store, clock, *STAGES, inference=desk.inference)
    assert await rows(store, "SELECT count(*) FROM ledger") == [(0,)]


async def test_names_wait_until_tomorrow_when_a_quarter_of_the_day_is_used(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    await take(store, A, mail(1, TEXT), now=clock.now())
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=20_000))
    provider = await desk.agreed()
    server.replies = [items(tokens=(6_000, 0, 20))]
    await desk.ask(provider)
    asked = len(server.chats)
    await settle(store, clock, *STAGES, inference=desk.inference)
    assert len(server.chats) == asked
    ((attempts, error),) = await rows(store, "SELECT attempts, error FROM jobs WHERE kind = 'name_entities'")
    assert (attempts, "quarter" in str(error)) == (0, True)


async def test_a_relation_is_read_off_a_name_that_only_a_model_saw(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: items(ORGANISATION)
    await named(store, clock, desk, server, mail(1, "I work for Zubrowka now, and the office is by the sea."))
    assert await rows(
        store,
        "SELECT r.predicate, o.name FROM relations r JOIN entities o ON o.seq = r.object_seq WHERE o.name = 'Zubrowka'",
    ) == [("works for", "Zubrowka")]


async def test_what_a_model_named_leaves_with_its_passage(
    store: Store, clock: FakeClock, desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: items(ORGANISATION)
    await named(store, clock, desk, server, mail(1, TEXT))

    def work(connection: Connection) -> None:
        chunk_ids = [str(row[0]) for row in connection.rows("SELECT id FROM chunks")]
        registry.forget_chunks(connection, chunk_ids)  # type: ignore[arg-type] # ids as they are stored

    await do(store, work)
    assert await found(store, "Zubrowka") == []


def asked_of(chat: Received) -> str:
    """What the model was given."""
    return str(chat.body["messages"][1]["content"])


async def found(store: Store, name: str) -> list[Entity]:
    return await store.read(lambda connection: registry.find_entities(connection, name))


def test_names_are_found_wherever_they_stand_and_by_whole_words() -> None:
    text = "Zubrowka's offer: «Zubrowka», not Zubrowkas or PreZubrowka."
    places = [text[one.start : one.end] + str(one.start) for one in grounded([ORGANISATION], text, lang="en")]
    assert places == ["Zubrowka0", f"Zubrowka{text.index('«') + 1}"]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("ZUBROWKA", "Zubrowka"),
        ("Zubrowka", "zubrowka"),
        ("Hauptstraße", "HAUPTSTRASSE"),
        ("ÉTOILE", "Étoile"),
    ],
)
def test_a_name_in_another_case_is_found_and_kept_as_the_passage_writes_it(name: str, written: str) -> None:
    text = f"ẞß İ: {written}, no un{written}ed."
    (one,) = grounded([{"name": name, "kind": "organisation"}], text, lang="en")
    assert (text[one.start : one.end], one.name) == (written, written)


def test_beside_a_name_as_it_was_given_other_cases_of_it_are_left_alone() -> None:
    text = "Apple sent apple cake."
    (one,) = grounded([{"name": "Apple", "kind": "organisation"}], text, lang="en")
    assert one.start == 0


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "",
        "invoice",
        "The",
        "anna@example.org",
        "www.Example.org",
        "X" * 61,
        "1234",
        "Monday",
        "Ran the numbers",
        "A B C D E F G",
    ],
)
def test_what_can_be_no_name_is_left_out(name: str) -> None:
    assert grounded([{"name": name, "kind": "person"}], f"It says {name} here.", lang="en") == ()


def test_a_script_without_capitals_may_have_names() -> None:
    (one,) = grounded([{"name": "李雷", "kind": "person"}], "见 李雷 。", lang="zh")
    assert (one.kind, one.name) == (EntityKind.PERSON, "李雷")


@pytest.mark.parametrize("name", ["iPhone", "E.ON", "3M", "Ärzte ohne Grenzen"])
def test_unusual_spellings_may_be_names(name: str) -> None:
    assert grounded([{"name": name, "kind": "organisation"}], f"It says {name} here.", lang="en") != ()
