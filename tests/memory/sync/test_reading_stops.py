"""How the last reading of a source went is kept with it: to its end, or why not, and when something last came in."""

import asyncio
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import PassingError, UserCanFixError
from heedful.core.events import SourceProgressed
from heedful.core.paths import Home
from heedful.memory import Library, SourceRow
from heedful.memory.messages.sources_store import Stop
from heedful.memory.sync.watched import WatchedSources
from heedful.sources import Batch
from heedful.sources.messages_jsonl import MessagesJsonl
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import settle
from tests.memory.incoming import MONDAY, A, do, letter, rows, take
from tests.memory.sync.test_library import export, row


@pytest.fixture
def library(store: Store, bus: Bus, clock: FakeClock) -> Library:
    return Library(store, bus, clock)


@pytest.fixture
def long(tmp_path: Path) -> Path:
    return export(tmp_path / "long.messages.jsonl", *(row(number) for number in range(900)))


async def only(library: Library) -> SourceRow:
    (found,) = await library.sources()
    return found


async def cancelled(library: Library, path: Path) -> None:
    """Reads a source and is cancelled after its first batch."""
    reading: asyncio.Task[object] | None = None

    def stop_it(_: SourceProgressed) -> None:
        assert reading is not None
        reading.cancel()

    source_id = await library.add(path)
    reading = asyncio.ensure_future(library.sync(source_id, progress=stop_it))
    with pytest.raises(asyncio.CancelledError):
        await reading


async def test_a_cancelled_reading_says_after_how_many_of_about_how_many_it_stopped(
    library: Library, long: Path
) -> None:
    await cancelled(library, long)
    found = await only(library)
    assert found.last_sync_at is None
    assert found.reading_at is None
    assert found.stop is not None
    assert (found.stop.reason, found.stop.done) == ("cancelled", found.messages)
    assert found.stop.total is not None
    assert abs(found.stop.total - 900) < 30
    await library.sync(found.id)
    found = await only(library)
    assert (found.stop, found.messages) == (None, 900)
    assert found.last_sync_at is not None


async def test_why_a_reading_stopped_is_there_after_a_restart(
    library: Library, long: Path, store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await cancelled(library, long)
    store.close()
    again = Store.open(home, key, Bus())
    try:
        found = await only(Library(again, Bus(), clock))
        assert found.stop is not None
    finally:
        again.close()


async def test_pausing_a_source_while_it_is_read_stops_it_after_the_batch_at_hand(
    library: Library, long: Path
) -> None:
    source_id = await library.add(long)
    pausing: list[asyncio.Task[None]] = []

    def pause_once(_: SourceProgressed) -> None:
        if not pausing:
            pausing.append(asyncio.ensure_future(library.pause(source_id)))

    report = await library.sync(source_id, progress=pause_once)
    await asyncio.gather(*pausing)
    found = await only(library)
    assert report.is_paused
    assert 0 < found.messages < 900
    assert (found.state, found.last_sync_at) == ("paused", None)
    assert found.stop is not None
    assert found.stop.reason == "paused"
    await library.resume(source_id)
    await library.sync(source_id)
    assert (await only(library)).messages == 900


async def test_an_error_halfway_keeps_what_was_read_and_says_how_far_it_came(
    library: Library, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_id = await library.add(long)
    whole = MessagesJsonl.read

    def halfway(self: MessagesJsonl, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        yield next(whole(self, path, cursor, clock=clock))
        raise UserCanFixError("The disk fails")

    monkeypatch.setattr(MessagesJsonl, "read", halfway)
    with pytest.raises(UserCanFixError):
        await library.sync(source_id)
    found = await only(library)
    assert found.state == "error"
    assert found.stop is not None
    assert (found.stop.reason, found.stop.done) == ("error", found.messages)
    assert found.messages > 0


async def test_a_bug_halfway_leaves_no_source_that_seems_to_be_read(library: Library, long: Path) -> None:
    source_id = await library.add(long)

    def stumble(_: SourceProgressed) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await library.sync(source_id, progress=stumble)
    found = await only(library)
    assert (found.reading_at, found.state) == (None, "active")
    assert found.stop is not None
    assert (found.stop.reason, found.stop.done) == ("error", found.messages)


async def test_a_place_that_may_not_be_read_is_told_and_nothing_of_it_is_lost(
    library: Library, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_id = await library.add(long)
    await library.sync(source_id)

    def refused(*_: object, **__: object) -> object:
        raise PermissionError

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(UserCanFixError, match="may not read"):
        await library.sync(source_id)
    monkeypatch.undo()
    found = await only(library)
    assert (found.state, found.messages) == ("error", 900)
    await library.sync(source_id)
    assert (await only(library)).state == "active"


async def test_a_store_in_use_elsewhere_is_no_fault_of_the_source(
    library: Library, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_id = await library.add(long)

    def busy(*_: object, **__: object) -> object:
        raise PassingError("The store is busy")

    monkeypatch.setattr(MessagesJsonl, "read", busy)
    with pytest.raises(PassingError):
        await library.sync(source_id)
    found = await only(library)
    assert (found.state, found.stop) == ("active", Stop("busy", 0, None))


async def test_a_reading_over_which_the_process_died_is_told_by_the_next_one(
    library: Library, long: Path, store: Store, bus: Bus
) -> None:
    source_id = await library.add(long, watched=False)
    await library.sync(source_id)
    await do(store, lambda c: c.execute("UPDATE sources SET reading_since = 1"))
    await WatchedSources(library, bus).read_all()
    found = await only(library)
    assert found.stop == Stop("cut off", 900, None)
    assert found.reading_at is None


async def test_old_mail_that_comes_in_now_is_fresh(
    library: Library, clock: FakeClock, tmp_path: Path
) -> None:
    old = export(tmp_path / "old.messages.jsonl", row(1, sent_at="2019-01-01T10:00:00+00:00"))
    await library.sync(await library.add(old))
    taken_in = clock.now()
    assert (await only(library)).last_new_at == taken_in
    clock.advance(timedelta(days=1))
    await library.sync((await only(library)).id)
    found = await only(library)
    assert (found.last_new_at, found.last_sync_at) == (taken_in, clock.now())


async def test_pending_is_what_a_job_waits_to_work_on_and_what_was_left_out_is_not(
    store: Store, bus: Bus, clock: FakeClock
) -> None:
    await take(store, A, letter(1, "ok"), letter(2, "Shall we meet in the garden on Monday?"), now=MONDAY)
    library = Library(store, bus, clock)
    assert (await only(library)).pending == 2
    await settle(store, clock)
    assert await rows(store, "SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT chunk_seq FROM vectors)")
    assert (await only(library)).pending == 0
    await take(store, A, letter(3), now=MONDAY)
    assert (await only(library)).pending == 1
    await do(store, lambda c: c.execute("UPDATE jobs SET state = 'failed' WHERE kind = 'seal'"))
    assert (await only(library)).pending == 0
