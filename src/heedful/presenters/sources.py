"""The Sources tab: what Heedful reads, how far it is, what it could not read, and which addresses are the person's."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.events import SourceProgressed, SourcesChanged
from heedful.core.ids import SourceId
from heedful.core.supervise import Supervisor
from heedful.memory import Egress, OwnAddress, SourceRow
from heedful.presenters import times
from heedful.presenters.numbers import thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import LibraryPort, LoopPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.source_words import (
    belief_words,
    comparing_words,
    empty_words,
    fresh_words,
    is_comparing,
    missing_words,
    pending_words,
    standing,
    stop_words,
    things,
    unread_words,
)
from heedful.presenters.toasts import Toasts, quoted
from heedful.presenters.trouble import Trouble, trouble
from heedful.sources import Rejected

NAMED = 3
"""How many of several things that went wrong at once are named."""

Status = Literal[
    "reading", "up to date", "comparing", "stopped", "incomplete", "paused", "needs you", "not read yet"
]


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source. `progress` is 0 to 1 while it is read, None when it is not or when the end can't be known.

    `trouble` is one sentence with its remedy, or why the last reading did not get to its end, and what it had to leave
    out; `believes` asks whether what is missing was deleted, and is empty where nothing is.
    `keep_days` is how long its messages are kept, None for ever.
    `rejected_words` is empty when everything could be read; `rejects` are there while they are unfolded.
    """

    id: SourceId
    kind: str
    name: str
    path: str
    status: Status
    detail: str
    progress: float | None
    trouble: str
    stays_here: bool
    is_paused: bool
    rejected_words: str
    rejects: tuple[Rejected, ...] | None = None
    removal: str = ""
    believes: str = ""
    keep_days: int | None = None


@dataclass(frozen=True, slots=True)
class AddressView:
    """An address of the person's, and how Heedful knows."""

    address: str
    origin: str


@dataclass(frozen=True, slots=True)
class SourcesView:
    """The whole tab."""

    stage: Literal["loading", "trouble", "ready"]
    sources: tuple[SourceView, ...] = ()
    addresses: tuple[AddressView, ...] = ()
    trouble: Trouble | None = None


@dataclass(slots=True)
class _Run:
    """A reading that goes on: where and when it began, and how far it is."""

    began_s: float
    first_done: int
    done: int
    total: int | None
    now_s: float

    @property
    def rate(self) -> float:
        elapsed = self.now_s - self.began_s
        return (self.done - self.first_done) / elapsed if elapsed > 0.2 else 0.0


