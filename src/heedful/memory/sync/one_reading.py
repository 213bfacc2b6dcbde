"""One reading of a source, batch by batch: its cursor in each one's transaction, and in its row how it ended."""

import asyncio
import contextlib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, PassingError
from heedful.core.events import MemoryGrew, SourceProgressed
from heedful.memory.intake.door import Intake, Reading, take_in
from heedful.memory.intake.met import Met
from heedful.memory.messages import rejects_store, sources_store
from heedful.memory.messages.rejects_store import EVER
from heedful.memory.messages.sources_store import SourceRow, StopReason
from heedful.memory.sync.feeds import feed_of, known_kind
from heedful.memory.sync.places import existing
from heedful.memory.sync.reconciling import EVERY, ask_to_compare, ensure_there
from heedful.memory.sync.source_rows import change_quietly, change_row
from heedful.sources import Batch, Rejected
from heedful.storage import Connection, Store

Progress = Callable[[SourceProgressed], None]


class OneReading:
    """Reads a source once; what came of it so far is in its fields."""

    def __init__(self, store: Store, bus: Bus, clock: Clock, *, row: SourceRow) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._row = row
        self._path = row.path
        self._met = Met()
        self._share: float | None = None
        self._is_anew = False
        self.intake = Intake()
        self.rejected: list[Rejected] = []
        self.is_paused = False

    async def to_the_end(self, progress: Progress | None, *, path: Path | None) -> None:
        """Reads until there is no more, or until the source is paused; from `path` where one is given.

        Where that is not the source's own, its cursor stays where it is, and nothing is said to be gone.
        Whatever ends a reading ends its mark, a bug too: a source must not seem to be read for ever.

        Raises:
            HeedfulError: The source can't be read; its row says why from then on.
        """
        try:
            if path is not None:
                self._path = await asyncio.to_thread(existing, path)
            if not self._is_elsewhere:
                await ensure_there(self._row, self._store.write)
            await change_quietly(self._store, self._begin)
            await self._read(progress)
            await change_row(self._store, self._row.id, self._end)
        except (Exception, asyncio.CancelledError) as exc:
            await self._note_stop(exc)
            raise

    @property
    def _is_elsewhere(self) -> bool:
        return self._path != self._row.path

    async def _read(self, progress: Progress | None) -> None:
        row = self._row
        kind = known_kind(row.kind)
        cursor = ""
        if not self._is_elsewhere:
            cursor = await self._store.read(lambda connection: sources_store.cursor_of(connection, row.id))
        before = row.messages if cursor else 0
        async with feed_of(kind, self._path, cursor, self._clock) as feed:
            while not self.is_paused and (batch := await feed.next()) is not None:
                self.intake += await self._commit(batch)
                self.rejected += batch.rejected
                self._share = batch.done / batch.total if batch.total else None
                self._is_anew |= batch.is_rewritten
                news = self._progress(before)
                self._bus.publish([news])
                if progress is not None:
                    progress(news)

    def _progress(self, before: int) -> SourceProgressed:
        """How far this is, in messages, of which so many were held when it began where an earlier reading had ended.

        Some sources count in bytes; how many messages there are in all is reckoned from the share that was read. Of
        what was written anew and is read from its beginning, as many are taken to be there as before.
        """
        if self._is_anew and self._share is not None:
            return SourceProgressed(self._row.id, round(before * self._share), before, len(self.rejected))
        taken = self.intake.new if before else self.intake.new + self.intake.known + self.intake.edited
        done = before + taken + len(self.rejected)
        total = max(done, round(done / self._share)) if self._share else None
        return SourceProgressed(self._row.id, done, total, len(self.rejected))

    async def _commit(self, batch: Batch) -> Intake:
        now, source_id = self._clock.now(), self._row.id
        reading: Reading = "elsewhere" if self._is_elsewhere else "usual"

        def work(connection: Connection) -> tuple[Intake, list[MemoryGrew]]:
            state = sources_store.state_of(connection, source_id)  # it may be removed by now
            self.is_paused = state == "paused" != self._row.state
            sources_store.begin_reading(connection, source_id, now)
            intake = take_in(connection, source_id, batch, now=now, reading=reading, met=self._met)
            return intake, [MemoryGrew(source_id, intake.new)] if intake.new else []

        return await self._store.write(work)

    def _begin(self, connection: Connection) -> None:
        """Writes that a reading begins; what was missing while the place was away is counted anew."""
        if self._row.state == "error" and not self._is_elsewhere:
            sources_store.set_missing(connection, self._row.id, 0)
        sources_store.begin_reading(connection, self._row.id, self._clock.now())

    def _end(self, connection: Connection) -> None:
        """Writes how a reading ended that nothing went wrong with."""
        row, now = self._row, self._clock.now()
        if self.is_paused:
            sources_store.stopped(connection, row.id, "paused", share=self._share)
            return
        sources_store.synced(connection, row.id, now)
        is_all_seen_again = bool(row.unread) and not rejects_store.is_any_folder(connection, row.id, EVER)
        if row.missing and (self.intake.known or row.state == "error" or is_all_seen_again):
            ask_to_compare(connection, row, now=now, delay=timedelta())
        elif row.watched and not self._is_elsewhere:
            ask_to_compare(connection, row, now=now, delay=EVERY)

    async def _note_stop(self, exc: Exception | asyncio.CancelledError) -> None:
        """Writes why a reading ended early, where the store still takes it; cancelling does not keep it from that."""
        reason = _reason(exc)
        sentence = exc.sentence() if isinstance(exc, HeedfulError) and reason == "error" else None

        def change(connection: Connection) -> None:
            sources_store.stopped(connection, self._row.id, reason, share=self._share)
            if sentence is not None:
                sources_store.failed(connection, self._row.id, sentence)

        with contextlib.suppress(HeedfulError):
            await asyncio.shield(change_row(self._store, self._row.id, change))


def _reason(exc: Exception | asyncio.CancelledError) -> StopReason:
    if isinstance(exc, PassingError):
        return "busy"
    return "error" if isinstance(exc, Exception) else "cancelled"
