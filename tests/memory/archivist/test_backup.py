"""Backups are whole, locked with the same key, rotated, and lead back."""

import errno
import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, PassingError, UserCanFixError
from heedful.core.paths import Home, home_at
from heedful.memory import search
from heedful.memory.archivist.backup import (
    back_up,
    backups,
    earlier_copies,
    folder_of,
    is_due,
    lock_of,
    restore,
)
from heedful.storage import Connection, Key, KeyKind, Store, choose_passphrase, unlock
from heedful.storage.keys import LockedError
from heedful.storage.lock import StoreInUseError
from heedful.storage.migrating import migrations
from tests.fakes.clock import FakeClock
from tests.fakes.secrets import FakeSecrets
from tests.memory.forgetting import forgotten, stored
from tests.memory.incoming import A, rows, take
from tests.memory.reading_along import mail

GREEN, DRY = "The garden is green.", "The garden is dry."


async def texts(home: Home, key: Key) -> set[str]:
    again = Store.open(home, key, Bus())
    try:
        return {str(text) for (text,) in await rows(again, "SELECT text FROM messages")}
    finally:
        again.close()


def decrypted(file: Path, key: Key) -> bytes:
    """The file's bytes in the clear, freed pages included; the file stays so."""
    connection = Connection(file, key.hex)
    connection.script("PRAGMA journal_mode = DELETE")
    connection.script("PRAGMA rekey = ''")
    connection.close()
    return file.read_bytes()


async def backed_up_between(store: Store, home: Home, key: Key, clock: FakeClock) -> Path:
    """A backup made after a first letter came in and before a second one did."""
    await take(store, A, mail(1, GREEN))
    made = back_up(home, key, now=clock.now())
    await take(store, A, mail(2, DRY))
    return made


