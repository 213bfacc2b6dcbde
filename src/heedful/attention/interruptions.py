"""Decides on each new or changed item whether to interrupt, shows it, and keeps the decision."""

import logging
from collections.abc import Callable, Iterable

from heedful.actionables import Actionable, Decisions, Priority, State
from heedful.attention import attention_store
from heedful.attention.attention_store import InterruptionRow
from heedful.attention.notifier import Button, Notification, Notifier
from heedful.attention.policy import Interruption, decide
from heedful.core.clock import Clock, local_day, start_of_day
from heedful.core.errors import HeedfulError
from heedful.core.events import Event
from heedful.core.ids import ActionableId
from heedful.core.settings import NotificationSettings
from heedful.storage import Connection, Store

log = logging.getLogger(__name__)

TITLE_LENGTH = 120
BODY_LENGTH = 160


class Interruptions:
    """Stands between the items and the desktop's notifications."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        decisions: Decisions,
        notifier: Notifier,
        settings: Callable[[], NotificationSettings],
    ) -> None:
        self._store = store
        self._clock = clock
        self._decisions = decisions
        self._notifier = notifier
        self._settings = settings

    async def consider(self, ids: Iterable[ActionableId] | None = None) -> tuple[ActionableId, ...]:
        """Decides about these items, or about every critical one that waits; returns those that were shown."""
        shown = []
        for item in await self._candidates(ids):
            if item.state not in (State.ACTIVE, State.AWAITING):
                await self._notifier.withdraw(item.id)
            elif item.draft.priority is Priority.CRITICAL and (await self._decide(item)).show:
                shown.append(item.id)
        return tuple(shown)

    async def of_item(self, item_id: ActionableId) -> tuple[InterruptionRow, ...]:
        """What was decided about an item, newest first."""
        return await self._store.read(lambda connection: attention_store.of_item(connection, item_id))

    async def _candidates(self, ids: Iterable[ActionableId] | None) -> tuple[Actionable, ...]:
        if ids is None:
            return await self._decisions.items()
        found = []
        for item_id in ids:
            try:
                found.append(await self._decisions.item(item_id))
            except HeedfulError:
                log.info("item %s is gone before it could interrupt", item_id)
        return tuple(found)

    async def _decide(self, item: Actionable) -> Interruption:
        now, zone = self._clock.now(), self._clock.zone

        def work(connection: Connection) -> tuple[Interruption, list[Event]]:
            before = attention_store.shown_before(
                connection, item.id, start_of_day(local_day(now, zone), zone)
            )
            decision = decide(
                item, now=now, local=now.astimezone(zone), shown=before, settings=self._settings()
            )
            attention_store.note(connection, item.id, decision, now)
            return decision, []

        decision = await self._store.write(work)
        if decision.show:
            await self._notifier.show(notification_of(item))
        return decision


def notification_of(item: Actionable) -> Notification:
    """The notification about an item: its title, its description, and its two decisions."""
    if item.state is State.AWAITING:
        buttons = (Button("approve", "Approve"), Button("dismiss", "Dismiss"))
    else:
        buttons = (Button("complete", "Done"), Button("dismiss", "Dismiss"))
    return Notification(
        item.id, _short(item.draft.title, TITLE_LENGTH), _short(item.draft.description, BODY_LENGTH), buttons
    )


def _short(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0] + "…"
