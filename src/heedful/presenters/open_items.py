"""The items that the person should see now, kept true: one copy for the Today tab, the header and the tray.

A decision shows at once and is taken back, with a toast, when it could not be kept. A load that began before a
decision was committed is thrown away and done again, so that nothing decided comes back for a moment.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime

from heedful.actionables import Actionable, State
from heedful.core.bus import Bus
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.events import ActionablesChanged
from heedful.core.ids import ActionableId
from heedful.core.supervise import Supervisor
from heedful.presenters import times
from heedful.presenters.items import most_urgent_first
from heedful.presenters.observed import Observed
from heedful.presenters.ports import DecisionsPort
from heedful.presenters.refreshing import Refresher
from heedful.presenters.toasts import Toasts, quoted

OPEN = (State.ACTIVE, State.AWAITING)


@dataclass(frozen=True, slots=True)
class OpenItems:
    """`items` are the most urgent first; None until the first load ended. `trouble` is why a load failed."""

    items: tuple[Actionable, ...] | None = None
    trouble: HeedfulError | None = None


class OpenItemsPresenter:
    """Loads the open items and takes the person's decisions about any item."""

    def __init__(
        self, decisions: DecisionsPort, toasts: Toasts, bus: Bus, *, clock: Clock, supervisor: Supervisor
    ) -> None:
        self.open: Observed[OpenItems] = Observed(OpenItems())
        self._decisions = decisions
        self._toasts = toasts
        self._clock = clock
        self._loaded: tuple[Actionable, ...] | None = None
        self._deciding: set[ActionableId] = set()
        self._commits = 0
        self._refresher = Refresher("open-items", self.load, supervisor)
        self._unsubscribe = bus.subscribe(ActionablesChanged, lambda _: self._refresher.request())

    def refresh(self) -> None:
        """Loads in the background."""
        self._refresher.request()

    async def load(self) -> None:
        """Loads now; a failure is shown, not raised."""
        while True:
            commits = self._commits
            try:
                loaded = await self._decisions.items()
            except HeedfulError as exc:
                self.open.replace(OpenItems(self.open.value.items, exc))
                return
            if commits == self._commits:
                break
        self._loaded = tuple(most_urgent_first(loaded))
        self._show()

    async def approve(self, item_id: ActionableId) -> None:
        await self._decide(
            item_id, self._decisions.approve, lambda item: f"{quoted(item.draft.title)} approved"
        )

    async def complete(self, item_id: ActionableId) -> None:
        await self._decide(item_id, self._decisions.complete, lambda item: f"{quoted(item.draft.title)} done")

    async def dismiss(self, item_id: ActionableId) -> None:
        await self._decide(
            item_id, self._decisions.dismiss, lambda item: f"{quoted(item.draft.title)} dismissed"
        )

    async def snooze(self, item_id: ActionableId, until: datetime) -> None:
        def words(item: Actionable) -> str:
            moment = times.moment_words(until, self._clock.now(), self._clock.zone)
            return f"{quoted(item.draft.title)} snoozed until {moment}"

        await self._decide(item_id, lambda item: self._decisions.snooze(item, until), words)

    async def undo(self, item_id: ActionableId) -> None:
        """Takes the last decision about an item back."""
        try:
            item = await self._decisions.undo(item_id)
        except HeedfulError as exc:
            self._toasts.fail(exc)
            return
        self._commits += 1
        self._toasts.say(f"{quoted(item.draft.title)} is back")
        self._keep(item)

    def close(self) -> None:
        """Hears no more news."""
        self._unsubscribe()
        self._refresher.close()

    async def _decide(
        self,
        item_id: ActionableId,
        decide: Callable[[ActionableId], Awaitable[Actionable]],
        words: Callable[[Actionable], str],
    ) -> None:
        if item_id in self._deciding:
            return
        self._deciding.add(item_id)
        self._show()
        try:
            item = await decide(item_id)
        except HeedfulError as exc:
            self._toasts.fail(exc)
            self._refresher.request()
        else:
            self._commits += 1
            self._keep(item)
            self._toasts.say(words(item), undo=item_id)
        finally:
            self._deciding.discard(item_id)
            self._show()

    def _keep(self, item: Actionable) -> None:
        if self._loaded is None:
            return
        others = [known for known in self._loaded if known.id != item.id]
        self._loaded = tuple(most_urgent_first([*others, item]) if item.state in OPEN else others)
        self._show()

    def _show(self) -> None:
        if self._loaded is None:
            return
        if not self._deciding:
            self.open.replace(OpenItems(self._loaded))
            return
        shown = tuple(item for item in self._loaded if item.id not in self._deciding)
        self.open.replace(OpenItems(shown))
