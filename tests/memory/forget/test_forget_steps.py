"""Much is forgotten in steps: other writes find their turn between them, and what is cut off goes on by itself."""

import asyncio
import threading
from datetime import timedelta

import pytest

from heedful.memory.forget import steps
from heedful.memory.forget.at_once import forget_now
from heedful.memory.forget.targets import Target, messages_of
from heedful.sources import Person
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import everything, settle
from tests.memory.incoming import ANA, A, B, do, letter, rows, take

CANARY = "zquorkab"
CARLA = Person("Carla Zquorkab", "carla@zquorkab.example")
ME = Person("Bo Lind", "bo@lind.example")
MANY = 24


@pytest.fixture(autouse=True)
def _small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "AT_ONCE", 4)


async def lived_in(store: Store, clock: FakeClock) -> None:
    """A source with much, one that holds a letter of it too, and a talk between two that names nobody it is for."""
    many = [letter(n, f"The {CANARY} report, number {n}.", author=CARLA, to=(ANA,)) for n in range(MANY)]
    talk = [
        letter(
            100 + n, f"Word {n} of {CANARY}", author=ME if n % 2 else CARLA, from_me=bool(n % 2), to=(),
            thread_key="talk", channel="chat",
        )
        for n in range(6)
    ]  # fmt: skip
    await take(store, A, *many, *talk)
    await take(store, B, letter(200, "The garden is green.", author=ANA), many[0])
    await settle(store, clock)


async def left(store: Store) -> int:
    (row,) = await rows(store, "SELECT count(*) FROM messages")
    return int(row[0] or 0)


async def cut_off_halfway(store: Store, clock: FakeClock, word: str) -> None:
    whole = await left(store)
    forgetting = asyncio.ensure_future(forget_now(store, clock, [word]))
    while await left(store) == whole:
        await do(store, lambda _: None)
    forgetting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await forgetting
    assert 1 < await left(store) < whole


async def test_short_reads_are_answered_while_what_goes_is_gathered(
    store: Store, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await lived_in(store, clock)
    go_on = threading.Event()

    def slow(connection: Connection, target: Target) -> list[int]:
        assert go_on.wait(10)
        return messages_of(connection, target)

    monkeypatch.setattr(steps, "messages_of", slow)
    forgetting = asyncio.gather(forget_now(store, clock, [A]), forget_now(store, clock, [B]))
    try:
        async with asyncio.timeout(5):
            for _ in range(40):
                assert await left(store) == MANY + 7
    finally:
        go_on.set()
        await forgetting
    assert await left(store) == 0


async def test_other_writes_find_their_turn_while_much_is_forgotten(store: Store, clock: FakeClock) -> None:
    await lived_in(store, clock)
    whole = await left(store)
    seen: set[int] = set()
    forgetting = asyncio.ensure_future(forget_now(store, clock, [A]))
    while not forgetting.done():
        await do(store, lambda c: seen.add(int(c.value("SELECT count(*) FROM messages") or 0)))
    assert (await forgetting).messages == whole - 2
    assert len(seen - {whole, 2}) > 1
    assert await rows(store, "SELECT external_id FROM messages ORDER BY external_id") == [("x0",), ("x200",)]
    assert await rows(store, "SELECT id FROM sources") == [(B,)]


async def test_no_job_names_a_person_who_was_forgotten_in_steps(store: Store, clock: FakeClock) -> None:
    await lived_in(store, clock)
    await forget_now(store, clock, [CARLA.address])
    assert CANARY not in await everything(store)
    await settle(store, clock)
    assert CANARY not in await everything(store)


@pytest.mark.parametrize("word", [A, CARLA.address])
async def test_a_forgetting_that_was_cut_off_between_its_steps_goes_on_by_itself(
    store: Store, clock: FakeClock, word: str
) -> None:
    await lived_in(store, clock)
    await cut_off_halfway(store, clock, word)
    clock.advance(timedelta(minutes=3))
    await settle(store, clock)
    kept = [("x0",), ("x200",)] if word == A else [("x200",)]
    assert await rows(store, "SELECT external_id FROM messages ORDER BY external_id") == kept
    if word != A:
        assert CANARY not in await everything(store)
    assert await rows(store, "SELECT id FROM sources ORDER BY id") == ([(B,)] if word == A else [(A,), (B,)])
