"""The person's sources as a whole: add, read, compare, pause, remove; and which addresses are their own.

Reading a source runs in a worker thread, batch by batch; each batch is committed with the source's cursor
before the next is read, so a run that is cut off anywhere goes on from its last batch (`one_reading`).
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, PassingError
from heedful.core.events import Event, SourcesChanged
from heedful.core.ids import SourceId, content_id
from heedful.memory.embeddings.vector_gaps import ask_to_fill
from heedful.memory.forget import retention
from heedful.memory.intake import departures
from heedful.memory.intake.door import Intake
from heedful.memory.messages import own_addresses_store, rejects_store, sources_store
from heedful.memory.messages.own_addresses_store import OwnAddress
from heedful.memory.messages.sources_store import Egress, SourceRow
from heedful.memory.sync import own_addresses
from heedful.memory.sync.one_reading import OneReading, Progress
from heedful.memory.sync.places import existing, kind_at
from heedful.memory.sync.reconciling import Compared, compare
from heedful.memory.sync.source_rows import change_quietly, change_row
from heedful.sources import Rejected
from heedful.storage import Connection, Store

REJECTS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one reading of a source came to; `seconds` is its wall time, `is_paused` that a pause ended it early."""

    source_id: SourceId
    intake: Intake
    rejected: tuple[Rejected, ...]
    seconds: float
    is_paused: bool = False


