"""The state in words that the window's header and the tray share, and what their menus offer."""

from datetime import datetime, timedelta

from heedful.actionables import Actionable
from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock, start_of_next_day
from heedful.core.errors import HeedfulError
from heedful.core.events import (
    ConsciousLoopCompleted,
    ConsciousLoopFailed,
    ConsciousLoopStarted,
    SourceProgressed,
    SourcesChanged,
    StoreStateChanged,
    TickRecorded,
)
from heedful.core.ids import SourceId
from heedful.core.supervise import Supervisor
from heedful.presenters import times
from heedful.presenters.items import matters_now
from heedful.presenters.moods import FrameView, MenuItem, Mood
from heedful.presenters.observed import Observed
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.ports import ActivityPort, LibraryPort, LoopPort
from heedful.presenters.refreshing import Refresher

TOP = 3
MENU_TITLE_LENGTH = 48


class FramePresenter:
    """Keeps the state true from the bus and the loop."""

    def __init__(
        self,
        open_items: OpenItemsPresenter,
        library: LibraryPort,
        loop: LoopPort,
        activity: ActivityPort,
        *,
        bus: Bus,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[FrameView] = Observed(FrameView(Mood.WORKING, "Starting"))
        self._open_items = open_items
        self._library = library
        self._loop = loop
        self._activity = activity
        self._clock = clock
        self._paused: tuple[bool, datetime | None] = (False, None)
        self._failure = ""
        self._damaged = False
        self._is_loaded = False
        self._is_looking = False
        self._reading: dict[SourceId, int] = {}
        self._names: dict[SourceId, str] = {}
        self._refresher = Refresher("frame", self.load, supervisor)
        self._undo: list[Unsubscribe] = [
            open_items.open.watch(lambda _: self._show()),
            bus.subscribe(ConsciousLoopStarted, self._started),
            bus.subscribe(ConsciousLoopCompleted, self._completed),
            bus.subscribe(ConsciousLoopFailed, self._failed),
            bus.subscribe(TickRecorded, lambda _: self._refresher.request()),
            bus.subscribe(SourceProgressed, self._progressed),
            bus.subscribe(SourcesChanged, self._read),
            bus.subscribe(StoreStateChanged, self._store_changed),
        ]

    def refresh(self) -> None:
        """Loads in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads the pause, the sources' names, and whether the last look failed."""
        try:
            self._paused = await self._loop.paused()
            self._names = {row.id: row.name for row in await self._library.sources()}
            last = await self._activity.ticks(limit=1)
        except HeedfulError as exc:
            self._failure = exc.title
        else:
            # One that was removed while it was read tells nobody how its reading ended.
            self._reading = {one: done for one, done in self._reading.items() if one in self._names}
            self._is_looking = self._loop.running is not None
            failed = bool(last) and last[0].outcome == "error"
            self._failure = (
                ((last[0].error or "").split(". ", 1)[0] or "The last look failed") if failed else ""
            )
        self._is_loaded = True
        self._show()

    def look_now(self) -> None:
        """Asks for a look; returns at once."""
        self._loop.request("manual")

    async def pause_for(self, length: timedelta) -> None:
        """Pauses the timer for a while."""
        await self._loop.pause(self._clock.now() + length)
        await self.load()

    async def pause_until_tomorrow(self) -> None:
        """Pauses the timer until the person's next day begins."""
        await self._loop.pause(start_of_next_day(self._clock.now(), self._clock.zone))
        await self.load()

    async def resume(self) -> None:
        """Ends the pause."""
        await self._loop.resume()
        await self.load()

    def tick(self) -> None:
        """Says the times anew: time has passed."""
        self._show()

    def close(self) -> None:
        """Hears no more news."""
        self._refresher.close()
        for unsubscribe in self._undo:
            unsubscribe()

    def _started(self, _: ConsciousLoopStarted) -> None:
        self._is_looking = True
        self._show()

    def _completed(self, _: ConsciousLoopCompleted) -> None:
        self._is_looking = False
        self._failure = ""
        self._show()

    def _failed(self, event: ConsciousLoopFailed) -> None:
        self._is_looking = False
        self._failure = event.message.split(". ", 1)[0]
        self._show()

    def _progressed(self, event: SourceProgressed) -> None:
        self._reading[event.source_id] = event.done
        self._show()

    def _read(self, event: SourcesChanged) -> None:
        self._reading.pop(event.source_id, None)
        self._refresher.request()
        self._show()

    def _store_changed(self, event: StoreStateChanged) -> None:
        self._damaged = event.state == "damaged"
        self._show()

    def _show(self) -> None:
        items = self._open_items.open.value.items or ()
        waiting = [item for item in items if matters_now(item)]
        others = [item for item in items if not matters_now(item)]
        mood, words = self._state(len(waiting))
        self.view.replace(
            FrameView(
                mood,
                words,
                len(waiting),
                tuple(_menu_item(item) for item in (*waiting, *others)[:TOP]),
                self._paused[0],
            )
        )

    def _state(self, waiting: int) -> tuple[Mood, str]:
        if self._damaged:
            return Mood.PROBLEM, "The store takes no changes"
        if not self._is_loaded:
            return Mood.WORKING, "Starting"
        if self._is_looking:
            return Mood.WORKING, "Looking"
        if self._reading:
            name = self._names.get(next(reversed(self._reading)), "a source")
            return Mood.WORKING, f"Reading {name}"
        if self._paused[0]:
            return Mood.PAUSED, self._paused_words()
        if self._failure:
            return Mood.PROBLEM, _joined(self._failure, self._next())
        if waiting:
            return Mood.NEEDS_YOU, _joined(
                f"{waiting} need you" if waiting > 1 else "1 needs you", self._next()
            )
        return Mood.QUIET, _joined("Quiet", self._next())

    def _paused_words(self) -> str:
        until = self._paused[1]
        if until is None:
            return "Paused"
        return f"Paused until {times.moment_words(until, self._clock.now(), self._clock.zone)}"

    def _next(self) -> str:
        at = self._loop.next_look_at
        return "" if at is None else f"next look {times.clock_time(at, self._clock.zone)}"


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _menu_item(item: Actionable) -> MenuItem:
    title = item.draft.title
    short = title if len(title) <= MENU_TITLE_LENGTH else title[: MENU_TITLE_LENGTH - 1].rstrip() + "…"
    return MenuItem(item.id, short)
