"""What was asked for counts, from whichever process, once, and fades."""

from datetime import timedelta

import pytest

from heedful.core.clock import to_millis
from heedful.core.paths import Home
from heedful.memory import search
from heedful.memory.entities.asked import Questions, asked_about
from heedful.memory.entities.hotness import WINDOW
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.reads import AskedFor, Reads, place_of
from heedful.sources import Person
from heedful.storage import Connection, Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import forgotten
from tests.memory.incoming import ANA, MONDAY, RUI, A, rows
from tests.memory.reading_along import found, mail, tell, top

NAME = "SELECT name FROM entities WHERE id = '{}'"
OTTO = Person("Otto Brandt", "otto@ciclone.example")


@pytest.fixture
def questions(store: Store, home: Home, key: Key, clock: FakeClock) -> Questions:
    return Questions(store, home, key, clock)


async def told(store: Store) -> None:
    """Ana and Rui of today, and Otto of a year ago."""
    await tell(
        store,
        A,
        mail(1, "The budget is done.", author=ANA, to=(RUI,)),
        mail(2, "Another budget, for the garden.", author=RUI, to=()),
        mail(3, "An old budget.", author=OTTO, to=(), sent_at=MONDAY - timedelta(days=365)),
    )


async def about(store: Store, question: str) -> list[str]:
    """The names of those that a search with every word but the names was about."""
    ids = await store.read(lambda c: [hit.chunk_id for hit in search(c, "budget", limit=10)])
    about = await store.read(lambda c: asked_about(c, question, ids))
    return [str(name) for one in about for (name,) in await rows(store, NAME.format(one))]


async def note(questions: Questions, store: Store, question: str) -> None:
    ids = await store.read(lambda c: [hit.chunk_id for hit in search(c, "budget", limit=10)])
    await questions.note(question, ids)


def put_back(noted: AskedFor, home: Home, key: Key) -> None:
    """As it would lie there if the app had died before it dropped it."""
    beside = Connection(place_of(home), key.hex)
    beside.execute(
        "INSERT INTO asked (id, at, entity_id) VALUES (?, ?, ?)",
        (noted.id, to_millis(noted.at), noted.entity_id),
    )
    beside.close()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what did Otto say of the budget?", ["Otto Brandt"]),
        ("BRANDT budget", ["Otto Brandt"]),
        ("budget of rui and ana lopes", ["Ana Lopes", "Rui Prado"]),
        ("the budget", []),
        ("Ottokar's budget", []),
        ("", []),
    ],
)
async def test_whoever_a_question_names_and_its_hits_mention_was_asked_for(
    store: Store, question: str, names: list[str]
) -> None:
    await told(store)
    assert sorted(await about(store, question)) == names


async def test_nobody_is_asked_for_where_nothing_was_found(store: Store) -> None:
    await told(store)
    assert await store.read(lambda c: asked_about(c, "Otto", [])) == ()


async def test_who_was_asked_for_rises_once_the_app_counts_it_and_cools_with_the_days(
    store: Store, questions: Questions, clock: FakeClock
) -> None:
    await told(store)
    before = await top(store, EntityKind.PERSON, now=clock.now())
    assert [one.name for one in before][-1] == "Otto Brandt"
    for _ in range(9):
        await note(questions, store, "what did Otto say?")
    assert await rows(store, "SELECT * FROM query_hits") == []
    assert await questions.count() == 9
    risen = await top(store, EntityKind.PERSON, now=clock.now())
    assert risen[0].name == "Otto Brandt"
    later = await top(store, EntityKind.PERSON, now=clock.now() + timedelta(days=20))
    cooled = next(one for one in later if one.name == "Otto Brandt")
    assert 0 < cooled.hotness < risen[0].hotness
    gone = await top(store, EntityKind.PERSON, now=clock.now() + WINDOW + timedelta(days=1))
    assert next(one for one in gone if one.name == "Otto Brandt").hotness == 0


async def test_a_note_counts_once_though_the_app_died_before_it_dropped_it(
    store: Store, questions: Questions, home: Home, key: Key, clock: FakeClock
) -> None:
    await told(store)
    await note(questions, store, "Otto's budget")
    with Reads.open(home, key, now=clock.now()) as reads:
        (noted,) = reads.asked(limit=9)
    assert await questions.count() == 1
    with Reads.open(home, key, now=clock.now()) as reads:
        assert reads.asked(limit=9) == []
    put_back(noted, home, key)
    assert await questions.count() == 0
    assert await rows(store, "SELECT hits FROM query_hits") == [(1,)]


async def test_a_new_file_of_notes_is_counted_though_its_numbers_began_anew(
    store: Store, questions: Questions, home: Home, clock: FakeClock
) -> None:
    await told(store)
    await note(questions, store, "Otto's budget")
    assert await questions.count() == 1
    for part in home.data.glob("reads.db*"):
        part.unlink()
    clock.advance(timedelta(minutes=1))
    await note(questions, store, "Otto's budget")
    assert await questions.count() == 1


async def test_whoever_was_forgotten_since_is_not_counted(
    store: Store, questions: Questions, clock: FakeClock
) -> None:
    await told(store)
    otto = await found(store, "Otto Brandt")
    await note(questions, store, "Otto's budget")
    await forgotten(store, clock, otto.id)
    await questions.count()
    assert await rows(store, "SELECT * FROM query_hits") == []


async def test_what_was_asked_before_the_window_leaves_the_store(
    store: Store, questions: Questions, clock: FakeClock
) -> None:
    await told(store)
    await note(questions, store, "Otto's budget")
    await questions.count()
    clock.advance(WINDOW + timedelta(days=1))
    await note(questions, store, "Rui's budget")
    await questions.count()
    assert len(await rows(store, "SELECT * FROM query_hits")) == 1


async def test_finding_goes_before_counting(store: Store, questions: Questions, home: Home) -> None:
    await told(store)
    place_of(home).mkdir()
    await note(questions, store, "Otto's budget")
    assert not list(place_of(home).iterdir())
