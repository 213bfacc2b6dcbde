"""What the store's size is made of, for whoever wonders where the room on the disk went."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from heedful.storage import Connection

_ROOMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("messages", ("messages", "threads", "origins", "recipients", "participants", "occurrences", "calendar_series")),
    ("passages and their index", ("chunk", "admissions")),
    ("vectors", ("vector", "embedding_models")),
    (
        "people and things",
        ("entit", "aliases", "mentions", "relation", "merge_opinions", "identity_keys", "query_hits"),
    ),
    ("summaries", ("node",)),
    ("calls and originals", ("ledger", "originals", "savings")),
    ("items and looks", ("actionable", "verdicts", "ticks", "interruptions", "finder_cursors")),
    ("sources", ("source", "rejects", "retentions", "departures", "forgotten_messages", "own_addresses")),
    ("background work", ("jobs", "stage_cursors", "changes_gone")),
)  # fmt: skip
OTHER = "everything else"


@dataclass(frozen=True, slots=True)
class StoreReport:
    """How much there is, in bytes of pages; `free` are pages that what went left behind, used before new ones."""

    messages: int
    rooms: Mapping[str, int]
    free_bytes: int

    @property
    def sentence(self) -> str:
        """The whole of it in a line, the largest first."""
        parts = [
            f"{room} {_readable(size)}" for room, size in sorted(self.rooms.items(), key=lambda one: -one[1])
        ]
        return ", ".join([*parts, f"free {_readable(self.free_bytes)}"] if self.free_bytes else parts)


def count_messages(connection: Connection) -> int:
    """How many messages, events and notes there are."""
    return int(connection.value("SELECT count(*) FROM messages") or 0)


def store_report(connection: Connection) -> StoreReport:
    """Sizes by what they serve; indexes count to their tables. Reads every page once.

    Source: SQLite, «The DBSTAT Virtual Table», its aggregate mode.
    """
    tables = {
        str(name): str(table) for name, table in connection.rows("SELECT name, tbl_name FROM sqlite_schema")
    }
    sizes: Counter[str] = Counter()
    for name, size in connection.rows("SELECT name, pgsize FROM dbstat WHERE aggregate = 1"):
        sizes[room_of(tables.get(str(name), str(name)))] += int(size or 0)
    page = int(connection.value("PRAGMA page_size") or 0)
    free = int(connection.value("PRAGMA freelist_count") or 0) * page
    return StoreReport(count_messages(connection), dict(sizes), free)


def room_of(table: str) -> str:
    """The room whose longest beginning the table's name has."""
    fitting = [(len(begin), room) for room, begins in _ROOMS for begin in begins if table.startswith(begin)]
    return max(fitting)[1] if fitting else OTHER


def _readable(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:.1f} MB" if size_bytes >= 100_000 else f"{size_bytes / 1e3:.0f} kB"
