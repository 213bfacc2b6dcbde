"""The record of what other programs read: a small file of its own beside the store, encrypted with the store's key.

Not in the store: whoever reads beside the running app may not write to it (`docs/decisions`). Several programs may
write here at once; a row is kept before its answer goes out.
"""

import json
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from heedful.core.clock import from_millis, to_millis
from heedful.core.paths import Home
from heedful.storage import Connection, Key

KEPT = timedelta(days=90)
ARGUMENTS_LENGTH = 2000

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
"""


@dataclass(frozen=True, slots=True)
class Read:
    """One call of a tool. `client` is what the program calls itself, or what the person calls it.

    `arguments` is JSON as it was given, cut; `handed` are the ids of what the answer held; `note` says why there was
    none.
    """

    at: datetime
    client: str
    tool: str
    arguments: str
    outcome: ReadOutcome
    note: str = ""
    handed: tuple[str, ...] = ()
    duration_ms: int = 0


class Reads:
    """Keeps the record; may be used from any thread."""

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
        connection = Connection(place_of(home), key.hex)
        try:
            with connection.transaction():
                connection.script(_SCHEMA)
                connection.execute("DELETE FROM reads WHERE at < ?", (to_millis(now - KEPT),))
        except BaseException:
            connection.close()
            raise
        return cls(connection)

    def add(self, read: Read) -> None:
        """Adds a row, kept when this returns.

        Raises:
            HeedfulError: It could not be written.
        """
        with self._guard:
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
    return home.data / "reads.db"
