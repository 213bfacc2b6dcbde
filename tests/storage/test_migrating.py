"""From every version to the newest, a step whole or not at all, and a way back."""

from pathlib import Path

import pytest

from heedful.core.errors import PassingError, UserCanFixError
from heedful.memory.messages import messages_store
from heedful.storage import Connection
from heedful.storage import migrating as migrating_module
from heedful.storage.migrating import Migration, NewerSchemaError, migrate, migrations, schema_version

KEY = "5a" * 32

STEPS = (
    Migration(1, "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;"),
    Migration(2, "ALTER TABLE people ADD COLUMN age INTEGER; UPDATE people SET age = 40;"),
    Migration(3, "CREATE TABLE pets (owner INTEGER REFERENCES people (id)) STRICT;"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "heedful.db"


def schema_of(connection: Connection) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.rows("SELECT type, name, sql FROM sqlite_schema ORDER BY name")]


@pytest.mark.parametrize("version", range(len(migrations()) + 1))
def test_the_shipped_steps_lead_from_every_version_to_the_newest(
    file: Path, version: int, tmp_path: Path
) -> None:
    connection = Connection(file, KEY)
    migrate(connection, file, migrations()[:version])
    assert schema_version(connection) == version
    migrate(connection, file)
    fresh = Connection(tmp_path / "fresh.db", KEY)
    migrate(fresh, tmp_path / "fresh.db")
    assert schema_version(connection) == len(migrations())
    assert schema_of(connection) == schema_of(fresh)
    assert connection.rows("PRAGMA foreign_key_check") == []
    assert connection.value("PRAGMA integrity_check") == "ok"
    connection.close()
    fresh.close()


@pytest.mark.parametrize("version", [1, 2])
def test_a_backup_of_the_old_version_is_made_before_the_first_step_and_can_be_opened(
    file: Path, version: int
) -> None:
    connection = Connection(file, KEY)
    migrate(connection, file, STEPS[:version])
    connection.execute("INSERT INTO people (name) VALUES ('Ana')")
    backup = migrate(connection, file, STEPS)
    connection.close()
    assert backup == file.with_name(f"heedful.schema-000{version}.backup.db")
    old = Connection(backup, KEY, read_only=True)
    assert schema_version(old) == version
    assert old.value("SELECT name FROM people") == "Ana"
    old.close()


def test_a_fresh_or_up_to_date_store_needs_no_backup(file: Path) -> None:
    connection = Connection(file, KEY)
    assert migrate(connection, file, STEPS) is None
    assert migrate(connection, file, STEPS) is None
    connection.close()
    assert list(file.parent.glob("*backup*")) == []


def test_a_step_that_fails_is_undone_whole_and_the_steps_before_it_stay(file: Path) -> None:
    bad = Migration(
        3, "CREATE TABLE half (x TEXT) STRICT; UPDATE people SET name = 'gone'; SELECT no_such_thing();"
    )
    connection = Connection(file, KEY)
    migrate(connection, file, STEPS[:1])
    connection.execute("INSERT INTO people (name) VALUES ('Ana')")
    with pytest.raises(Exception, match="no_such_thing"):
        migrate(connection, file, (*STEPS[:2], bad))
    assert schema_version(connection) == 2
    assert connection.rows("SELECT name, age FROM people") == [("Ana", 40)]
    assert connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'half'") == 0
    migrate(connection, file, STEPS)
    assert schema_version(connection) == 3
    connection.close()


def test_a_newer_store_is_refused_with_both_numbers(file: Path) -> None:
    connection = Connection(file, KEY)
    migrate(connection, file, STEPS)
    with pytest.raises(NewerSchemaError) as caught:
        migrate(connection, file, STEPS[:2])
    assert "schema 3" in caught.value.message
    assert "knows 2" in caught.value.message
    assert schema_version(connection) == 3
    connection.close()


def test_no_step_is_taken_where_the_backup_has_no_room(file: Path) -> None:
    connection = Connection(file, KEY)
    migrate(connection, file, STEPS[:1])
    file.with_name("heedful.schema-0001.backup.db").mkdir()  # no file can take that name now
    with pytest.raises(UserCanFixError, match="no room for a backup"):
        migrate(connection, file, STEPS)
    assert schema_version(connection) == 1
    connection.close()
    assert sorted(path.name for path in file.parent.glob("*.db*")) == [
        "heedful.db",
        "heedful.schema-0001.backup.db",
    ]


def test_no_step_is_taken_while_somebody_reads_for_the_backup_would_lack_what_they_hold_up(
    file: Path,
) -> None:
    connection = Connection(file, KEY)
    migrate(connection, file, STEPS[:1])
    reader = Connection(file, KEY, read_only=True)
    connection.execute("PRAGMA busy_timeout = 1")
    with reader.snapshot():
        assert reader.value("SELECT count(*) FROM people") == 0
        connection.execute("INSERT INTO people (name) VALUES ('Ana')")
        with pytest.raises(PassingError, match="while another program reads it"):
            migrate(connection, file, STEPS)
        assert schema_version(connection) == 1
    backup = migrate(connection, file, STEPS)
    reader.close()
    connection.close()
    assert backup is not None
    old = Connection(backup, KEY, read_only=True)
    assert old.value("SELECT name FROM people") == "Ana"
    old.close()


@pytest.mark.parametrize(
    "names", [["0002_second.sql"], ["0001_a.sql", "0001_b.sql"], ["0001_a.sql", "first.sql"]]
)
def test_a_gap_a_double_or_a_nameless_step_is_a_programming_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]
) -> None:
    folder = tmp_path / "steps"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("SELECT 1;", encoding="utf-8")
    monkeypatch.setattr(migrating_module, "_FOLDER", folder)
    with pytest.raises(ValueError, match="is not the next migration"):
        migrating_module.migrations()


def test_the_steps_are_numbered_from_one_without_gaps() -> None:
    assert [step.number for step in migrations()] == list(range(1, len(migrations()) + 1))


def test_only_strict_tables_are_shipped(file: Path) -> None:
    connection = Connection(file, None)
    for step in migrations():
        connection.script(step.sql)
    loose = connection.rows(
        "SELECT name FROM pragma_table_list WHERE type = 'table' AND NOT strict AND name NOT LIKE 'sqlite_%' "
    )
    assert loose == []
    connection.close()


def test_in_a_store_from_before_numbers_only_grew_nothing_comes_in_under_one_that_was_read(
    file: Path,
) -> None:
    before = next(step.number for step in migrations() if "changes_gone" in step.sql)
    old = Connection(file, KEY)
    migrate(old, file, migrations()[: before - 1])
    old.script(
        "INSERT INTO finder_cursors VALUES ('builtin', 7), ('model a', 5), ('builtin calendar', 1796117400000)"
    )
    migrate(old, file)
    assert messages_store.last_change(old) == 7
    old.close()
