"""The record of what other programs read: a small file of its own beside the store, encrypted with the store's key.

Not in the store: whoever reads beside the running app may not write to it (decision 0008). Several programs may
write here at once; a row is kept before its answer goes out. What was asked for lies here too until the app counts it
(`asked`).
"""

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, Self

from heedful.core.clock import from_millis, to_millis
from heedful.core.paths import Home
from heedful.storage import Connection, Key, Store

KEPT = timedelta(days=90)
ARGUMENTS_LENGTH = 2000
CLEARED = '"forgotten"'
NAME = "reads.db"

ReadOutcome = Literal["answered", "refused", "failed"]

_OUTCOMES: dict[str, ReadOutcome] = {"answered": "answered", "refused": "refused", "failed": "failed"}

_SCHEMA = """
CREATE TABLE IF NOT EXISTS reads (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  client TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'refused', 'failed')),
  note TEXT NOT NULL,
  handed TEXT NOT NULL,
  duration_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS reads_by_time ON reads (at);
CREATE TABLE IF NOT EXISTS asked (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  entity_id TEXT NOT NULL
) STRICT;
"""

# A new file counts on from the milliseconds of now, above every number of one that was there before.
_FIRST_NUMBER = (
    "INSERT INTO sqlite_sequence (name, seq) "
    "SELECT 'asked', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'asked')"
)


@dataclass(frozen=True, slots=True)
class Read:
    """One call of a tool. `client` is what the program calls itself, or what the person calls it.

    `arguments` is JSON as it was given, cut, or `CLEARED` where it spoke of what was forgotten since; `handed` are the
    ids of what the answer held; `note` says why there was none.
    """

    at: datetime
    client: str
    tool: str
    arguments: str
    outcome: ReadOutcome
    note: str = ""
    handed: tuple[str, ...] = ()
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A note that somebody asked for an entity; numbers rise."""

    id: int
    at: datetime
    entity_id: str


class Reads:
    """Keeps the record; may be used from any thread. As a context it is closed at the end."""

    def __init__(self, connection: Connection) -> None:
        """Takes an opened file; use `Reads.open`."""
        self._connection = connection
        self._guard = threading.Lock()

    @classmethod
    def open(cls, home: Home, key: Key, *, now: datetime) -> "Reads":
        """Opens the home's record, made where there is none, and drops what is older than `KEPT`.

        Raises:
            HeedfulError: It can't be opened, as `storage.connection` says.
        """
        return cls._prepared(Connection(place_of(home), key.hex), now)

    @classmethod
    def beside(cls, store: Store, *, now: datetime) -> "Reads | None":
        """The record that lies beside a store; None where there is none yet.

        Raises:
            HeedfulError: It can't be opened, as `storage.connection` says.
        """
        connection = store.beside(NAME)
        return None if connection is None else cls._prepared(connection, now)

    @classmethod
    def _prepared(cls, connection: Connection, now: datetime) -> "Reads":
        try:
            with connection.transaction():
                connection.script(_SCHEMA)
                connection.execute(_FIRST_NUMBER, (to_millis(now),))
                for table in ("reads", "asked"):
                    connection.execute(f"DELETE FROM {table} WHERE at < ?", (to_millis(now - KEPT),))
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, read: Read, *, asked: Iterable[str] = ()) -> None:
        """Adds a row with the ids of the entities it asked for, kept when this returns.

        Raises:
            HeedfulError: It could not be written.
        """
        with self._guard, self._connection.transaction():
            self._note(asked, read.at)
            self._connection.execute(
                "INSERT INTO reads (at, client, tool, arguments, outcome, note, handed, duration_ms) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    to_millis(read.at),
                    read.client,
                    read.tool,
                    read.arguments[:ARGUMENTS_LENGTH],
                    read.outcome,
                    read.note,
                    json.dumps(read.handed),
                    read.duration_ms,
                ),
            )

    def note_asked(self, entity_ids: Iterable[str], *, now: datetime) -> None:
        """Notes that these entities were asked for, kept when this returns.

        Raises:
            HeedfulError: It could not be written.
        """
        with self._guard, self._connection.transaction():
            self._note(entity_ids, now)

    def _note(self, entity_ids: Iterable[str], at: datetime) -> None:
        self._connection.execute_many(
            "INSERT INTO asked (at, entity_id) VALUES (?, ?)", [(to_millis(at), one) for one in entity_ids]
        )

    def asked(self, *, limit: int) -> list[AskedFor]:
        """The oldest notes, in the order of their numbers."""
        with self._guard:
            rows = self._connection.rows("SELECT id, at, entity_id FROM asked ORDER BY id LIMIT ?", (limit,))
        return [AskedFor(int(number or 0), from_millis(int(at or 0)), str(one)) for number, at, one in rows]

    def drop_asked(self, upto: int) -> None:
        """Removes the notes up to a number."""
        with self._guard:
            self._connection.execute("DELETE FROM asked WHERE id <= ?", (upto,))

    def arguments(self) -> dict[int, str]:
        """What was asked, by the numbers of the rows; none of those that were cleared."""
        with self._guard:
            rows = self._connection.rows("SELECT id, arguments FROM reads WHERE arguments <> ?", (CLEARED,))
        return {int(number or 0): str(arguments) for number, arguments in rows}

    def clear(self, numbers: Iterable[int]) -> None:
        """Takes what was asked out of rows, in the file too; the rows stay.

        Raises:
            HeedfulError: It could not be written.
        """
        with self._guard:
            self._connection.execute("PRAGMA secure_delete = ON")
            with self._connection.transaction():
                self._connection.execute_many(
                    "UPDATE reads SET arguments = ? WHERE id = ?", [(CLEARED, number) for number in numbers]
                )
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def newest(self, *, limit: int = 100) -> list[Read]:
        """The newest rows, the newest first."""
        with self._guard:
            rows = self._connection.rows(
                "SELECT at, client, tool, arguments, outcome, note, handed, duration_ms FROM reads "
                "ORDER BY at DESC, id DESC LIMIT ?",
                (limit,),
            )
        return [
            Read(
                from_millis(int(at or 0)),
                str(client),
                str(tool),
                str(arguments),
                _OUTCOMES[str(outcome)],
                str(note),
                tuple(json.loads(str(handed))),
                int(duration_ms or 0),
            )
            for at, client, tool, arguments, outcome, note, handed, duration_ms in rows
        ]

    def close(self) -> None:
        """Closes the file; a second call does nothing."""
        with self._guard:
            self._connection.close()


def place_of(home: Home) -> Path:
    """The file of the record; SQLite may keep its log beside it."""
    return home.data / NAME
