"""Every error of the database library is either one of ours, or deliberately a bug."""

from pathlib import Path

import apsw
import pytest

from heedful.core.errors import DamageError, HeedfulError, PassingError, UserCanFixError
from heedful.storage.connection import Connection, translated

OURS: dict[str, type[HeedfulError]] = {
    "NotADBError": UserCanFixError,
    "CorruptError": DamageError,
    "FullError": DamageError,
    "IOError": DamageError,
    "BusyError": PassingError,
    "LockedError": PassingError,
    "ProtocolError": PassingError,
    "InterruptError": PassingError,
    "ReadOnlyError": UserCanFixError,
    "PermissionsError": UserCanFixError,
    "CantOpenError": UserCanFixError,
}

BUGS = {
    # wrong SQL, wrong bindings, a broken constraint
    "SQLError", "BindingsError", "ConstraintError", "MismatchError", "RangeError", "TooBigError",
    "IncompleteExecutionError", "ExecutionCompleteError", "FormatError", "EmptyError",
    # the library used the wrong way
    "MisuseError", "ThreadingViolationError", "ForkingViolationError", "ConnectionClosedError", "CursorClosedError",
    "ConnectionNotClosedError", "InvalidContextError", "ExecTraceAbort", "AbortError", "AuthError",
    "SchemaChangeError", "NotFoundError", "InternalError",
    # a machine that can't run it at all
    "NoMemError", "NoLFSError", "ExtensionLoadingError", "VFSNotImplementedError", "VFSFileClosedError",
    "NoFTS5Error",
}  # fmt: skip


def library_errors() -> dict[str, type[apsw.Error]]:
    named = {name: getattr(apsw, name) for name in dir(apsw)}
    return {
        name: kind
        for name, kind in named.items()
        if isinstance(kind, type) and issubclass(kind, apsw.Error) and kind is not apsw.Error
    }


def test_every_error_of_the_library_has_been_thought_of() -> None:
    assert set(library_errors()) == set(OURS) | BUGS
    assert not set(OURS) & BUGS


@pytest.mark.parametrize("name", sorted(OURS))
def test_an_error_that_can_happen_to_a_person_has_a_sentence_and_a_remedy(name: str, tmp_path: Path) -> None:
    with pytest.raises(OURS[name]) as caught, translated(tmp_path / "heedful.db"):
        raise library_errors()[name]("whatever the library says")
    error = caught.value
    assert error.title
    assert error.hint
    assert "whatever" not in error.sentence()
    assert isinstance(error.__cause__, apsw.Error)


@pytest.mark.parametrize("name", sorted(BUGS))
def test_an_error_of_ours_stays_what_it_is(name: str, tmp_path: Path) -> None:
    kind = library_errors()[name]
    with pytest.raises(kind), translated(tmp_path / "heedful.db"):
        raise kind("a bug")


def test_a_read_only_connection_refuses_a_write_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "plain.db"
    writer = Connection(file, None)
    writer.execute("CREATE TABLE t (x ANY) STRICT")
    reader = Connection(file, None, read_only=True)
    with pytest.raises(UserCanFixError, match="can't be opened for writing"):
        reader.execute("INSERT INTO t VALUES (1)")
    reader.close()
    writer.close()


def test_two_writers_at_once_are_a_passing_trouble(tmp_path: Path) -> None:
    file = tmp_path / "plain.db"
    first, second = Connection(file, None), Connection(file, None)
    second.execute("PRAGMA busy_timeout = 1")
    with first.transaction(), pytest.raises(PassingError, match="busy"), second.transaction():
        pass
    first.close()
    second.close()


def test_a_page_overwritten_on_the_disk_is_damage_or_another_key_but_never_silence(tmp_path: Path) -> None:
    file = tmp_path / "plain.db"
    connection = Connection(file, "5a" * 32)
    connection.execute("CREATE TABLE t (x TEXT) STRICT")
    connection.execute_many("INSERT INTO t VALUES (?)", [("word " * 100,) for _ in range(100)])
    connection.close()
    raw = bytearray(file.read_bytes())
    raw[9000:9100] = b"?" * 100
    file.write_bytes(raw)
    again = Connection(file, "5a" * 32)
    with pytest.raises((DamageError, UserCanFixError)):
        again.rows("SELECT x FROM t")
    again.close()
