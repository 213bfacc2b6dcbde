"""The person's sources as a whole: add, read, pause, remove; and which addresses are their own.

Reading a source runs in a worker thread, batch by batch; each batch is committed with the source's cursor
before the next is read, so a run that is cut off anywhere goes on from its last batch.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, PassingError, RejectedError, UserCanFixError
from heedful.core.events import Event, MemoryGrew, SourceProgressed, SourcesChanged
from heedful.core.ids import SourceId, content_id
from heedful.memory.embeddings.vector_gaps import ask_to_fill
from heedful.memory.forget import retention
from heedful.memory.intake import departures
from heedful.memory.intake.door import Intake, Reading, take_in
from heedful.memory.intake.met import Met
from heedful.memory.messages import sources_store
from heedful.memory.messages.cleaning import storable
from heedful.memory.messages.sources_store import Egress, OwnAddress, SourceRow
from heedful.memory.sync.feeds import feed_of, known_kind
from heedful.memory.sync.list_addresses import lists_among
from heedful.memory.sync.reconciling import EVERY, Compared, ask_to_compare, compare, ensure_there
from heedful.reading import normalise_address
from heedful.sources import Batch, Rejected, SourceKind, detect_kind, source_kinds
from heedful.sources.addresses import likely_own
from heedful.sources.files import translated
from heedful.storage import Connection, Store

REJECTS_SHOWN = 100

SURE_ENOUGH = 0.45
MOST_INFERRED = 20
"""An address that scores less is taken for the person's own only where none scores more: a colleague who is on
every mail must not be mistaken for them, or what they ask would go unheard."""

Progress = Callable[[SourceProgressed], None]


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

    async def sources(self) -> tuple[SourceRow, ...]:
        """All sources, in the order in which they were added."""
        return await self._store.read(sources_store.sources)

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
        place = await asyncio.to_thread(_existing, path)
        chosen = await asyncio.to_thread(_kind_of, place, kind)
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

        Whatever ends a reading ends its mark, a bug too: a source must not seem to be read for ever.

        Raises:
            HeedfulError: The source can't be read; its row says why from then on.
        """
        async with self.round(), self._reading.setdefault(source_id, asyncio.Lock()):
            started = self._clock.monotonic()
            row = await self._store.read(lambda connection: sources_store.source(connection, source_id))
            run = _Run(row, row.path)
            try:
                if path is not None:
                    run.path = await asyncio.to_thread(_existing, path)
                if not run.is_elsewhere:
                    await ensure_there(row, self._store.write)
                await self._quietly(partial(self._begin, run))
                await self._read(run, progress)
                await self._change(source_id, partial(self._end, run))
            except (Exception, asyncio.CancelledError) as exc:
                await self._note_stop(run, exc)
                raise
            if run.intake.new:
                await self._infer_addresses()
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
        if any(row.reading_at is not None and row.id not in still for row in await self.sources()):
            await self._quietly(lambda connection: sources_store.note_cut_off(connection, still))

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
                await self._change(source_id, lambda c: sources_store.failed(c, source_id, sentence))
                raise

    async def pause(self, source_id: SourceId) -> None:
        """Stops reading a source until `resume`; what it brought in stays."""
        await self._change(source_id, lambda c: sources_store.set_state(c, source_id, "paused"))

    async def resume(self, source_id: SourceId) -> None:
        """Reads a paused source again from now on."""
        await self._change(source_id, lambda c: sources_store.set_state(c, source_id, "active"))

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

        await self._change(source_id, change)

    async def keep_for(self, source_id: SourceId, days: int | None) -> None:
        """Decides how many days after it was sent what a source brought in is forgotten; None: never."""
        await self._change(source_id, lambda c: retention.keep_for(c, source_id, days))

    async def relocate(self, source_id: SourceId, path: Path) -> None:
        """Points a source whose file was moved at its new place.

        Raises:
            UserCanFixError: There is nothing at that place.
        """
        place = await asyncio.to_thread(_existing, path)
        await self._change(source_id, lambda c: sources_store.set_path(c, source_id, place))

    async def rejects(self, source_id: SourceId, *, limit: int = REJECTS_SHOWN) -> tuple[Rejected, ...]:
        """What of a source could not be read, with reasons."""
        return await self._store.read(lambda connection: sources_store.rejects(connection, source_id, limit))

    async def own_addresses(self) -> tuple[OwnAddress, ...]:
        """The person's addresses, inferred and stated, and those they refused."""
        return await self._store.read(sources_store.own_addresses)

    async def state_address(self, address: str) -> None:
        """Takes the person's word that an address is theirs.

        Raises:
            RejectedError: It is not an address.
        """
        await self._say_of_address(address, "stated")

    async def refuse_address(self, address: str) -> None:
        """Takes the person's word that an address is not theirs; it is not inferred again.

        Raises:
            RejectedError: It is not an address.
        """
        await self._say_of_address(address, "refused")

    async def _say_of_address(self, address: str, origin: sources_store.AddressOrigin) -> None:
        clean = normalise_address(address)
        if "@" not in clean.strip("@") or " " in clean:
            raise RejectedError("That is not a mail address", "", "Write it like name@example.org.")

        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            sources_store.state_address(connection, clean, origin)
            return None, [SourcesChanged(SourceId(""))]

        await self._store.write(work)

    async def _change(self, source_id: SourceId, change: Callable[[Connection], None]) -> None:
        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            sources_store.state_of(connection, source_id)
            change(connection)
            return None, [SourcesChanged(source_id)]

        await self._store.write(work)

    async def _quietly(self, change: Callable[[Connection], object]) -> None:
        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            change(connection)
            return None, []

        await self._store.write(work)

    async def _read(self, run: "_Run", progress: Progress | None) -> None:
        row = run.row
        kind = known_kind(row.kind)
        cursor = ""
        if not run.is_elsewhere:
            cursor = await self._store.read(lambda connection: sources_store.cursor_of(connection, row.id))
        async with feed_of(kind, run.path, cursor, self._clock) as feed:
            while not run.is_paused and (batch := await feed.next()) is not None:
                run.intake += await self._commit(run, batch)
                run.rejected += batch.rejected
                run.share = batch.done / batch.total if batch.total else None
                news = SourceProgressed(row.id, batch.done, batch.total, len(run.rejected))
                self._bus.publish([news])
                if progress is not None:
                    progress(news)

    async def _commit(self, run: "_Run", batch: Batch) -> Intake:
        now, source_id = self._clock.now(), run.row.id

        def work(connection: Connection) -> tuple[Intake, list[MemoryGrew]]:
            state = sources_store.state_of(
                connection, source_id
            )  # it may have been removed while it was read
            run.is_paused = state == "paused" != run.row.state
            sources_store.begin_reading(connection, source_id, now)
            reading: Reading = "elsewhere" if run.is_elsewhere else "usual"
            intake = take_in(connection, source_id, batch, now=now, reading=reading, met=run.met)
            return intake, [MemoryGrew(source_id, intake.new)] if intake.new else []

        return await self._store.write(work)

    def _begin(self, run: "_Run", connection: Connection) -> None:
        """Writes that a reading begins; what was missing while the place was away is counted anew."""
        if run.row.state == "error" and not run.is_elsewhere:
            sources_store.set_missing(connection, run.row.id, 0)
        sources_store.begin_reading(connection, run.row.id, self._clock.now())

    def _end(self, run: "_Run", connection: Connection) -> None:
        """Writes how a reading ended that nothing went wrong with."""
        row, now = run.row, self._clock.now()
        if run.is_paused:
            sources_store.stopped(connection, row.id, "paused", share=run.share)
            return
        sources_store.synced(connection, row.id, now)
        if row.missing and (run.intake.known or row.state == "error"):
            ask_to_compare(connection, row, now=now, delay=timedelta())
        elif row.watched and not run.is_elsewhere:
            ask_to_compare(connection, row, now=now, delay=EVERY)

    async def _note_stop(self, run: "_Run", exc: Exception | asyncio.CancelledError) -> None:
        """Writes why a reading ended early, where the store still takes it; cancelling does not keep it from that."""
        reason = _reason(exc)
        sentence = exc.sentence() if isinstance(exc, HeedfulError) and reason == "error" else None

        def change(connection: Connection) -> None:
            sources_store.stopped(connection, run.row.id, reason, share=run.share)
            if sentence is not None:
                sources_store.failed(connection, run.row.id, sentence)

        with contextlib.suppress(HeedfulError):
            await asyncio.shield(self._change(run.row.id, change))

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

    async def _infer_addresses(self) -> None:
        tallies = await self._store.read(sources_store.address_tallies)
        found = likely_own(tallies)[:MOST_INFERRED]
        lists = await self._store.read(lambda c: lists_among(c, [one.address for one in found]))
        likely = [one for one in found if one.address not in lists or tallies.sent_authors[one.address]]
        candidates = [one for one in likely if one.score >= SURE_ENOUGH] or likely[:1]

        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            for one in candidates:
                uses = tallies.recipients[one.address] + tallies.sent_authors[one.address]
                sources_store.infer_address(connection, one.address, uses)
            return None, []

        await self._store.write(work)


