"""The Today tab: what matters now as cards, the rest by day as rows, what others owe, and what was put aside.

Only as many rows are put into words as are shown; the view asks for more when the person scrolls, so that ten
thousand items open as fast as ten.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from itertools import islice
from typing import Literal

from heedful.actionables import Actionable, State
from heedful.core.bus import Bus, Unsubscribe
from heedful.core.clock import Clock, local_day
from heedful.core.errors import HeedfulError, RejectedError
from heedful.core.events import ActionablesChanged, ConsciousLoopCompleted, SourcesChanged
from heedful.core.ids import ActionableId, ChunkId
from heedful.core.supervise import Supervisor
from heedful.presenters import days
from heedful.presenters.empty import Emptiness, UsefulAction, emptiness
from heedful.presenters.items import ItemView, Verb, item_view, matters_now, said_at
from heedful.presenters.numbers import thousands
from heedful.presenters.observed import Observed
from heedful.presenters.open_items import OpenItems, OpenItemsPresenter
from heedful.presenters.ports import ActivityPort, DecisionsPort, LibraryPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.sieve import Sieve
from heedful.presenters.trouble import Trouble, trouble

CARDS = 3
PAGE = 30


class Shelf(StrEnum):
    """What the person put aside: closed until asked for."""

    SNOOZED = "snoozed"
    DECIDED = "decided"


_SHELF_STATES = {
    Shelf.SNOOZED: (State.SNOOZED,),
    Shelf.DECIDED: (State.COMPLETED, State.APPROVED, State.DISMISSED),
}
_SHELF_TITLES = {Shelf.SNOOZED: "Snoozed", Shelf.DECIDED: "Done and dismissed"}
_SHELF_EMPTY = {Shelf.SNOOZED: "Nothing is snoozed.", Shelf.DECIDED: "Nothing was decided yet."}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with rows. `note` stands at its right: «4», or «2 of 9». `hidden` counts rows not yet shown."""

    title: str
    note: str
    rows: tuple[ItemView, ...]
    hidden: int = 0


@dataclass(frozen=True, slots=True)
class ShelfView:
    """A closed or open shelf; `empty` is its sentence when it is open and holds nothing."""

    shelf: Shelf
    title: str
    is_open: bool
    rows: tuple[ItemView, ...] = ()
    hidden: int = 0
    empty: str = ""


@dataclass(frozen=True, slots=True)
class TodayView:
    """The whole tab. `stage` says which of the parts is meant to be seen.

    `sought` are the words of the filter; `found` says how many items hold them, or that none does.
    """

    stage: Literal["loading", "trouble", "empty", "items"]
    cards: Section | None = None
    sections: tuple[Section, ...] = ()
    shelves: tuple[ShelfView, ...] = ()
    empty: Emptiness | None = None
    trouble: Trouble | None = None
    sought: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True)
class Arranged:
    """All open items in their places, on a day: the cards, then the groups of rows in order."""

    items: tuple[Actionable, ...]
    day: date
    urgent: tuple[Actionable, ...]
    groups: tuple[days.Group[Actionable], ...]


def arrange(items: tuple[Actionable, ...], *, now: datetime, zone: tzinfo) -> Arranged:
    """Puts items, the most urgent first, in their places."""
    urgent = tuple(islice((item for item in items if matters_now(item)), CARDS))
    chosen = {item.id for item in urgent}
    rest = [item for item in items if item.id not in chosen]
    theirs = tuple(item for item in rest if item.draft.direction == "theirs")
    mine = [item for item in rest if item.draft.direction != "theirs"] if theirs else rest
    groups = days.by_day(mine, said_at, now=now, zone=zone)
    if theirs:
        groups = (*groups, days.Group("Waiting for others", theirs))
    return Arranged(items, local_day(now, zone), urgent, groups)