class Library:
    """Keeps the sources and reads them into the store."""

    def __init__(self, store: Store, bus: Bus, clock: Clock) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._reading: dict[SourceId, asyncio.Lock] = {}
        self._rounds = 0

    async def sources(self, *, with_pending: bool = True) -> tuple[SourceRow, ...]:
        """All sources, in the order in which they were added; `pending` takes its time to count while much waits."""
        return await self._store.read(partial(sources_store.sources, with_pending=with_pending))

    @property
    def is_reading(self) -> bool:
        """Whether any source is being read just now; may be asked from any thread."""
        return self._rounds > 0

    async def add(
        self, path: Path, *, kind: str | None = None, name: str | None = None, watched: bool = True
    ) -> SourceId:
        """Makes a path a source and returns its id; the same path and name again give the same id.

        Raises:
            RejectedError: No kind fits, or `kind` is unknown.
            UserCanFixError: The path is not there or can't be read.
        """
        place = await asyncio.to_thread(existing, path)
        chosen = await asyncio.to_thread(kind_at, place, kind)
        source_id = SourceId(content_id("source", chosen.kind, name or str(place)))
        now = self._clock.now()

        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            sources_store.add_source(
                connection,
                source_id,
                kind=chosen.kind,
                name=name or place.name,
                path=place,
                watched=watched,
                now=now,
            )
            return None, [SourcesChanged(source_id)]

        await self._store.write(work)
        return source_id

    async def sync(
        self,
        source_id: SourceId,
        *,
        path: Path | None = None,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Reads what is new in a source, from `path` instead of its own where given.

        Publishes SourceProgressed after each committed batch, MemoryGrew when something came in, SourcesChanged
        at the end. Cancelling, and pausing the source, stop after the batch at hand; the row says so from then on.

        Raises:
            HeedfulError: The source can't be read; its row says why from then on.
        """
        async with self.round(), self._reading.setdefault(source_id, asyncio.Lock()):
            started = self._clock.monotonic()
            row = await self._store.read(lambda connection: sources_store.source(connection, source_id))
            run = OneReading(self._store, self._bus, self._clock, row=row)
            await run.to_the_end(progress, path=path)
            if run.intake.new:
                await own_addresses.infer(self._store)
            seconds = self._clock.monotonic() - started
            return SyncReport(source_id, run.intake, tuple(run.rejected), seconds, is_paused=run.is_paused)

    @asynccontextmanager
    async def round(self) -> AsyncIterator[None]:
        """A round of reading one or several sources: what one gave up and no other took over leaves at its end."""
        self._rounds += 1
        try:
            yield
        finally:
            self._rounds -= 1
        if not self._rounds:
            await self._let_go()

    async def note_cut_off(self) -> None:
        """Notes the sources over which an earlier process died, so that their rows say so."""
        still = frozenset(source_id for source_id, lock in self._reading.items() if lock.locked())
        rows = await self.sources(with_pending=False)
        if any(row.reading_at is not None and row.id not in still for row in rows):
            await change_quietly(
                self._store, lambda connection: sources_store.note_cut_off(connection, still)
            )

    async def reconcile(self, source_id: SourceId, *, believes: bool = False) -> Compared:
        """Compares everything a source holds with what is stored of it; `believes` what is missing to be deleted.

        Raises:
            HeedfulError: The source can't be read; nothing was removed, and its row says why.
        """
        async with self.round(), self._reading.setdefault(source_id, asyncio.Lock()):
            row = await self._store.read(lambda connection: sources_store.source(connection, source_id))
            write = self._store.write
            try:
                return await compare(
                    row, self._store, self._clock, write=write, finish=write, believes=believes
                )
            except PassingError:
                raise
            except HeedfulError as exc:
                sentence = exc.sentence()
                await change_row(
                    self._store, source_id, lambda c: sources_store.failed(c, source_id, sentence)
                )
                raise

    async def pause(self, source_id: SourceId) -> None:
        """Stops reading a source until `resume`; what it brought in stays."""
        await change_row(self._store, source_id, lambda c: sources_store.set_state(c, source_id, "paused"))

    async def resume(self, source_id: SourceId) -> None:
        """Reads a paused source again from now on."""
        await change_row(self._store, source_id, lambda c: sources_store.set_state(c, source_id, "active"))

    async def remove(self, source_id: SourceId) -> int:
        """Forgets a source with every message that no other source holds; returns how many went.

        Raises:
            RejectedError: There is no such source.
        """
        from heedful.memory.forget.at_once import forget_now

        await self._store.read(lambda connection: sources_store.source(connection, source_id))
        return (await forget_now(self._store, self._clock, [source_id])).messages

    async def set_egress(self, source_id: SourceId, egress: Egress) -> None:
        """Decides whether anything of a source may leave this machine; a model elsewhere then gets to see the rest."""
        now = self._clock.now()

        def change(connection: Connection) -> None:
            sources_store.set_egress(connection, source_id, egress)
            if egress == "allowed":
                ask_to_fill(connection, now=now)

        await change_row(self._store, source_id, change)

    async def keep_for(self, source_id: SourceId, days: int | None) -> None:
        """Decides how many days after it was sent what a source brought in is forgotten; None: never."""
        await change_row(self._store, source_id, lambda c: retention.keep_for(c, source_id, days))

    async def relocate(self, source_id: SourceId, path: Path) -> None:
        """Points a source whose file was moved at its new place.

        Raises:
            UserCanFixError: There is nothing at that place.
        """
        place = await asyncio.to_thread(existing, path)
        await change_row(self._store, source_id, lambda c: sources_store.set_path(c, source_id, place))

    async def rejects(self, source_id: SourceId, *, limit: int = REJECTS_SHOWN) -> tuple[Rejected, ...]:
        """What of a source could not be read, with reasons."""
        return await self._store.read(lambda connection: rejects_store.rejects(connection, source_id, limit))

    async def own_addresses(self) -> tuple[OwnAddress, ...]:
        """The person's addresses, inferred and stated, and those they refused."""
        return await self._store.read(own_addresses_store.own_addresses)

    async def state_address(self, address: str) -> None:
        """Takes the person's word that an address is theirs.

        Raises:
            RejectedError: It is not an address.
        """
        await own_addresses.take_word(self._store, address, "stated")

    async def refuse_address(self, address: str) -> None:
        """Takes the person's word that an address is not theirs; it is not inferred again.

        Raises:
            RejectedError: It is not an address.
        """
        await own_addresses.take_word(self._store, address, "refused")

    async def _let_go(self) -> None:
        """Lets what no source holds any more leave the memory; what is cut off here, a job does."""
        if not await self._store.read(departures.is_any_waiting):
            return

        def work(connection: Connection) -> tuple[bool, list[Event]]:
            left = departures.let_go(connection, now=self._clock.now())
            return left.is_more, left.news

        is_more = True
        while is_more:
            is_more = await self._store.write(work)
