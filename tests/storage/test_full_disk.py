"""A disk without room: one sentence, nothing acknowledged lost, and on again once there is room."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, UserCanFixError
from heedful.core.events import Event, StoreStateChanged
from heedful.core.paths import home_at
from heedful.storage import Connection, Key, KeyKind, Store

MEGABYTE = "x" * 1_000_000
KEY = Key(KeyKind.KEYRING, "5a" * 32)


def keep(connection: Connection) -> tuple[int, list[Event]]:
    connection.execute("INSERT INTO participants (address, name) VALUES ('', ?)", (MEGABYTE,))
    row = connection.last_row_id()
    connection.execute("UPDATE participants SET address = id WHERE id = ?", (row,))
    return row, []


def count(connection: Connection) -> int:
    return int(connection.value("SELECT count(*) FROM participants") or 0)


async def test_a_store_that_may_not_grow_says_so_and_goes_on_once_it_may(
    store: Store, bus: Bus, expected_logs: list[str]
) -> None:
    told: list[str] = []
    bus.subscribe(StoreStateChanged, lambda event: told.append(event.state))

    def keep_without_room(connection: Connection) -> tuple[int, list[Event]]:
        pages = connection.value("PRAGMA page_count")
        connection.execute(f"PRAGMA max_page_count = {int(pages or 0) + 1}")
        return keep(connection)

    await store.write(keep)
    with pytest.raises(DamageError, match="disk is full") as caught:
        await store.write(keep_without_room)
    assert "nothing saved so far is lost" in caught.value.message
    assert "Free some space" in caught.value.hint
    assert await store.read(count) == 1
    await store.write(keep)
    assert await store.read(count) == 2
    assert told == ["damaged", "open"]
    assert expected_logs == ["WARNING heedful.storage.store: a write failed: DamageError"]


async def kept(store: Store) -> int | None:
    """The row that was acknowledged, or None where there was no room for it."""
    try:
        return await store.write(keep)
    except DamageError:
        return None


def remount(folder: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MB; skipped where this user may not mount one, for there the test above stands alone."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    if mount is None or os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("this machine does not let a disk be mounted")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_loses_nothing_that_was_acknowledged(
    small_disk: Path, expected_logs: list[str]
) -> None:
    home = home_at(small_disk)
    store = Store.open(home, KEY, Bus())
    acknowledged = 0
    while (row := await kept(store)) is not None:
        acknowledged = row
    assert acknowledged > 0
    for _ in range(3):
        with pytest.raises(DamageError) as caught:
            await store.write(keep)
        assert caught.value.hint
    assert await store.read(count) == acknowledged
    store.close()
    assert len(expected_logs) == 4
    remount(small_disk, "size=64m")
    store = Store.open(home, KEY, Bus())
    assert await store.read(count) == acknowledged
    assert await store.read(lambda c: c.value("PRAGMA integrity_check")) == "ok"
    assert await store.write(keep) == acknowledged + 1
    store.close()


async def test_a_disk_that_becomes_read_only_is_told_with_a_remedy(small_disk: Path) -> None:
    home = home_at(small_disk)
    store = Store.open(home, KEY, Bus())
    await store.write(keep)
    store.close()
    remount(small_disk, "ro")
    try:
        for read_only in (False, True):
            with pytest.raises(UserCanFixError) as caught:
                Store.open(home, KEY, Bus(), read_only=read_only)
            assert "read-only" in caught.value.message
            assert "--home" in caught.value.hint
    finally:
        remount(small_disk, "rw")
    store = Store.open(home, KEY, Bus())
    assert await store.read(count) == 1
    store.close()
