"""The person's decisions about items, and what time decides by itself: each is on disk before it is shown."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from heedful.actionables import actionables_store
from heedful.actionables.item import Actionable, State
from heedful.actionables.life import (
    OPEN,
    Actor,
    Change,
    Verb,
    after,
    check_snooze,
    open_state,
    undone,
)
from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.core.events import ActionablesChanged
from heedful.core.ids import ActionableId
from heedful.storage import Connection, Store

Step = Callable[[Connection, Actionable], tuple[Actionable, Change]]


class Decisions:
    """Reads items and applies decisions; every method returns after COMMIT and has published the change."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def items(self, *, states: Iterable[State] | None = None) -> tuple[Actionable, ...]:
        """Items in these states, else those that wait for the person; the most urgent first."""
        wanted = tuple(OPEN if states is None else states)
        return await self._store.read(lambda connection: actionables_store.items(connection, wanted))

    async def has_looked(self) -> bool:
        """Whether anybody ever looked for items; before that, none is no all-clear."""
        return await self._store.read(actionables_store.has_looked)

    async def item(self, item_id: ActionableId) -> Actionable:
        """One item.

        Raises:
            RejectedError: There is none of that id.
        """
        return await self._store.read(lambda connection: _known(connection, item_id))

    async def history(self, item_id: ActionableId) -> tuple[Change, ...]:
        """An item's life so far, oldest first."""
        return await self._store.read(lambda connection: actionables_store.history(connection, item_id))

    async def approve(self, item_id: ActionableId) -> Actionable:
        """Records the person's yes to an item that asked for one.

        Raises:
            RejectedError: The item asks for none, or is decided already.
        """
        return await self._decide(item_id, Verb.APPROVE)

    async def complete(self, item_id: ActionableId) -> Actionable:
        """Marks an item done.

        Raises:
            RejectedError: The item is not open.
        """
        return await self._decide(item_id, Verb.COMPLETE)

    async def dismiss(self, item_id: ActionableId) -> Actionable:
        """Sends an item away for good.

        Raises:
            RejectedError: The item is not open.
        """
        return await self._decide(item_id, Verb.DISMISS)

    async def snooze(self, item_id: ActionableId, until: datetime) -> Actionable:
        """Hides an item until a moment; it wakes by itself, also after a restart.

        Raises:
            RejectedError: The item is not open, or the moment is past or over a year away.
        """
        now = self._clock.now()
        check_snooze(until, now)

        def step(_: Connection, item: Actionable) -> tuple[Actionable, Change]:
            state = after(Verb.SNOOZE, item.state, requires_confirmation=item.draft.requires_confirmation)
            changed = replace(item, state=state, updated_at=now, snoozed_until=until)
            return changed, Change(now, "person", Verb.SNOOZE, item.state, state, item.snoozed_until)

        return await self._apply(item_id, step)

    async def undo(self, item_id: ActionableId) -> Actionable:
        """Takes the person's last decision back, within 30 days.

        Raises:
            RejectedError: There is none to take back, or what the item came from is gone from its source.
        """
        now = self._clock.now()

        def step(connection: Connection, item: Actionable) -> tuple[Actionable, Change]:
            if not item.draft.evidence:
                raise RejectedError(
                    "What this came from is gone", "There is nothing left that it could show.", ""
                )
            last = undone(actionables_store.history(connection, item_id), item.state, now)
            before = last.before if last.before is not None else item.state
            until = last.snoozed_until_before
            if before is State.SNOOZED and (until is None or until <= now):
                before, until = open_state(requires_confirmation=item.draft.requires_confirmation), None
            changed = replace(item, state=before, updated_at=now, snoozed_until=until)
            return changed, Change(now, "person", Verb.UNDO, item.state, before, item.snoozed_until)

        return await self._apply(item_id, step)

    async def let_time_pass(self) -> datetime | None:
        """Wakes what was snoozed long enough and expires what stopped mattering; returns when the next is due."""
        now = self._clock.now()

        def work(connection: Connection) -> tuple[datetime | None, list[ActionablesChanged]]:
            moved = []
            for item in actionables_store.due_by_clock(connection, now):
                over = item.draft.expires_at is not None and item.draft.expires_at <= now
                changed, change = _step(item, Verb.EXPIRE if over else Verb.WAKE, "time", now)
                _keep(connection, changed, change)
                moved.append(item.id)
            news = [ActionablesChanged(tuple(moved))] if moved else []
            return actionables_store.next_wake(connection), news

        return await self._store.write(work)

    async def _decide(self, item_id: ActionableId, verb: Verb) -> Actionable:
        now = self._clock.now()
        return await self._apply(item_id, lambda _, item: _step(item, verb, "person", now))

    async def _apply(self, item_id: ActionableId, step: Step) -> Actionable:
        def work(connection: Connection) -> tuple[Actionable, list[ActionablesChanged]]:
            changed, change = step(connection, _known(connection, item_id))
            _keep(connection, changed, change)
            return changed, [ActionablesChanged((item_id,))]

        return await self._store.write(work)


def _step(item: Actionable, verb: Verb, actor: Actor, now: datetime) -> tuple[Actionable, Change]:
    state = after(verb, item.state, requires_confirmation=item.draft.requires_confirmation)
    changed = replace(item, state=state, updated_at=now, snoozed_until=None)
    return changed, Change(now, actor, verb, item.state, state, item.snoozed_until)


def _keep(connection: Connection, item: Actionable, change: Change) -> None:
    actionables_store.write(connection, item)
    actionables_store.note(connection, item.id, change)


def _known(connection: Connection, item_id: ActionableId) -> Actionable:
    found = actionables_store.item(connection, item_id)
    if found is None:
        raise RejectedError("There is no such item", "", "List them with `heedful items --all`.")
    return found