async def test_a_backup_brings_back_what_was_lost_since(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    backup = await backed_up_between(store, home, key, clock)
    store.close()
    aside = restore(home, key, backup, now=clock.now())
    assert await texts(home, key) == {GREEN}
    assert aside is not None
    restore(home, key, aside, now=clock.now())
    assert await texts(home, key) == {GREEN, DRY}


async def test_a_backup_that_is_cut_off_leaves_the_older_one_and_the_store_as_they_were(
    store: Store, home: Home, key: Key, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = await backed_up_between(store, home, key, clock)

    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(UserCanFixError) as raised:
            back_up(home, key, now=clock.now() + timedelta(days=1), keep=1)
    assert "is on is full. The store is as it was." in raised.value.sentence()
    assert backups(home) == [older]
    store.close()
    assert await texts(home, key) == {GREEN, DRY}
    restore(home, key, older, now=clock.now())
    assert await texts(home, key) == {GREEN}


async def test_the_folder_of_backups_and_the_passphrase_are_enough_on_another_computer(
    tmp_path: Path, clock: FakeClock
) -> None:
    home, elsewhere = home_at(tmp_path / "old"), home_at(tmp_path / "new")
    key = choose_passphrase(home, "correct horse")
    first = Store.open(home, key, Bus())
    await take(first, A, mail(1, "The garden is green.", subject="Garden"), mail(2, "The roof is red."))
    before = await first.read(lambda connection: search(connection, "garden"))
    made = back_up(home, key, now=clock.now())
    assert not list(folder_of(home).glob("*.new"))
    first.close()
    backup = Path(shutil.copytree(folder_of(home), tmp_path / "stick")) / made.name
    with pytest.raises(LockedError), lock_of(elsewhere, backup):
        unlock(elsewhere, FakeSecrets(), "wrong")
    assert not elsewhere.key_slot.exists()
    with lock_of(elsewhere, backup):
        again = unlock(elsewhere, FakeSecrets(), "correct horse")
        restore(elsewhere, again, backup, now=clock.now())
    second = Store.open(elsewhere, unlock(elsewhere, FakeSecrets(), "correct horse"), Bus())
    assert await second.read(lambda connection: search(connection, "garden")) == before
    second.close()


async def test_a_home_that_has_a_lock_keeps_it(home: Home, tmp_path: Path) -> None:
    choose_passphrase(home, "mine")
    mine = home.key_slot.read_bytes()
    (tmp_path / home.key_slot.name).write_text("another", encoding="utf-8")
    backup = tmp_path / "heedful-20261130T090000Z.db"
    backup.write_bytes(b"x")
    with lock_of(home, backup):
        assert home.key_slot.read_bytes() == mine
    assert home.key_slot.read_bytes() == mine


async def test_a_home_with_an_unlocked_store_gets_no_lock_of_a_backups(home: Home, tmp_path: Path) -> None:
    home.data.mkdir(parents=True)
    home.database.write_bytes(b"a store")
    (tmp_path / home.key_slot.name).write_text("another", encoding="utf-8")
    backup = tmp_path / "heedful-20261130T090000Z.db"
    backup.write_bytes(b"x")
    with lock_of(home, backup):
        assert not home.key_slot.exists()


async def test_a_backup_brings_back_a_store_that_is_damaged(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    store.close()
    home.database.write_bytes(b"\x00" * 8192)
    restore(home, key, backup, now=clock.now())
    assert await texts(home, key) == {GREEN}


async def test_a_store_that_was_cut_to_a_scrap_goes_aside_with_its_log_and_both_with_the_next_backup(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    store.close()
    home.database.write_bytes(b"\x00" * 100)
    home.database.with_name("heedful.db-wal").write_bytes(b"what could not be folded in")
    aside = restore(home, key, backup, now=clock.now())
    assert await texts(home, key) == {GREEN}
    assert aside is not None
    log = aside.with_name(aside.name + "-wal")
    assert log.read_bytes() == b"what could not be folded in"
    back_up(home, key, now=clock.now() + timedelta(days=1))
    assert not aside.exists()
    assert not log.exists()


async def test_what_a_killed_process_left_in_the_log_goes_aside_with_its_store_and_not_into_the_other(
    store: Store, home: Home, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    backup = await backed_up_between(store, home, key, clock)
    killed = home_at(tmp_path / "killed")
    shutil.copytree(home.data, killed.data)
    assert killed.database.with_name("heedful.db-wal").stat().st_size
    aside = restore(killed, key, backup, now=clock.now())
    assert await texts(killed, key) == {GREEN}
    assert aside is not None
    restore(killed, key, aside, now=clock.now())
    assert await texts(killed, key) == {GREEN, DRY}


async def test_a_store_that_another_program_reads_is_not_replaced_under_it(
    store: Store, home: Home, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    backup = await backed_up_between(store, home, key, clock)
    killed = home_at(tmp_path / "killed")
    shutil.copytree(home.data, killed.data)
    reader = Connection(killed.database, key.hex, read_only=True)
    with reader.snapshot():
        assert reader.value("SELECT count(*) FROM messages") == 2
        with pytest.raises(PassingError, match="another program reads it"):
            restore(killed, key, backup, now=clock.now())
    reader.close()
    assert await texts(killed, key) == {GREEN, DRY}


async def test_what_a_restore_set_aside_stays_until_a_backup_was_made_after_it(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    store.close()
    restored_at = clock.now() + timedelta(days=2)
    aside = restore(home, key, backup, now=restored_at)
    assert aside is not None
    assert aside in earlier_copies(home)
    back_up(home, key, now=restored_at - timedelta(days=1))
    assert aside.exists()
    back_up(home, key, now=restored_at + timedelta(days=1))
    assert not aside.exists()


async def test_a_backup_opens_with_the_stores_key_only(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    assert b"garden" not in backup.read_bytes()
    assert not backup.read_bytes().startswith(b"SQLite format 3")
    for wrong in (None, "6b" * 32):
        with pytest.raises(UserCanFixError):
            Connection(backup, wrong, read_only=True)


async def test_only_the_newest_backups_are_kept(store: Store, home: Home, key: Key, clock: FakeClock) -> None:
    made = []
    for _ in range(4):
        made.append(back_up(home, key, now=clock.now(), keep=2))
        clock.advance(timedelta(days=1))
    assert backups(home) == [made[3], made[2]]
    assert len(list(folder_of(home).iterdir())) == 2


async def test_a_backup_is_due_once_a_day(store: Store, home: Home, key: Key, clock: FakeClock) -> None:
    assert is_due(home, now=clock.now())
    back_up(home, key, now=clock.now())
    assert not is_due(home, now=clock.now() + timedelta(hours=23))
    assert is_due(home, now=clock.now() + timedelta(hours=24))


async def test_what_was_forgotten_is_in_no_byte_of_the_next_backup_nor_of_the_store(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, "The zquorkab is due."), mail(2, "The garden is green."))
    before = back_up(home, key, now=clock.now())
    await forgotten(store, clock, (await stored(store, "x1")).id)
    after = back_up(home, key, now=clock.now() + timedelta(days=1))
    store.close()
    assert b"zquorkab" in decrypted(before, key)
    for file in (after, home.database):
        clear = decrypted(file, key)
        assert b"garden" in clear
        assert b"zquorkab" not in clear


async def test_a_running_heedful_keeps_its_store(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    backup = back_up(home, key, now=clock.now())
    with pytest.raises(StoreInUseError):
        restore(home, key, backup, now=clock.now())


async def test_what_is_no_backup_is_refused_and_the_store_stays(
    store: Store, home: Home, key: Key, clock: FakeClock, tmp_path: Path
) -> None:
    await take(store, A, mail(1, GREEN))
    store.close()
    other = tmp_path / "other.db"
    Connection(other, key.hex).close()
    foreign = tmp_path / "foreign.db"
    foreign.write_bytes(b"x" * 5000)
    for file in (other, foreign, tmp_path / "missing.db"):
        with pytest.raises(UserCanFixError):
            restore(home, key, file, now=clock.now())
    assert await texts(home, Key(KeyKind.KEYRING, key.hex)) == {GREEN}


async def test_a_backup_of_a_newer_heedful_is_refused_with_a_sentence(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    backup = back_up(home, key, now=clock.now())
    store.close()
    newer = Connection(backup, key.hex)
    newer.execute(f"PRAGMA user_version = {len(migrations()) + 1}")
    newer.close()
    with pytest.raises(UserCanFixError, match="this Heedful can read"):
        restore(home, key, backup, now=clock.now())


def break_messages(file: Path) -> None:
    """Damages the first page of the messages in a plain store."""
    connection = Connection(file, None)
    root = int(str(connection.value("SELECT rootpage FROM sqlite_schema WHERE name = 'messages'")))
    size = int(str(connection.value("PRAGMA page_size")))
    connection.close()
    with file.open("r+b") as out:
        out.seek((root - 1) * size + 3)
        out.write(b"\xff\xff")


async def test_a_store_that_can_not_be_copied_leaves_no_half_of_a_backup(
    tmp_path: Path, clock: FakeClock
) -> None:
    home, key = home_at(tmp_path / "open"), Key(KeyKind.UNENCRYPTED, None)
    store = Store.open(home, key, Bus())
    await take(store, A, *(mail(n, f"The garden is green {n}.") for n in range(40)))
    store.close()
    break_messages(home.database)
    with pytest.raises(DamageError):
        back_up(home, key, now=clock.now())
    assert list(folder_of(home).iterdir()) == []


async def test_a_damaged_backup_is_told_from_a_damaged_store_and_nothing_is_replaced(
    tmp_path: Path, clock: FakeClock
) -> None:
    home, key = home_at(tmp_path / "open"), Key(KeyKind.UNENCRYPTED, None)
    store = Store.open(home, key, Bus())
    await take(store, A, *(mail(n, f"The garden is green {n}.") for n in range(40)))
    backup = back_up(home, key, now=clock.now())
    store.close()
    break_messages(backup)
    with pytest.raises(DamageError, match="The backup is damaged"):
        restore(home, key, backup, now=clock.now())
    assert len(await texts(home, key)) == 40


async def test_a_restore_that_was_cut_off_can_be_done_again(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    store.close()
    home.database.with_name("heedful.db.restored").write_bytes(b"half a copy")
    restore(home, key, backup, now=clock.now())
    assert await texts(home, key) == {GREEN}


async def test_what_a_backup_or_a_restore_that_was_cut_off_left_goes_with_the_next_backup(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    folder = folder_of(home)
    folder.mkdir()
    scraps = [
        folder / "heedful-20261120T080000Z.db.new",
        folder / "heedful-20261120T080000Z.db.new-journal",
        folder / "heedful-replaced-20261120T080000Z.db.new",
        home.database.with_name("heedful.db.restored"),
        home.database.with_name("heedful.db.restored-journal"),
    ]
    own = folder / "notes.new"
    for scrap in (*scraps, own):
        scrap.write_bytes(b"half a copy")
    made = back_up(home, key, now=clock.now())
    assert sorted(folder.iterdir()) == sorted([made, own])
    assert not any(scrap.exists() for scrap in scraps)


async def test_a_restore_that_can_not_keep_what_was_there_leaves_no_half_of_it(
    store: Store, home: Home, key: Key, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await take(store, A, mail(1, GREEN))
    backup = back_up(home, key, now=clock.now())
    store.close()

    def torn(source: Path, target: Path) -> None:
        Path(target).write_bytes(source.read_bytes()[:4096])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copy2", torn)
    with pytest.raises(UserCanFixError):
        restore(home, key, backup, now=clock.now())
    assert list(folder_of(home).glob("heedful-replaced-*.db")) == []
    assert await texts(home, key) == {GREEN}


async def test_what_an_update_began_from_goes_like_a_backup(
    store: Store, home: Home, key: Key, clock: FakeClock
) -> None:
    await take(store, A, mail(1, GREEN))
    before = home.data / "heedful.schema-0004.backup.db"
    shutil.copy(home.database, before)
    begun = clock.now().timestamp()
    os.utime(before, (begun, begun))
    for day in (1, 2, 3):
        assert before in earlier_copies(home)
        back_up(home, key, now=clock.now() + timedelta(days=day))
    assert earlier_copies(home) == backups(home)