class TodayPresenter:
    """Shows the open items, and the shelves that the person opened."""

    def __init__(
        self,
        open_items: OpenItemsPresenter,
        decisions: DecisionsPort,
        library: LibraryPort,
        activity: ActivityPort,
        *,
        bus: Bus,
        clock: Clock,
        supervisor: Supervisor,
    ) -> None:
        self.view: Observed[TodayView] = Observed(TodayView("loading"))
        self._open_items = open_items
        self._decisions = decisions
        self._library = library
        self._activity = activity
        self._clock = clock
        self._rows_shown = PAGE
        self._shelves: dict[Shelf, tuple[Actionable, ...] | None] = dict.fromkeys(Shelf)
        self._arranged: Arranged | None = None
        self._sieve = Sieve()
        self._sought = ""
        self._sifted: tuple[tuple[Actionable, ...], str, tuple[Actionable, ...]] | None = None
        self._emptiness: Emptiness | None = None
        self._refresher = Refresher("today", self.load, supervisor)
        self._undo: list[Unsubscribe] = [
            open_items.open.watch(lambda _: self._show()),
            bus.subscribe(ActionablesChanged, lambda _: self._refresher.request()),
            bus.subscribe(ConsciousLoopCompleted, lambda _: self._refresher.request()),
            bus.subscribe(SourcesChanged, lambda _: self._refresher.request()),
        ]

    def refresh(self) -> None:
        """Loads in the background, the open items too."""
        self._open_items.refresh()
        self._refresher.request()

    async def load(self) -> None:
        """Loads what only this tab needs: the open shelves, and the words for an empty tab."""
        try:
            for shelf, known in tuple(self._shelves.items()):
                if known is not None:
                    self._shelves[shelf] = await self._on_shelf(shelf)
            self._emptiness = await self._why_empty()
        except HeedfulError as exc:
            self.view.replace(TodayView("trouble", trouble=trouble(exc)))
            return
        self._show()

    async def decide(self, item_id: ActionableId, verb: Verb, *, lasts: timedelta | None = None) -> None:
        """Carries out what a button of a card or row says; a snooze needs how long it `lasts`."""
        match verb:
            case Verb.APPROVE:
                await self._open_items.approve(item_id)
            case Verb.DONE:
                await self._open_items.complete(item_id)
            case Verb.DISMISS:
                await self._open_items.dismiss(item_id)
            case Verb.UNDO:
                await self._open_items.undo(item_id)
            case Verb.SNOOZE:
                if lasts is None:
                    raise ValueError("a snooze needs its length")
                await self._open_items.snooze(item_id, self._clock.now() + lasts)
            case Verb.READ:
                raise ValueError("reading decides nothing; see `passage_of`")

    async def passage_of(self, item_id: ActionableId) -> ChunkId:
        """The passage that an item stands on, where its message is to be opened.

        Raises:
            HeedfulError: The item is gone, or stands on nothing any more.
        """
        evidence = (await self._decisions.item(item_id)).draft.evidence
        if not evidence:
            raise RejectedError("There is no message to read", "What this item came from was forgotten.", "")
        return evidence[0].chunk_id

    async def toggle(self, shelf: Shelf) -> None:
        """Opens a shelf, or closes it."""
        if self._shelves[shelf] is not None:
            self._shelves[shelf] = None
        else:
            self._shelves[shelf] = await self._on_shelf(shelf)
        self._show()

    async def seek(self, words: str) -> None:
        """Shows only the items that hold these words, also on the open shelves; empty words show all."""
        self._sought = sought = words.strip()
        self._rows_shown = PAGE
        if sought:
            opened = self._open_items.open.value.items or ()
            shelved = (item for items in self._shelves.values() for item in items or ())
            await asyncio.to_thread(self._sieve.learn, (*opened, *shelved))
            self._sifted = (opened, sought, await asyncio.to_thread(self._sieve.sift, opened, sought))
        self._show()

    async def bring_up(self, item_id: ActionableId) -> bool:
        """Makes sure that an item is among what is shown, on its shelf where it was put aside; the filter is lifted.

        False where there is no such item, or it is over.
        """
        if self._open_items.open.value.items is None:
            await self._open_items.load()
        self._sought = ""
        opened = self._open_items.open.value.items or ()
        if any(item.id == item_id for item in opened):
            rest = [item.id for group in self._arranged_now(opened).groups for item in group.members]
        else:
            rest = [item.id for item in await self._shelved_with(item_id)]
            if item_id not in rest:
                return False
        if item_id in rest:
            self._rows_shown = max(self._rows_shown, rest.index(item_id) + 1)
        self._show()
        return True

    async def _shelved_with(self, item_id: ActionableId) -> tuple[Actionable, ...]:
        """The shelf that an item lies on, opened; nothing where it lies on none."""
        try:
            item = await self._decisions.item(item_id)
        except RejectedError:
            return ()
        shelf = next((shelf for shelf, states in _SHELF_STATES.items() if item.state in states), None)
        if shelf is None:
            return ()
        items = await self._on_shelf(shelf)
        self._shelves[shelf] = items
        return items

    def show_more(self) -> None:
        """Puts another page of rows into words."""
        self._rows_shown += PAGE
        self._show()

    def tick(self) -> None:
        """Says the ages anew: time has passed."""
        self._show()

    def close(self) -> None:
        """Hears no more news."""
        self._refresher.close()
        for unsubscribe in self._undo:
            unsubscribe()

    async def _why_empty(self) -> Emptiness:
        sources = await self._library.sources()
        return emptiness(sources, has_looked=bool(await self._activity.ticks(limit=1)))

    async def _on_shelf(self, shelf: Shelf) -> tuple[Actionable, ...]:
        items = await self._decisions.items(states=_SHELF_STATES[shelf])
        if shelf is Shelf.SNOOZED:
            return tuple(sorted(items, key=lambda item: item.snoozed_until or item.updated_at))
        return tuple(sorted(items, key=lambda item: item.updated_at, reverse=True))

    def _show(self) -> None:
        self.view.replace(self._composed(self._open_items.open.value))

    def _composed(self, opened: OpenItems) -> TodayView:
        if opened.items is None:
            failed = opened.trouble
            return TodayView("loading") if failed is None else TodayView("trouble", trouble=trouble(failed))
        shelves = tuple(self._shelf_view(shelf) for shelf in Shelf)
        if not opened.items:
            if self._emptiness is None:
                return TodayView("loading")
            is_new = self._emptiness.action is UsefulAction.ADD_SOURCE
            return TodayView("empty", shelves=() if is_new else shelves, empty=self._emptiness)
        shown = self._sought_among(opened.items)
        arranged = self._arranged_now(shown)
        return TodayView(
            "items",
            cards=self._cards(arranged.urgent, of=len(shown)),
            sections=self._paged(arranged.groups),
            shelves=shelves,
            sought=self._sought,
            found=self._found(len(shown), of=len(opened.items)),
        )

    def _sought_among(self, items: tuple[Actionable, ...]) -> tuple[Actionable, ...]:
        """The items that the filter lets through; sifted anew only when they or its words changed."""
        if not self._sought:
            return items
        known = self._sifted
        if known is None or known[0] is not items or known[1] != self._sought:
            known = (items, self._sought, self._sieve.sift(items, self._sought))
            self._sifted = known
        return known[2]

    def _found(self, number: int, *, of: int) -> str:
        if not self._sought:
            return ""
        return (
            f"{thousands(number)} of {thousands(of)}" if number else f"Nothing open holds “{self._sought}”."
        )

    def _arranged_now(self, items: tuple[Actionable, ...]) -> Arranged:
        """The items in their groups; done anew only when they changed or a new day began."""
        now, zone = self._clock.now(), self._clock.zone
        today = local_day(now, zone)
        known = self._arranged
        if known is None or known.items is not items or known.day != today:
            known = arrange(items, now=now, zone=zone)
            self._arranged = known
        return known

    def _cards(self, urgent: Sequence[Actionable], *, of: int) -> Section | None:
        if not urgent:
            return None
        return Section("What matters now", f"{len(urgent)} of {of}", self._words(urgent))

    def _paged(self, groups: Sequence[days.Group[Actionable]]) -> tuple[Section, ...]:
        left = self._rows_shown
        sections = []
        for group in groups:
            shown = group.members[:left]
            left -= len(shown)
            hidden = len(group.members) - len(shown)
            sections.append(Section(group.name, str(len(group.members)), self._words(shown), hidden))
            if left <= 0:
                break
        return tuple(sections)

    def _shelf_view(self, shelf: Shelf) -> ShelfView:
        items = self._shelves[shelf]
        if items is None:
            return ShelfView(shelf, _SHELF_TITLES[shelf], is_open=False)
        if self._sought:
            items = self._sieve.sift(items, self._sought)
        shown = items[: self._rows_shown]
        return ShelfView(
            shelf,
            _SHELF_TITLES[shelf],
            is_open=True,
            rows=self._words(shown),
            hidden=len(items) - len(shown),
            empty=""
            if items
            else f"Nothing here holds “{self._sought}”."
            if self._sought
            else _SHELF_EMPTY[shelf],
        )

    def _words(self, items: Sequence[Actionable]) -> tuple[ItemView, ...]:
        now, zone = self._clock.now(), self._clock.zone
        return tuple(item_view(item, now=now, zone=zone) for item in items)