@dataclass(slots=True)
class _Run:
    """One reading of a source, from `path`; `share` is how far through it is, from 0 to 1, None while unknown."""

    row: SourceRow
    path: Path
    intake: Intake = field(default_factory=Intake)
    met: Met = field(default_factory=Met)
    rejected: list[Rejected] = field(default_factory=list)
    share: float | None = None
    is_paused: bool = False

    @property
    def is_elsewhere(self) -> bool:
        return self.path != self.row.path


def _reason(exc: Exception | asyncio.CancelledError) -> sources_store.StopReason:
    if isinstance(exc, PassingError):
        return "busy"
    return "error" if isinstance(exc, Exception) else "cancelled"


def _existing(path: Path) -> Path:
    place = path.expanduser().absolute()
    if storable(str(place)) != str(place):
        raise UserCanFixError("The path's name is not readable text", "", "Rename it and try again.")
    with translated(place):
        if not place.exists():
            raise UserCanFixError(f"There is nothing at {place}", "", "Check the path and try again.")
    return place


def _kind_of(path: Path, kind: str | None) -> SourceKind:
    if kind is None:
        with translated(path):
            return detect_kind(path)
    known = source_kinds()
    if kind not in known:
        raise RejectedError(
            f"There is no kind of source called {kind}", "", f"Known are: {', '.join(known)}."
        )
    return known[kind]
