"""One database connection, and the table that turns every error of the library into one of ours.

apsw error                              ours             what the person reads
NotADBError                             UserCanFixError  not Heedful's, or another key
CorruptError                            DamageError      damaged
FullError, IOError                      DamageError      the disk is full, or failed
BusyError, LockedError, ProtocolError   PassingError     another program is using it
InterruptError                          PassingError     the store is being closed
ReadOnlyError, PermissionsError,
CantOpenError                           UserCanFixError  the folder can't be written or read
anything else                           (a bug)          raised as it is
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import apsw

from heedful.core.errors import DamageError, HeedfulError, PassingError, UserCanFixError

Value = str | int | float | bytes | None
Row = tuple[Value, ...]
Bindings = Sequence[Value] | Mapping[str, Value]

BUSY_TIMEOUT_MS = 5000
FOLD_WITHIN_MS = 200
STEPS_BETWEEN_LOOKS = 20_000
"""Instructions of SQLite's virtual machine, about a millisecond."""

SMALLEST_PAGE = 512
"""Source: SQLite file format, §1.3.2 «Page size»; in bytes."""


class Connection:
    """Runs hand-written SQL with bound parameters; rows come back as tuples in the order of the columns named.

    Belongs to one thread at a time. Inside a function handed to `Store.write` it is in a transaction.
    """

    def __init__(self, file: Path, key_hex: str | None, *, read_only: bool = False) -> None:
        """Opens the file and proves that the key fits; `key_hex` None opens a plain file.

        Raises:
            HeedfulError: By the table above.
        """
        flags = (
            apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        )
        with translated(file):
            _refuse_scraps(file)
            self._raw = apsw.Connection(str(file), flags=flags)
            try:
                self._prepare(key_hex, read_only=read_only)
                self._refuse_cut_end(file)
            except BaseException:
                self._raw.close()
                raise
        self._file = file

    def _prepare(self, key_hex: str | None, *, read_only: bool) -> None:
        self._raw.set_busy_timeout(BUSY_TIMEOUT_MS)
        if key_hex is not None:
            self._run("PRAGMA cipher = 'chacha20'")
            self._run(f"PRAGMA key = 'raw:{key_hex}'")
        self._run("SELECT count(*) FROM sqlite_schema")
        if not read_only:
            self._run("PRAGMA journal_mode = WAL")
            self._run("PRAGMA synchronous = NORMAL")
        self._run("PRAGMA foreign_keys = ON")
        self._run("PRAGMA cache_size = -16000")
        self._run("PRAGMA temp_store = MEMORY")

    def _refuse_cut_end(self, file: Path) -> None:
        """SQLite notices a missing page by itself, but not one that is there in part.

        Beside a log one may be: a checkpoint that was killed left it, and the log makes it whole.
        """
        log = file.with_name(file.name + "-wal")
        for (page_bytes,) in self._raw.execute("PRAGMA page_size"):
            if file.stat().st_size % int(str(page_bytes)) and not (log.exists() and log.stat().st_size):
                raise apsw.CorruptError("the last page is not whole")

    def _run(self, sql: str) -> None:
        for _ in self._raw.execute(sql):
            pass

    def execute(self, sql: str, bindings: Bindings = ()) -> int:
        """Runs one statement for its effect; returns how many rows it changed."""
        with translated(self._file):
            for _ in self._raw.execute(sql, bindings):
                pass
            return self._raw.changes()

    def execute_many(self, sql: str, rows: Iterable[Bindings]) -> None:
        """Runs one statement for each set of bindings."""
        with translated(self._file):
            for _ in self._raw.executemany(sql, rows):
                pass

    def script(self, sql: str) -> None:
        """Runs several statements without bindings."""
        with translated(self._file):
            self._run(sql)

    def rows(self, sql: str, bindings: Bindings = ()) -> list[Row]:
        """All rows of a query."""
        with translated(self._file):
            return list(self._raw.execute(sql, bindings))

    def row(self, sql: str, bindings: Bindings = ()) -> Row | None:
        """The first row, or None."""
        with translated(self._file):
            for found in self._raw.execute(sql, bindings):
                return tuple(found)
            return None

    def value(self, sql: str, bindings: Bindings = ()) -> Value:
        """The first column of the first row, or None."""
        found = self.row(sql, bindings)
        return found[0] if found else None

    def last_row_id(self) -> int:
        """The rowid of the row this connection inserted last."""
        return self._raw.last_insert_rowid()

    def fold_log(self) -> bool:
        """Brings what stands in the write-ahead log into the file and empties the log; False while somebody reads it.

        Not inside a transaction.
        """
        self._raw.set_busy_timeout(FOLD_WITHIN_MS)
        try:
            return not self.value("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._raw.set_busy_timeout(BUSY_TIMEOUT_MS)

    def transaction(self) -> contextlib.AbstractContextManager[None]:
        """A `with` block that commits at its end and rolls back on any exception, write-locked from its start."""
        return _transaction(self)

    def savepoint(self, name: str) -> contextlib.AbstractContextManager[None]:
        """A `with` block inside a transaction whose failure undoes only itself, and is raised on."""
        return _savepoint(self, name)

    def snapshot(self) -> contextlib.AbstractContextManager[None]:
        """A `with` block whose queries all see the store as it was when the block began."""
        return _snapshot(self)

    def stop_when(self, over: Callable[[], bool]) -> None:
        """Cuts statements off here, with a PassingError, from the moment when `over` is true."""
        self._raw.set_progress_handler(over, STEPS_BETWEEN_LOOKS)

    def close(self) -> None:
        """Closes the file; quietly when already closed."""
        self._raw.close()


@contextlib.contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        _end(connection)
        raise


def _end(connection: Connection) -> None:
    """Ends a transaction without keeping anything.

    SQLite does so by itself on a full disk or an I/O error; a second ROLLBACK then fails, harmlessly, and must not
    hide the error that led here.
    """
    with contextlib.suppress(HeedfulError, apsw.Error):
        connection.execute("ROLLBACK")


@contextlib.contextmanager
def _snapshot(connection: Connection) -> Iterator[None]:
    connection.execute("BEGIN")
    try:
        yield
    finally:
        _end(connection)


@contextlib.contextmanager
def _savepoint(connection: Connection, name: str) -> Iterator[None]:
    connection.execute(f"SAVEPOINT {name}")
    try:
        yield
    except BaseException:
        connection.execute(f"ROLLBACK TO {name}")
        connection.execute(f"RELEASE {name}")
        raise
    connection.execute(f"RELEASE {name}")


def _refuse_scraps(file: Path) -> None:
    """SQLite would write a fresh database over a file that is shorter than its smallest page."""
    if file.is_file() and 0 < file.stat().st_size < SMALLEST_PAGE:
        raise apsw.NotADBError("shorter than any database")


def closed() -> PassingError:
    """What whoever reads or writes after the end is told."""
    return PassingError("The store is closed", "Heedful is stopping, or may only read.", "Start it again.")


class _Translation:
    """A `with` block whose errors are raised as ours; every statement passes one, so it is no generator."""

    __slots__ = ("_file",)

    def __init__(self, file: Path) -> None:
        self._file = file

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(exc, apsw.Error) and (ours := _ours(exc, self._file)) is not None:
            raise ours from exc


def translated(file: Path) -> _Translation:
    """Raises the library's errors as ours, by the table in the module's docstring."""
    return _Translation(file)


def _ours(exc: apsw.Error, file: Path) -> HeedfulError | None:
    match exc:
        case apsw.NotADBError():
            return UserCanFixError(
                "The store can't be opened with this key",
                f"{file.name} is not a Heedful store, or it was locked with another key or passphrase.",
                "Give the right passphrase or keyring, or start a fresh store; the old file is kept.",
            )
        case apsw.CorruptError():
            return DamageError(
                "The store is damaged",
                f"{file} could not be read as a database.",
                "Nothing more is written. Quit Heedful and put the newest backup back with `heedful restore`.",
            )
        case apsw.FullError():
            return DamageError(
                "The disk is full",
                "Nothing more is written, and nothing saved so far is lost.",
                f"Free some space where {file.parent} lies; Heedful then goes on by itself.",
            )
        case apsw.IOError():
            return DamageError(
                "The disk did not do what was asked",
                f"Reading or writing {file} failed.",
                "Check the disk and its free space; nothing saved so far is lost.",
            )
        case apsw.BusyError() | apsw.LockedError() | apsw.ProtocolError():
            return PassingError(
                "The store is busy", "Another program is using it.", "It will be tried again."
            )
        case apsw.InterruptError():
            return closed()
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.CantOpenError():
            return UserCanFixError(
                "The store can't be opened for writing",
                f"The folder {file.parent} is read-only or missing, or belongs to somebody else.",
                "Correct its permissions, or choose another folder with --home.",
            )
        case _:
            return None
