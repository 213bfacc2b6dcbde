"""What lies on the disk: nothing readable; and what a file that is not a store is told to be."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError, HeedfulError, UserCanFixError
from heedful.core.events import Event
from heedful.core.paths import Home
from heedful.storage import Connection, Key, KeyKind, Store
from heedful.storage.lock import StoreInUseError
from heedful.storage.migrating import Migration, NewerSchemaError, migrate, migrations, schema_version

CANARY = "the canary sings in cleartext"

OTHER_PROCESS = """
import sys
from pathlib import Path
from heedful.core.bus import Bus
from heedful.core.paths import home_at
from heedful.storage import Key, KeyKind, Store

store = Store.open(home_at(Path(sys.argv[1])), Key(KeyKind.KEYRING, sys.argv[2]), Bus())
print("open", flush=True)
sys.stdin.read()
store.close()
"""


def keep_canary(connection: Connection) -> tuple[None, list[Event]]:
    connection.execute(
        "INSERT INTO participants (address, name) VALUES (?, ?)", ("canary@example.org", CANARY)
    )
    return None, []


def names(connection: Connection) -> list[str]:
    return [str(name) for (name,) in connection.rows("SELECT name FROM participants")]


async def test_nothing_of_a_store_can_be_read_from_its_files(store: Store, home: Home) -> None:
    await store.write(keep_canary)
    files = sorted(home.data.glob("heedful.db*"))
    raw = {file.name: file.read_bytes() for file in files}
    assert "heedful.db-wal" in raw
    assert len(raw["heedful.db-wal"]) > 0
    for name, content in raw.items():
        assert CANARY.encode() not in content, name
        assert b"participants" not in content, name
        assert not content.startswith(b"SQLite format 3"), name


async def test_nothing_can_be_read_from_a_backup_either(store: Store, home: Home, key: Key) -> None:
    await store.write(keep_canary)
    store.close()
    connection = Connection(home.database, key.hex)
    step = Migration(len(migrations()) + 1, "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;")
    backup = migrate(connection, home.database, (*migrations(), step))
    connection.close()
    assert backup is not None
    assert CANARY.encode() not in backup.read_bytes()
    copy = Connection(backup, key.hex, read_only=True)
    assert names(copy) == [CANARY]
    copy.close()


async def test_an_unencrypted_store_is_a_plain_database(home: Home) -> None:
    store = Store.open(home, Key(KeyKind.UNENCRYPTED, None), Bus())
    await store.write(keep_canary)
    store.close()
    plain = sqlite3.connect(home.database)
    assert plain.execute("SELECT name FROM participants").fetchall() == [(CANARY,)]
    plain.close()


@pytest.mark.skipif(os.name != "posix", reason="only there has a folder a mode")
def test_only_the_person_may_look_into_the_folder(store: Store, home: Home) -> None:
    assert store.size_bytes > 0
    assert home.data.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("wrong", ["00" * 32, None])
def test_a_wrong_key_opens_nothing_and_changes_nothing(store: Store, home: Home, wrong: str | None) -> None:
    store.close()
    before = home.database.read_bytes()
    for read_only in (False, True):
        with pytest.raises(UserCanFixError, match="can't be opened with this key") as caught:
            Store.open(home, Key(KeyKind.KEYRING, wrong), Bus(), read_only=read_only)
        assert caught.value.hint
    assert home.database.read_bytes() == before


@pytest.mark.parametrize("key", [Key(KeyKind.KEYRING, "5a" * 32), Key(KeyKind.UNENCRYPTED, None)])
@pytest.mark.parametrize("content", [b"Dear diary, " * 1000, b"\x00" * 5000, os.urandom(8192), b"x"])
def test_a_foreign_file_is_told_and_left_alone(home: Home, key: Key, content: bytes) -> None:
    home.data.mkdir(parents=True)
    home.database.write_bytes(content)
    with pytest.raises(UserCanFixError, match="can't be opened with this key"):
        Store.open(home, key, Bus())
    assert home.database.read_bytes() == content


@pytest.mark.parametrize("kept", [100, 5000, 0.5, 0.99, -100])
def test_a_truncated_store_is_told_and_left_alone(home: Home, key: Key, kept: float) -> None:
    Store.open(home, key, Bus()).close()
    whole = home.database.read_bytes()
    part = whole[: kept if isinstance(kept, int) else int(len(whole) * kept)]
    home.database.write_bytes(part)
    with pytest.raises((UserCanFixError, DamageError)) as caught:
        Store.open(home, key, Bus()).close()
    assert caught.value.hint
    assert home.database.read_bytes() == part


def test_a_store_of_a_newer_program_is_refused_and_left_alone(home: Home, key: Key) -> None:
    Store.open(home, key, Bus()).close()
    connection = Connection(home.database, key.hex)
    connection.execute("PRAGMA user_version = 4711")
    connection.close()
    before = home.database.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NewerSchemaError, match="newer Heedful") as caught:
            Store.open(home, key, Bus(), read_only=read_only)
        assert "4711" in caught.value.message
    assert home.database.read_bytes() == before


def test_a_second_process_may_read_but_not_write(home: Home, key: Key, tmp_path: Path) -> None:
    command = [sys.executable, "-c", OTHER_PROCESS, str(tmp_path / "home"), str(key.hex)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(StoreInUseError, match="running already"):
            Store.open(home, key, Bus())
        reader = Store.open(home, key, Bus(), read_only=True)
        assert reader.read_now(names) == []
        reader.close()
        other.kill()
    Store.open(home, key, Bus()).close()


async def test_a_store_opened_only_for_reading_refuses_a_write_and_stays_usable(home: Home, key: Key) -> None:
    Store.open(home, key, Bus()).close()
    reader = Store.open(home, key, Bus(), read_only=True)
    with pytest.raises(HeedfulError, match="closed"):
        await reader.write(keep_canary)
    assert await reader.read(names) == []
    reader.close()


def test_reading_a_home_that_has_no_store_yet_finds_an_empty_one(home: Home, key: Key) -> None:
    store = Store.open(home, key, Bus(), read_only=True)
    assert store.read_now(names) == []
    assert store.read_now(schema_version) == len(migrations())
    store.close()


def test_whoever_only_reads_a_fresh_home_keeps_nobody_from_writing(home: Home, key: Key) -> None:
    reader = Store.open(home, key, Bus(), read_only=True)
    Store.open(home, key, Bus()).close()
    reader.close()


def test_a_home_below_a_file_is_told_with_a_remedy(home: Home, key: Key) -> None:
    home.data.parent.parent.mkdir(parents=True, exist_ok=True)
    home.data.parent.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(UserCanFixError, match="can't be created") as caught:
        Store.open(home, key, Bus())
    assert "--home" in caught.value.hint


def test_a_database_that_is_a_folder_is_told_with_a_remedy(home: Home, key: Key) -> None:
    home.database.mkdir(parents=True)
    with pytest.raises(UserCanFixError, match="can't be opened") as caught:
        Store.open(home, key, Bus())
    assert caught.value.hint


def test_two_homes_never_meet(home: Home, key: Key) -> None:
    other = replace(home, data=home.data.with_name("other"))
    first, second = Store.open(home, key, Bus()), Store.open(other, key, Bus())
    first.close()
    second.close()
    assert home.database != other.database
