"""The care of a real store: sizes, soundness, backups, an export beside other files, putting back and wiping."""

import json
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import UserCanFixError
from heedful.core.paths import Home
from heedful.memory.archivist.care import EXPORT_NAME, Care
from heedful.memory.archivist.housekeeping import Archivist
from heedful.memory.archivist.report import count_messages
from heedful.memory.work.host_load import AT_FULL_PACE
from heedful.storage import Key, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import A, letter, take


@pytest.fixture
def care(store: Store, home: Home, key: Key, clock: FakeClock) -> Care:
    return Care(store, home, key, clock, archivist(store, home, key, clock))


def archivist(store: Store, home: Home, key: Key, clock: FakeClock) -> Archivist:
    return Archivist(store, home, key, clock, gauge=lambda: AT_FULL_PACE)


def messages_in(home: Home, key: Key) -> int:
    reopened = Store.open(home, key, Bus())
    try:
        return reopened.read_now(count_messages)
    finally:
        reopened.close()


async def test_size_and_its_parts_are_told_and_a_sound_store_passes(care: Care, store: Store) -> None:
    await take(store, A, letter(1, "Good morning."))
    await care.check()
    report = await care.report()
    assert report.messages == 1
    assert sum(report.rooms.values()) + report.free_bytes > 0
    assert await care.size_bytes() > 0


async def test_when_a_check_found_it_sound_is_known_after_a_restart(
    care: Care, store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    assert await care.checked_at() is None
    await care.check()
    store.close()
    reopened = Store.open(home, key, Bus())
    try:
        assert (
            await Care(reopened, home, key, clock, archivist(reopened, home, key, clock)).checked_at()
            == clock.now()
        )
    finally:
        reopened.close()


async def test_a_backup_is_listed_with_its_time_and_size(care: Care, clock: FakeClock) -> None:
    assert await care.backups() == ()
    await care.back_up()
    (made,) = await care.backups()
    assert (made.file.parent, made.made_at) == (care.backup_folder, clock.now().replace(microsecond=0))
    assert made.size_bytes > 0


async def test_a_backup_put_back_brings_what_was_there_when_it_was_made(
    care: Care, store: Store, home: Home, key: Key
) -> None:
    await take(store, A, letter(1, "Good morning."))
    await care.back_up()
    (made,) = await care.backups()
    await take(store, A, letter(2, "Good evening."))
    store.close()
    care.restoring(made.file)()
    assert messages_in(home, key) == 1


async def test_wiping_leaves_an_empty_store_and_no_backup(
    care: Care, store: Store, home: Home, key: Key
) -> None:
    await take(store, A, letter(1, "Good morning."))
    await care.back_up()
    store.close()
    care.wiping()()
    assert await care.backups() == ()
    assert messages_in(home, key) == 0


async def test_what_needs_the_store_closed_is_refused_while_it_is_open(care: Care, store: Store) -> None:
    await take(store, A, letter(1, "Good morning."))
    with pytest.raises(UserCanFixError):
        care.wiping()()
    assert await store.read(count_messages) == 1


async def test_an_export_goes_into_a_free_folder_or_beside_other_files_into_one_of_its_own(
    care: Care, store: Store, tmp_path: Path
) -> None:
    await take(store, A, letter(1, "Good morning."))
    free = tmp_path / "free"
    where, done = await care.export(free, items=[], sources=[])
    assert (where, done.messages) == (free, 1)
    assert json.loads((free / "items.json").read_text("utf-8")) == []
    assert (await care.export(free, items=[], sources=[]))[0] == free
    empty = tmp_path / "empty"
    empty.mkdir()
    assert (await care.export(empty, items=[], sources=[]))[0] == empty
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "mine.txt").write_text("mine", "utf-8")
    where, _ = await care.export(taken, items=[], sources=[])
    assert where == taken / EXPORT_NAME
    assert (taken / "mine.txt").read_text("utf-8") == "mine"
