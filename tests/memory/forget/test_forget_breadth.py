"""Whatever is forgotten, and whatever leaves its source: no byte of it is left in the store or in the next backup."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from heedful.core.bus import Bus
from heedful.core.paths import Home
from heedful.memory import Library
from heedful.memory.archivist.backup import back_up
from heedful.memory.forget.at_once import forget_now
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources import Person
from heedful.storage import Key, KeyKind, Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.archivist.test_backup import decrypted
from tests.memory.forgetting import everything, put_item, put_traces, stored
from tests.memory.incoming import ANA, MONDAY, RUI, A, B, C, do, letter, rows, take
from tests.memory.workshop import tools_of

CANARY = "zquorkab"
CARLA = Person("Carla Zquorkab", "carla@zquorkab.example")
SECRET = (
    f"Could you please send the {CANARY} report to Bruno before Friday? Call {CANARY}@zquorkab.example, it costs "
    f"€ 4,200.00 and belongs to Project {CANARY.title()}. Dr. {CANARY.title()} works with Ana Lopes.\n\n"
    "Thank you,\nCarla"
)
KEPT = "The garden is green, says the letter with the number"

Removal = Callable[[Store, Bus, FakeClock], Awaitable[object]]


async def settle(store: Store, clock: FakeClock) -> None:
    tools = replace(tools_of(store, clock), meaning=FakeMeaning(BoxEmbedder()))
    settled = await Worker(tools, job_kinds).settle()
    assert (settled.failed, settled.deferred) == (0, 0)


async def lived_in(store: Store, clock: FakeClock) -> None:
    """A store in which two letters of one thread, by one person, from one source speak of the canary."""
    others = [
        letter(number, f"{KEPT} {number}.", author=RUI if number % 2 else ANA, thread_key=f"t{number % 3}")
        for number in range(10, 24)
    ]
    await take(store, A, *others[:7])
    await take(store, B, *others[7:])
    secrets = [
        letter(
            number, f"{SECRET} ({number})", subject=f"About {CANARY}", thread_title=f"About {CANARY}", author=CARLA,
            thread_key="secret", to=(ANA,),
        )
        for number in (1, 2)
    ]  # fmt: skip
    await take(store, C, *secrets)
    await settle(store, clock)
    clock.advance(timedelta(days=2))
    await settle(store, clock)
    first, second = await stored(store, "x1"), await stored(store, "x2")
    for name, state in (("i1", "active"), ("i2", "dismissed"), ("i3", "completed")):
        await do(
            store,
            lambda c, n=name, s=state: put_item(c, n, f"Send the {CANARY} report", first, second, state=s),  # type: ignore[misc] # bound now
        )
    await do(store, lambda connection: put_traces(connection, first))
    assert (await everything(store)).count(CANARY) > 30


async def of_messages(store: Store, bus: Bus, clock: FakeClock) -> None:
    del bus
    await forget_now(store, clock, [(await stored(store, number)).id for number in ("x1", "x2")])


async def of_a_thread(store: Store, bus: Bus, clock: FakeClock) -> None:
    del bus
    await forget_now(store, clock, [(await stored(store, "x1")).thread_id])


async def of_a_person(store: Store, bus: Bus, clock: FakeClock) -> None:
    del bus
    await forget_now(store, clock, [CARLA.address])


async def of_a_source(store: Store, bus: Bus, clock: FakeClock) -> None:
    del bus
    await forget_now(store, clock, [C])


async def by_removal(store: Store, bus: Bus, clock: FakeClock) -> None:
    await Library(store, bus, clock).remove(C)


async def at_the_source(store: Store, bus: Bus, clock: FakeClock) -> None:
    del bus
    await take(store, C, gone=["x1", "x2"], now=clock.now())


@pytest.mark.parametrize(
    "remove", [of_messages, of_a_thread, of_a_person, of_a_source, by_removal, at_the_source]
)
async def test_nothing_of_it_is_left_in_any_table_nor_in_a_byte_of_the_store_or_the_next_backup(
    store: Store, home: Home, key: Key, bus: Bus, remove: Removal
) -> None:
    clock = FakeClock(MONDAY)
    await lived_in(store, clock)
    vectors = await rows(store, "SELECT count(*) FROM vectors")
    await remove(store, bus, clock)
    await settle(store, clock)
    assert CANARY not in await everything(store)
    assert await rows(store, "SELECT count(*) FROM messages") == [(14,)]
    assert await rows(store, "SELECT count(*) FROM vectors") < vectors
    assert await rows(
        store, "SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT chunk_seq FROM vectors)"
    ) == [(0,)]
    assert await rows(store, "SELECT count(*) FROM nodes WHERE text LIKE '%garden%'") > [(0,)]
    decided = [("i2", "dismissed"), ("i3", "completed")] if remove is at_the_source else []
    assert await rows(store, "SELECT id, state FROM actionables ORDER BY id") == decided
    (call,) = await rows(store, "SELECT request, response, input_tokens FROM ledger")
    assert call == (None, None, 9)
    backup = back_up(home, key, now=clock.now())
    store.close()
    for file in (backup, home.database):
        clear = decrypted(file, key).lower()
        assert b"garden" in clear
        assert CANARY.encode() not in clear


@pytest.mark.parametrize("remove", [of_messages, at_the_source])
async def test_no_byte_of_it_is_left_in_any_file_while_the_store_is_open(
    home: Home, bus: Bus, remove: Removal
) -> None:
    clock = FakeClock(MONDAY)
    plain = Store.open(home, Key(KeyKind.UNENCRYPTED, None), bus)
    try:
        await lived_in(plain, clock)
        assert CANARY.encode() in everywhere(home)
        await remove(plain, bus, clock)
        await settle(plain, clock)
        assert b"garden" in everywhere(home)
        assert CANARY.encode() not in everywhere(home)
    finally:
        plain.close()


@pytest.mark.parametrize("remove", [of_messages, of_a_person, of_a_source])
async def test_when_forgetting_is_called_done_no_byte_of_it_is_left_though_no_job_ran(
    home: Home, bus: Bus, remove: Removal
) -> None:
    clock = FakeClock(MONDAY)
    plain = Store.open(home, Key(KeyKind.UNENCRYPTED, None), bus)
    try:
        await lived_in(plain, clock)
        await remove(plain, bus, clock)
        assert b"garden" in everywhere(home)
        assert CANARY.encode() not in everywhere(home)
    finally:
        plain.close()


def everywhere(home: Home) -> bytes:
    """Every byte of every file of the home, the write-ahead log's among them."""
    return b"".join(file.read_bytes() for file in home.data.rglob("*") if file.is_file()).lower()
