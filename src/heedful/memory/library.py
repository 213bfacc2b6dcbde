"""The person's sources as a whole: add, read, pause, remove; and which addresses are their own.

Reading a source runs in a worker thread, batch by batch; each batch is committed with the source's cursor
before the next is read, so a run that is cut off anywhere goes on from its last batch.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, PassingError, RejectedError, UserCanFixError
from heedful.core.events import MemoryGrew, SourceProgressed, SourcesChanged
from heedful.core.ids import SourceId, content_id
from heedful.memory import retention, sources_store
from heedful.memory.cleaning import storable
from heedful.memory.growth import note_growth
from heedful.memory.intake import Intake, take_in
from heedful.memory.sources_store import Egress, OwnAddress, SourceRow
from heedful.reading import normalise_address
from heedful.sources import Batch, Rejected, SourceKind, detect_kind, source_kinds
from heedful.sources.addresses import likely_own
from heedful.storage import Connection, Store

REJECTS_SHOWN = 100

SURE_ENOUGH = 0.45
"""An address that scores less is taken for the person's own only where none scores more: a colleague who is on
every mail must not be mistaken for them, or what they ask would go unheard."""

Progress = Callable[[SourceProgressed], None]


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one reading of a source came to; `seconds` is its wall time."""

    source_id: SourceId
    intake: Intake
    rejected: tuple[Rejected, ...]
    seconds: float


class Library:
    """Keeps the sources and reads them into the store."""

    def __init__(self, store: Store, bus: Bus, clock: Clock) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._reading: dict[SourceId, asyncio.Lock] = {}

    async def sources(self) -> tuple[SourceRow, ...]:
        """All sources, in the order in which they were added."""
        return await self._store.read(sources_store.sources)

    @property
    def is_reading(self) -> bool:
        """Whether any source is being read just now; may be asked from any thread."""
        return any(lock.locked() for lock in tuple(self._reading.values()))

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
        self, source_id: SourceId, *, path: Path | None = None, progress: Progress | None = None
    ) -> SyncReport:
        """Reads what is new in a source, from `path` instead of its own where given.

        Publishes SourceProgressed after each committed batch, MemoryGrew when something came in, SourcesChanged
        at the end. Cancelling stops after the batch at hand.

        Raises:
            HeedfulError: The source can't be read; its row says why from then on.
        """
        lock = self._reading.setdefault(source_id, asyncio.Lock())
        async with lock:
            started = self._clock.monotonic()
            row = await self._store.read(lambda connection: sources_store.source(connection, source_id))
            try:
                place = row.path if path is None else await asyncio.to_thread(_existing, path)
                intake, rejected = await self._read(row, place, progress)
            except PassingError:
                raise
            except HeedfulError as exc:
                sentence = exc.sentence()
                await self._change(source_id, lambda c: sources_store.failed(c, source_id, sentence))
                raise
            now = self._clock.now()
            await self._change(source_id, lambda c: sources_store.synced(c, source_id, now))
            if intake.new:
                await self._infer_addresses()
            return SyncReport(source_id, intake, rejected, self._clock.monotonic() - started)

    async def pause(self, source_id: SourceId) -> None:
        """Stops reading a source until `resume`; what it brought in stays."""
        await self._change(source_id, lambda c: sources_store.set_state(c, source_id, "paused"))

    async def resume(self, source_id: SourceId) -> None:
        """Reads a paused source again from now on."""
        await self._change(source_id, lambda c: sources_store.set_state(c, source_id, "active"))

    async def remove(self, source_id: SourceId) -> int:
        """Removes a source with every message that no other source holds; returns how many went."""
        now = self._clock.now()

        def work(connection: Connection) -> tuple[int, list[SourcesChanged]]:
            gone = sources_store.remove(connection, source_id)
            note_growth(connection, now=now)
            return gone, [SourcesChanged(source_id)]

        return await self._store.write(work)

    async def set_egress(self, source_id: SourceId, egress: Egress) -> None:
        """Decides whether anything of a source may leave this machine."""
        await self._change(source_id, lambda c: sources_store.set_egress(c, source_id, egress))

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
            sources_store.source(connection, source_id)
            change(connection)
            return None, [SourcesChanged(source_id)]

        await self._store.write(work)

    async def _read(
        self, row: SourceRow, path: Path, progress: Progress | None
    ) -> tuple[Intake, tuple[Rejected, ...]]:
        kind = source_kinds().get(row.kind)
        if kind is None:
            raise RejectedError(
                f"Heedful no longer knows sources of kind {row.kind}", "", "Remove the source."
            )
        cursor = ""
        if path == row.path:
            cursor = await self._store.read(lambda connection: sources_store.cursor_of(connection, row.id))
        feed = _Feed(kind, path, cursor, self._clock)
        total = Intake()
        rejected: list[Rejected] = []
        try:
            while (batch := await asyncio.to_thread(feed.next)) is not None:
                total += await self._commit(row.id, batch)
                rejected += batch.rejected
                news = SourceProgressed(row.id, batch.done, batch.total, len(rejected))
                self._bus.publish([news])
                if progress is not None:
                    progress(news)
        finally:
            await asyncio.shield(asyncio.to_thread(feed.close))
        return total, tuple(rejected)

    async def _commit(self, source_id: SourceId, batch: Batch) -> Intake:
        now = self._clock.now()

        def work(connection: Connection) -> tuple[Intake, list[MemoryGrew]]:
            sources_store.source(connection, source_id)  # it may have been removed while it was read
            intake = take_in(connection, source_id, batch, now=now)
            return intake, [MemoryGrew(source_id, intake.new)] if intake.new else []

        return await self._store.write(work)

    async def _infer_addresses(self) -> None:
        tallies = await self._store.read(sources_store.address_tallies)
        candidates = [one for one in likely_own(tallies) if one.score >= SURE_ENOUGH] or likely_own(tallies)[
            :1
        ]

        def work(connection: Connection) -> tuple[None, list[SourcesChanged]]:
            for one in candidates:
                uses = tallies.recipients[one.address] + tallies.sent_authors[one.address]
                sources_store.infer_address(connection, one.address, uses)
            return None, []

        await self._store.write(work)


class _Feed:
    """Draws batches from a source one at a time, each call in a worker thread."""

    def __init__(self, kind: SourceKind, path: Path, cursor: str, clock: Clock) -> None:
        self._batches = iter(kind.read(path, cursor, clock=clock))
        self._guard = threading.Lock()

    def next(self) -> Batch | None:
        with self._guard:
            return next(self._batches, None)

    def close(self) -> None:
        """Closes the file a half-read source holds open."""
        with self._guard:
            close = getattr(self._batches, "close", None)
            if close is not None:
                close()


def _existing(path: Path) -> Path:
    place = path.expanduser().absolute()
    if storable(str(place)) != str(place):
        raise UserCanFixError("The path's name is not readable text", "", "Rename it and try again.")
    if not place.exists():
        raise UserCanFixError(f"There is nothing at {place}", "", "Check the path and try again.")
    return place


def _kind_of(path: Path, kind: str | None) -> SourceKind:
    if kind is None:
        return detect_kind(path)
    known = source_kinds()
    if kind not in known:
        raise RejectedError(
            f"There is no kind of source called {kind}", "", f"Known are: {', '.join(known)}."
        )
    return known[kind]
