"""One lane of writes, readers beside it: what a caller may rely on."""

import asyncio
import threading
from collections.abc import Sequence

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import HeedfulError, PassingError, RejectedError
from heedful.core.events import Event, SourcesChanged, StoreStateChanged
from heedful.core.ids import SourceId
from heedful.core.paths import Home
from heedful.storage import Connection, Key, Store
from heedful.storage.store import QUEUE_BOUND

Written = tuple[None, Sequence[Event]]


def add(name: str, *events: Event) -> "Work":
    return Work(name, events)


class Work:
    """A write of one row; `begun` and `go_on` let a test hold it up in the lane."""

    def __init__(self, name: str, events: Sequence[Event] = (), *, held: bool = False) -> None:
        self.name = name
        self.events = events
        self.begun = threading.Event()
        self.go_on = threading.Event()
        if not held:
            self.go_on.set()

    def __call__(self, connection: Connection) -> Written:
        connection.execute("INSERT INTO participants (address, name) VALUES ('', ?)", (self.name,))
        self.begun.set()
        assert self.go_on.wait(10)
        return None, self.events


def names(connection: Connection) -> list[str]:
    return [str(name) for (name,) in connection.rows("SELECT name FROM participants ORDER BY id")]


async def begun(work: Work) -> None:
    assert await asyncio.to_thread(work.begun.wait, 10)


async def test_an_answer_means_that_it_is_on_disk_for_everybody(store: Store) -> None:
    await store.write(add("a"))
    assert await store.read(names) == ["a"]


async def test_events_are_told_after_the_commit_and_before_the_answer(store: Store, bus: Bus) -> None:
    seen: list[list[str]] = []
    bus.subscribe(SourcesChanged, lambda _: seen.append(store.read_now(names)))
    await store.write(add("a", SourcesChanged(SourceId("s"))))
    assert seen == [["a"]]


async def test_events_of_many_writes_are_told_in_the_order_of_the_commits(store: Store, bus: Bus) -> None:
    told: list[str] = []
    bus.subscribe(SourcesChanged, lambda event: told.append(event.source_id))
    wanted = [f"{number:03}" for number in range(100)]
    await asyncio.gather(*(store.write(add(name, SourcesChanged(SourceId(name)))) for name in wanted))
    assert told == wanted
    assert await store.read(names) == wanted


async def test_a_failing_write_keeps_nothing_tells_nothing_and_leaves_the_lane_alive(
    store: Store, bus: Bus, expected_logs: list[str]
) -> None:
    told: list[Event] = []
    bus.subscribe(Event, told.append)

    def fail(connection: Connection) -> Written:
        connection.execute("INSERT INTO participants (address, name) VALUES ('', 'half')")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.write(fail)
    await store.write(add("whole"))
    assert await store.read(names) == ["whole"]
    assert told == []
    assert expected_logs == ["WARNING heedful.storage.store: a write failed: ZeroDivisionError"]


async def test_a_write_that_is_turned_down_is_no_trouble_worth_a_warning(store: Store) -> None:
    def refuse(_: Connection) -> Written:
        raise RejectedError("There is no such item")

    with pytest.raises(RejectedError):
        await store.write(refuse)


async def test_readers_see_the_committed_state_beside_a_long_write(store: Store) -> None:
    await store.write(add("before"))
    slow = Work("slow", held=True)
    writing = asyncio.ensure_future(store.write(slow))
    await begun(slow)
    assert await store.read(names) == ["before"]
    slow.go_on.set()
    await writing
    assert await store.read(names) == ["before", "slow"]


async def test_however_many_long_reads_wait_a_short_one_is_answered(store: Store) -> None:
    await store.write(add("before"))
    go_on = threading.Event()

    def slow(connection: Connection) -> list[str]:
        go_on.wait(10)
        return names(connection)

    reading = asyncio.gather(*(store.read_long(slow) for _ in range(3)))
    assert await asyncio.wait_for(store.read(names), 5) == ["before"]
    assert not reading.done()
    go_on.set()
    assert await reading == [["before"]] * 3


async def test_one_read_sees_one_state_however_long_it_takes(store: Store) -> None:
    looked, go_on = threading.Event(), threading.Event()

    def twice(connection: Connection) -> tuple[list[str], list[str]]:
        first = names(connection)
        looked.set()
        assert go_on.wait(10)
        return first, names(connection)

    reading = asyncio.ensure_future(store.read(twice))
    await asyncio.to_thread(looked.wait, 10)
    await store.write(add("meanwhile"))
    go_on.set()
    assert await reading == ([], [])


async def test_a_read_that_fails_leaves_the_reader_usable(store: Store) -> None:
    def fail(_: Connection) -> None:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await store.read(fail)
    assert await store.read(names) == []