class SourcesPresenter:
    """Adds, reads, pauses and removes sources as the person asks, and shows how it goes."""

    def __init__(
        self,
        library: LibraryPort,
        loop: LoopPort,
        toasts: Toasts,
        *,
        bus: Bus,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[SourcesView] = Observed(SourcesView("loading"))
        self._library = library
        self._loop = loop
        self._toasts = toasts
        self._clock = clock
        self._rows: tuple[SourceRow, ...] | None = None
        self._addresses: tuple[OwnAddress, ...] = ()
        self._runs: dict[SourceId, _Run] = {}
        self._rejects: dict[SourceId, tuple[Rejected, ...]] = {}
        self._refresher = Refresher("sources", self.load, supervisor)
        self._undo: list[Unsubscribe] = [
            bus.subscribe(SourcesChanged, self._changed),
            bus.subscribe(SourceProgressed, self._progressed),
        ]

    def refresh(self) -> None:
        """Loads in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads now; a failure is shown, not raised."""
        try:
            self._rows = await self._library.sources()
            self._addresses = await self._library.own_addresses()
            known = {row.id for row in self._rows}
            for source_id in [opened for opened in self._rejects if opened not in known]:
                del self._rejects[source_id]
            for source_id in self._rejects:
                self._rejects[source_id] = await self._library.rejects(source_id)
        except HeedfulError as exc:
            self.view.replace(SourcesView("trouble", trouble=trouble(exc)))
            return
        self._show()

    async def add(self, paths: Sequence[Path]) -> None:
        """Makes each path a source and reads it, one after the other, then asks for a look.

        Those that can't be added are told in one toast, and keep none of the others from being added.
        """
        added: list[SourceId] = []
        failed: list[HeedfulError] = []
        for path in paths:
            try:
                added.append(await self._library.add(path))
            except HeedfulError as exc:
                failed.append(exc)
        if failed:
            self._toasts.fail_with(_together(failed))
        for source_id in added:
            await self._read(source_id)
        if added:
            self._loop.request("manual")

    async def sync(self, source_id: SourceId) -> None:
        """Reads what is new in a source and lets go of what was deleted there, then asks for a look."""
        if await self._read(source_id):
            self._loop.request("manual")

    async def pause(self, source_id: SourceId) -> None:
        await self._told(self._library.pause(source_id))

    async def resume(self, source_id: SourceId) -> None:
        await self._told(self._library.resume(source_id))

    async def remove(self, source_id: SourceId) -> None:
        """Removes a source with what it brought in; it can't be undone, so the view asks first."""
        name = self._name(source_id)
        if await self._told(self._library.remove(source_id)):
            self._toasts.say(f"{quoted(name)} and what it brought in are gone")

    async def keep_here(self, source_id: SourceId, *, stays_here: bool) -> None:
        """Decides whether anything of a source may leave this computer; shown at once, taken back on failure."""
        egress: Egress = "local-only" if stays_here else "allowed"
        await self._told(self._library.set_egress(source_id, egress))

    async def believe_missing(self, source_id: SourceId) -> None:
        """Takes the person's word that what is missing in a source was deleted, and lets it go."""
        name = self._name(source_id)
        if await self._told(self._library.reconcile(source_id, believes=True)):
            self._toasts.say(f"What was deleted from {quoted(name)} is gone here too")

    async def keep_for(self, source_id: SourceId, days: int | None) -> None:
        """Decides how many days a source's messages are kept after they were sent; None: for ever."""
        await self._told(self._library.keep_for(source_id, days))

    async def relocate(self, source_id: SourceId, path: Path) -> None:
        """Points a source at its file's new place, and reads it."""
        if await self._told(self._library.relocate(source_id, path)):
            await self.sync(source_id)

    async def toggle_rejects(self, source_id: SourceId) -> None:
        """Unfolds what could not be read, or folds it."""
        if source_id in self._rejects:
            del self._rejects[source_id]
        else:
            self._rejects[source_id] = await self._library.rejects(source_id)
        self._show()

    async def add_address(self, address: str) -> None:
        """Takes the person's word that an address is theirs."""
        if address.strip():
            await self._told(self._library.state_address(address.strip()))

    async def refuse_address(self, address: str) -> None:
        """Takes the person's word that an address is not theirs."""
        await self._told(self._library.refuse_address(address))

    def close(self) -> None:
        """Hears no more news."""
        self._refresher.close()
        for unsubscribe in self._undo:
            unsubscribe()

    async def _read(self, source_id: SourceId) -> bool:
        self._runs.setdefault(source_id, self._new_run(0, None))
        self._show()
        try:
            await self._library.sync(source_id)
            await self._compare(source_id)
        except HeedfulError as exc:
            self._toasts.fail(exc)
            return False
        finally:
            self._runs.pop(source_id, None)
            await self.load()
        return True

    async def _compare(self, source_id: SourceId) -> None:
        """Compares a source that is due for it: who asked for it to be read waits for no background work."""
        rows, now = await self._library.sources(), self._clock.now()
        if any(row.id == source_id and is_comparing(row, now) and row.state == "active" for row in rows):
            await self._library.reconcile(source_id)

    async def _told(self, work: Awaitable[object]) -> bool:
        try:
            await work
        except HeedfulError as exc:
            self._toasts.fail(exc)
            self._show()
            return False
        finally:
            await self.load()
        return True

    def _name(self, source_id: SourceId) -> str:
        return next((row.name for row in self._rows or () if row.id == source_id), "The source")

    def _changed(self, event: SourcesChanged) -> None:
        self._runs.pop(event.source_id, None)
        self._refresher.request()

    def _progressed(self, event: SourceProgressed) -> None:
        run = self._runs.setdefault(event.source_id, self._new_run(event.done, event.total))
        run.done, run.total, run.now_s = event.done, event.total, self._clock.monotonic()
        if self._rows is not None and any(row.id == event.source_id for row in self._rows):
            self._show()
        else:
            self._refresher.request()

    def _new_run(self, done: int, total: int | None) -> _Run:
        began = self._clock.monotonic()
        return _Run(began, done, done, total, began)

    def _show(self) -> None:
        if self._rows is None:
            return
        self.view.replace(
            SourcesView(
                "ready",
                tuple(self._source(row) for row in self._rows),
                tuple(
                    AddressView(own.address, _ORIGINS[own.origin])
                    for own in self._addresses
                    if own.origin != "refused"
                ),
            )
        )

    def _source(self, row: SourceRow) -> SourceView:
        run = self._runs.get(row.id)
        status = _status(row, run, self._clock.now())
        return SourceView(
            id=row.id,
            kind=row.label,
            name=row.name,
            path=str(row.path),
            status=status,
            detail=self._detail(row, run, status),
            progress=run.done / run.total if run is not None and run.total else None,
            trouble=self._trouble(row, status),
            stays_here=row.egress == "local-only",
            is_paused=row.state == "paused",
            rejected_words=f"{thousands(row.rejected)} could not be read" if row.rejected else "",
            rejects=self._rejects.get(row.id),
            believes=belief_words(row),
            keep_days=row.keep_days,
            removal=f"Remove it and its {things(row, row.messages)}? This can't be undone.",
        )

    def _detail(self, row: SourceRow, run: _Run | None, status: Status) -> str:
        if run is not None:
            return progress_words(run.done, run.total, run.rate)
        now = self._clock.now()
        parts = [things(row, row.messages)]
        if row.last_sync_at is not None and status != "needs you":
            parts.append(f"read {times.ago_words(row.last_sync_at, now)}")
        parts += [comparing_words(row, now), fresh_words(row, now), pending_words(row)]
        return " · ".join(part for part in parts if part)

    def _trouble(self, row: SourceRow, status: Status) -> str:
        if status == "needs you":
            return row.error or ""
        if status == "reading":
            return ""
        told = (
            stop_words(row, self._clock.now()),
            unread_words(row),
            missing_words(row),
            empty_words(row),
        )
        return " ".join(words for words in told if words)


_ORIGINS = {"inferred": "found in your mail", "stated": "you said so"}


def progress_words(done: int, total: int | None, rate: float) -> str:
    """«1,204 of 3,980 · 2,100/s · 2 s left», as far as it is known; «just begun» at first."""
    if not done:
        return "just begun"
    parts = [f"{thousands(done)} of {thousands(total)}" if total else f"{thousands(done)} so far"]
    if rate >= 1:
        parts.append(f"{thousands(round(rate))}/s")
        if total and total > done:
            parts.append(times.left_words((total - done) / rate))
    return " · ".join(parts)


def _together(failed: Sequence[HeedfulError]) -> str:
    """What of several things could not be done, the first few by name, and what all of them advise once."""
    if len(failed) == 1:
        return failed[0].sentence()
    told = [f"{exc.title}." for exc in failed[:NAMED]]
    more = len(failed) - NAMED
    if more > 0:
        told.append(f"{thousands(more)} more could not be added either.")
    advice = {exc.sentence().removeprefix(f"{exc.title}.").strip() for exc in failed}
    return " ".join([*told, *advice] if len(advice) == 1 else told).strip()


def _status(row: SourceRow, run: _Run | None, now: datetime) -> Status:
    if run is not None:
        return "reading"
    stands = standing(row, now)
    return "reading" if stands == "being read" else stands
