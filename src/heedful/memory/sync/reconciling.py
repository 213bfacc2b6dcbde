"""Compares all that a source holds with what is stored of it: what is new, what was edited, what is gone.

A source is read from its beginning, whatever its cursor says, a batch a transaction; the comparison remembers how far
it is, and one that was cut off goes on. What it did not meet is given up at its end, in one transaction with that end.

An absence is not believed when it is more than half of a source at once, when the place changed while it was read, or
when something could be read before and can't be now: then all is kept, and the source says how much is missing. While
a folder can't be read, nobody can say what of it was deleted. An export that is made anew tells nothing of what is
older than its oldest message.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from heedful.core.clock import Clock, to_millis
from heedful.core.errors import UserCanFixError
from heedful.core.events import Event, MemoryGrew, SourcesChanged
from heedful.memory.intake.departures import RECONCILE, give_up
from heedful.memory.intake.door import Intake, is_too_much, take_in
from heedful.memory.intake.met import Met
from heedful.memory.messages import rejects_store, sources_store
from heedful.memory.messages.sources_store import SourceRow
from heedful.memory.queue.asking import enqueue, take_back
from heedful.memory.sync.feeds import feed_of, known_kind
from heedful.sources import Batch, Extent
from heedful.sources.files import is_bare, stamps_below
from heedful.storage import Connection, Store
from heedful.storage.store import Write

EVERY = timedelta(days=7)
DOUBTED_EVERY = timedelta(days=1)
AGAIN_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison came to. `gone` messages left; `missing` ones were not met and are kept all the same."""

    intake: Intake
    gone: int
    missing: int


async def compare(
    row: SourceRow, store: Store, clock: Clock, *, write: Write, finish: Write, believes: bool
) -> Compared:
    """Compares one source with its place; `believes` whatever is missing to be deleted, if all could be looked at.

    Each step is written by `write`, the last by `finish`.

    Raises:
        HeedfulError: The place can't be read; nothing was given up.
    """
    kind = known_kind(row.kind)
    if not believes:
        await ensure_there(row, write)
    since, cursor = await store.read(lambda connection: _begun(connection, row, clock.now()))
    before = await asyncio.to_thread(stamps_below, row.path)
    total, met = Intake(), Met()
    async with feed_of(kind, row.path, cursor, clock) as feed:
        while (batch := await feed.next()) is not None:
            total += await write(_taking(row, batch, met, since=since, now=clock.now()))
    is_still = await asyncio.to_thread(stamps_below, row.path) == before

    def end(connection: Connection) -> tuple[Compared, Sequence[Event]]:
        now = clock.now()
        if not is_still:
            _end(connection, row, now=now, delay=AGAIN_AFTER)
            return Compared(total, 0, row.missing), []
        take_back(connection, RECONCILE, row.id)
        gone, missing = _conclude(connection, row, kind.extent, since, now=now, believes=believes)
        _end(connection, row, now=now, delay=DOUBTED_EVERY if missing else EVERY)
        return Compared(total, gone, missing), [SourcesChanged(row.id)]

    return await finish(end)


async def ensure_there(row: SourceRow, write: Write) -> None:
    """Refuses to read a folder that held something and is bare now, as one is whose drive is not connected.

    Raises:
        UserCanFixError: It is bare, or may not be read; all that it held counts as missing where it is bare.
    """
    if not row.messages or not await asyncio.to_thread(is_bare, row.path):
        return

    def missing(connection: Connection) -> tuple[None, Sequence[Event]]:
        sources_store.set_missing(connection, row.id, row.messages)
        return None, []

    await write(missing)
    raise UserCanFixError(
        f"{row.path.name} is empty now",
        "Heedful keeps what it has read from it.",
        "Connect its drive again. If all of it was deleted, say so, or remove this source.",
    )


def _begun(connection: Connection, row: SourceRow, now: datetime) -> tuple[int, str]:
    """When the comparison under way began, in milliseconds, and where it goes on; a new one begins now."""
    found = connection.row("SELECT comparing_since, comparing_cursor FROM sources WHERE id = ?", (row.id,))
    if found is None or found[0] is None:
        return to_millis(now), ""
    return int(found[0]), str(found[1])


def _taking(
    row: SourceRow, batch: Batch, met: Met, *, since: int, now: datetime
) -> Callable[[Connection], tuple[Intake, Sequence[Event]]]:
    def work(connection: Connection) -> tuple[Intake, Sequence[Event]]:
        sources_store.source(connection, row.id)  # it may have been removed while it was read
        intake = take_in(connection, row.id, batch, now=now, reading="comparison", met=met)
        connection.execute("UPDATE sources SET comparing_since = ? WHERE id = ?", (since, row.id))
        return intake, [MemoryGrew(row.id, intake.new)] if intake.new else []

    return work


def _conclude(
    connection: Connection, row: SourceRow, extent: Extent, since: int, *, now: datetime, believes: bool
) -> tuple[int, int]:
    """Gives up what was not met, or counts it as missing; returns both counts."""
    absent = _absent(connection, row, extent, since)
    held = connection.value("SELECT count(*) FROM origins WHERE source_id = ? AND elsewhere = 0", (row.id,))
    is_doubtful = is_too_much(len(absent), int(held or 0)) or rejects_store.is_any_new(
        connection, row.id, since
    )
    is_believed = believes and not rejects_store.is_any_folder(connection, row.id, since)
    missing = len(absent) if is_doubtful and not is_believed else 0
    gone = 0 if missing else give_up(connection, row.id, absent, now=now)
    rejects_store.clear_unseen(connection, row.id, since)
    connection.execute(
        "UPDATE sources SET missing = ?, compared_at = ?, error = NULL, "
        "state = CASE state WHEN 'error' THEN 'active' ELSE state END WHERE id = ?",
        (missing, to_millis(now), row.id),
    )
    return gone, missing


_SINCE = {
    "everything": "",
    "newest": "AND m.sent_at >= (SELECT min(n.sent_at) {held})",
    "newest of a thread": "AND m.sent_at >= (SELECT min(n.sent_at) {held} AND n.thread_id = m.thread_id)",
}
_HELD = (
    "FROM origins h JOIN messages n ON n.seq = h.message_seq "
    "WHERE h.source_id = :source AND h.elsewhere = 0 AND h.held_at >= :since"
)


def _absent(connection: Connection, row: SourceRow, extent: Extent, since: int) -> list[str]:
    rows = connection.rows(
        "SELECT o.external_id FROM origins o JOIN messages m ON m.seq = o.message_seq "
        "WHERE o.source_id = :source AND o.elsewhere = 0 AND o.held_at < :since "
        + _SINCE[extent].format(held=_HELD),
        {"source": row.id, "since": since},
    )
    return [str(external_id) for (external_id,) in rows]


def _end(connection: Connection, row: SourceRow, *, now: datetime, delay: timedelta) -> None:
    connection.execute(
        "UPDATE sources SET comparing_since = NULL, comparing_cursor = '' WHERE id = ?", (row.id,)
    )
    if row.watched:
        ask_to_compare(connection, row, now=now, delay=delay)


def ask_to_compare(connection: Connection, row: SourceRow, *, now: datetime, delay: timedelta) -> None:
    """Asks for a comparison of a source, at the latest after so long."""
    enqueue(connection, RECONCILE, row.id, {"source": row.id}, now=now, delay=delay)