async def test_a_caller_who_gives_up_waiting_does_not_lose_the_write_or_its_news(
    store: Store, bus: Bus
) -> None:
    told: list[str] = []
    bus.subscribe(SourcesChanged, lambda event: told.append(event.source_id))
    slow = Work("running", [SourcesChanged(SourceId("running"))], held=True)
    running = asyncio.ensure_future(store.write(slow))
    queued = asyncio.ensure_future(store.write(add("queued", SourcesChanged(SourceId("queued")))))
    await begun(slow)
    for waiting in (running, queued):
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    slow.go_on.set()
    await store.write(add("next"))
    assert await store.read(names) == ["running", "queued", "next"]
    assert told == ["running", "queued"]


async def test_more_writes_than_the_lane_holds_wait_without_holding_up_the_loop(store: Store) -> None:
    slow = Work("slow", held=True)
    first = asyncio.ensure_future(store.write(slow))
    await begun(slow)
    rest = [asyncio.ensure_future(store.write(add(str(number)))) for number in range(2 * QUEUE_BOUND)]
    for _ in range(5):
        await asyncio.sleep(0)  # the loop still turns
    assert not any(task.done() for task in rest)
    slow.go_on.set()
    await asyncio.gather(first, *rest)
    assert await store.read(names) == ["slow", *(str(number) for number in range(2 * QUEUE_BOUND))]


async def test_closing_drains_what_was_taken_in(store: Store, home: Home, key: Key) -> None:
    slow = Work("slow", held=True)
    writes = [asyncio.ensure_future(store.write(slow))]
    await begun(slow)
    writes += [asyncio.ensure_future(store.write(add(str(number)))) for number in range(5)]
    await asyncio.sleep(0)
    closing = asyncio.ensure_future(asyncio.to_thread(store.close))
    slow.go_on.set()
    await closing
    await asyncio.gather(*writes)
    again = Store.open(home, key, Bus())
    assert again.read_now(names) == ["slow", "0", "1", "2", "3", "4"]
    again.close()


async def test_a_closed_store_says_so_to_whoever_comes_late(store: Store) -> None:
    await store.read(names)
    store.close()
    store.close()
    with pytest.raises(PassingError, match="closed"):
        await store.write(add("late"))
    with pytest.raises(PassingError, match="closed"):
        await store.read(names)
    with pytest.raises(PassingError, match="closed"):
        store.read_now(names)


@pytest.mark.parametrize("how", ["read", "read_long"])
async def test_closing_cuts_a_long_query_off_instead_of_waiting_for_it(store: Store, how: str) -> None:
    running = threading.Event()

    def count_for_ever(connection: Connection) -> None:
        running.set()
        connection.value(
            "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        )

    reading = asyncio.ensure_future(getattr(store, how)(count_for_ever))
    await asyncio.to_thread(running.wait, 10)
    await asyncio.to_thread(store.close)
    with pytest.raises(HeedfulError, match="closed"):
        await reading


async def test_a_savepoint_undoes_only_itself(store: Store) -> None:
    def work(connection: Connection) -> Written:
        connection.execute("INSERT INTO participants (address, name) VALUES ('', 'kept')")
        with pytest.raises(ZeroDivisionError):
            fail_in_a_savepoint(connection)
        return None, []

    def fail_in_a_savepoint(connection: Connection) -> None:
        with connection.savepoint("one"):
            connection.execute("INSERT INTO participants (address, name) VALUES ('', 'undone')")
            raise ZeroDivisionError

    await store.write(work)
    assert await store.read(names) == ["kept"]


async def test_a_write_function_can_not_commit_half_of_its_work(
    store: Store, expected_logs: list[str]
) -> None:
    def sly(connection: Connection) -> Written:
        connection.execute("INSERT INTO participants (address, name) VALUES ('', 'half')")
        connection.execute("BEGIN")
        return None, []

    with pytest.raises(Exception, match="transaction within a transaction"):
        await store.write(sly)
    assert await store.read(names) == []
    assert len(expected_logs) == 1


async def test_no_state_is_told_while_all_is_well(store: Store, bus: Bus) -> None:
    told: list[StoreStateChanged] = []
    bus.subscribe(StoreStateChanged, told.append)
    await store.write(add("a"))
    assert told == []


async def test_the_log_is_emptied_unless_somebody_reads_from_it(store: Store, home: Home, key: Key) -> None:
    log = home.database.with_name(home.database.name + "-wal")
    await store.write(add("Ana"))
    reader = Connection(home.database, key.hex, read_only=True)
    try:
        with reader.snapshot():
            assert names(reader) == ["Ana"]
            await store.write(add("Rui"))
            assert not await store.fold_log()
        assert await store.fold_log()
        assert log.stat().st_size == 0
    finally:
        reader.close()
    assert await store.read(names) == ["Ana", "Rui"]
