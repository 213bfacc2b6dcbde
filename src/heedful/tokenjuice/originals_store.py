"""Originals in the encrypted file, packed, and bounded by size and age; and what was saved each day.

Putting is synchronous because compressing is: it fills a tray, and `save` moves the tray into the store. An
original is there for `get` from the moment it was put.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from heedful.core.clock import Clock, to_millis
from heedful.core.events import Event
from heedful.storage import Connection, Store
from heedful.tokenjuice.exchange import Squeezed
from heedful.tokenjuice.originals import MemoryOriginals

LIMIT_BYTES = 64 * 1024 * 1024
LIMIT_AGE = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DaySaved:
    """One day's texts and their tokens before and after."""

    day: date
    texts: int
    input_tokens: int
    output_tokens: int


class StoredOriginals:
    """Originals that outlive the run; belongs to one event loop, `put` and `get` may be called from any thread."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._tray = MemoryOriginals()
        self._unsaved: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Keeps the bytes in the tray; `save` makes it last."""
        key = self._tray.put(data)
        self._unsaved[key] = data
        return key

    def get(self, original_id: str) -> bytes | None:
        """The bytes, from the tray or the store; None when unknown or forgotten."""
        waiting = self._unsaved.get(original_id) or self._tray.get(original_id)
        if waiting is not None:
            return waiting
        return self._store.read_now(lambda connection: fetch(connection, original_id))

    async def save(self) -> int:
        """Moves what was put since the last time into the store; gives how many.

        Raises:
            HeedfulError: As `Store.write`; what was not saved stays in the tray.
        """
        waiting = dict(self._unsaved)
        if not waiting:
            return 0
        now = self._clock.now()

        def work(connection: Connection) -> tuple[int, Sequence[Event]]:
            for original_id, data in waiting.items():
                keep(connection, original_id, data, at=now)
            forget_oldest(connection, at=now)
            return len(waiting), ()

        saved = await self._store.write(work)
        for original_id in waiting:
            self._unsaved.pop(original_id, None)
        return saved

    async def savings(self, *, since: date) -> Sequence[DaySaved]:
        """As `savings_by_day`.

        Raises:
            HeedfulError: As `Store.read`.
        """
        return await self._store.read(lambda connection: savings_by_day(connection, since=since))


def keep(connection: Connection, original_id: str, data: bytes, *, at: datetime) -> None:
    """Writes one original; one that is there already counts as kept now."""
    packed = zlib.compress(data, 6)
    connection.execute(
        "INSERT INTO originals (id, kept_at, size_bytes, packed) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET kept_at = excluded.kept_at",
        (original_id, to_millis(at), len(packed), packed),
    )


def fetch(connection: Connection, original_id: str) -> bytes | None:
    """Exactly the bytes that were kept; None when unknown or forgotten."""
    packed = connection.value("SELECT packed FROM originals WHERE id = ?", (original_id,))
    return zlib.decompress(packed) if isinstance(packed, bytes) else None


def forget_oldest(
    connection: Connection, *, at: datetime, limit_bytes: int = LIMIT_BYTES, limit_age: timedelta = LIMIT_AGE
) -> int:
    """Forgets what is older than the limit, then the oldest until the rest fits; gives how many."""
    gone = connection.execute("DELETE FROM originals WHERE kept_at < ?", (to_millis(at - limit_age),))
    return gone + connection.execute(
        "DELETE FROM originals WHERE id IN (SELECT id FROM (SELECT id, sum(size_bytes) OVER"
        " (ORDER BY kept_at DESC, id ROWS UNBOUNDED PRECEDING) AS total FROM originals) WHERE total > ?)",
        (limit_bytes,),
    )


def add_savings(connection: Connection, squeezed: Squeezed, *, day: date) -> None:
    """Adds one text to its day, the person's local one."""
    connection.execute(
        "INSERT INTO savings (day, rule, texts, input_tokens, output_tokens) VALUES (?, ?, 1, ?, ?)"
        " ON CONFLICT (day, rule) DO UPDATE SET texts = texts + 1,"
        " input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens",
        (day.isoformat(), squeezed.rule, squeezed.input_tokens, squeezed.output_tokens),
    )


def savings_by_day(connection: Connection, *, since: date) -> list[DaySaved]:
    """The days since then on which something was compressed, oldest first."""
    found = connection.rows(
        "SELECT day, sum(texts), sum(input_tokens), sum(output_tokens) FROM savings"
        " WHERE day >= ? GROUP BY day ORDER BY day",
        (since.isoformat(),),
    )
    return [
        DaySaved(date.fromisoformat(str(day)), int(str(texts)), int(str(before)), int(str(after)))
        for day, texts, before, after in found
    ]
