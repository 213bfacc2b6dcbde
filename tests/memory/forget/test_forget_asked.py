"""What other programs asked goes from the record of reads with what the person forgets."""

import json
from collections.abc import Sequence
from datetime import timedelta

import pytest

from heedful.core.paths import Home
from heedful.memory.archivist.forget_all import wipe
from heedful.memory.forget import retention
from heedful.memory.forget.at_once import forget_now
from heedful.memory.forget.retention import forget_expired
from heedful.memory.reads import ARGUMENTS_LENGTH, CLEARED, Read, Reads, place_of
from heedful.sources import Person
from heedful.storage import Connection, Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import stored
from tests.memory.incoming import MONDAY, A, take
from tests.memory.reading_along import mail

QUIRIN = Person("Quirin Zech", "q.zech@zech.example")
KEPT = {"query": "boats of the club", "limit": 5}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(MONDAY + timedelta(days=2))


async def about(store: Store) -> None:
    await take(
        store, A,
        mail(1, "The xylophone of Zoë is in the attic.", subject="Attic", thread_key="t"),
        mail(2, "The boats lie at the club.", thread_key="u"),
        mail(3, "Shall we row?", author=QUIRIN, thread_key="v"),
        mail(4, "明日の会議は東京で。", thread_key="w"),
    )  # fmt: skip


def ask(home: Home, key: Key, clock: FakeClock, *given: object) -> None:
    with Reads.open(home, key, now=clock.now()) as reads:
        for one in given:
            told = json.dumps(one)[:ARGUMENTS_LENGTH]
            reads.add(Read(clock.now(), "helper", "memory.search", told, "answered", handed=("c1",)))


def asked(home: Home, key: Key, clock: FakeClock) -> Sequence[str]:
    with Reads.open(home, key, now=clock.now()) as reads:
        return [row.arguments for row in reversed(reads.newest())]


@pytest.mark.parametrize(
    ("which", "given"),
    [
        ("x1", {"query": "where is the XYLOPHONE?"}),
        ("x1", {"query": "what does zoe keep"}),
        ("x1", {"query": "keys.xylophone-7.example"}),
        ("x1", {"ids": ["a"], "deep": {"words": ["attic"]}}),
        ("x1", {"query": "xylophone " + "and so on " * 300}),
        ("x4", {"query": "東京"}),
    ],
)
async def test_a_question_in_words_of_what_is_forgotten_loses_them(
    which: str, given: object, store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await about(store)
    ask(home, key, clock, given, KEPT)
    await forget_now(store, clock, [(await stored(store, which)).id])
    assert asked(home, key, clock) == [CLEARED, json.dumps(KEPT)]
    with Reads.open(home, key, now=clock.now()) as reads:
        assert [(row.client, row.handed) for row in reads.newest()] == [("helper", ("c1",))] * 2


async def test_a_question_that_names_a_person_goes_with_the_person(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await about(store)
    ask(home, key, clock, {"query": "what did Quirin say"}, {"person": QUIRIN.address}, KEPT)
    await forget_now(store, clock, [QUIRIN.address])
    assert asked(home, key, clock) == [CLEARED, CLEARED, json.dumps(KEPT)]


async def test_what_is_past_its_time_takes_its_questions_along(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await about(store)
    ask(home, key, clock, {"query": "xylophone"}, {"query": "harpsichord"})

    def keep(connection: Connection) -> tuple[None, list[object]]:
        retention.keep_for(connection, A, 1)
        return None, []

    await store.write(keep)  # type: ignore[arg-type] # no news
    assert (await forget_expired(store, clock)).messages == 4
    assert asked(home, key, clock) == [CLEARED, json.dumps({"query": "harpsichord"})]


async def test_the_words_are_gone_from_the_file_and_its_log_too(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await about(store)
    ask(home, key, clock, {"query": "xylophone"})
    await forget_now(store, clock, [(await stored(store, "x1")).id])
    log = place_of(home).with_name("reads.db-wal")
    assert not log.exists() or log.stat().st_size == 0
    store.close()
    wipe(home)
    assert not place_of(home).exists()


async def test_where_nobody_asked_anything_no_record_is_made(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    del key
    await about(store)
    await forget_now(store, clock, [(await stored(store, "x1")).id])
    assert not place_of(home).exists()
