"""The whole house put together: what its parts do to each other."""

import asyncio
from datetime import UTC, datetime

from heedful.actionables import Priority
from heedful.app import build
from heedful.attention import Notification
from heedful.core.events import ActionablesChanged
from heedful.core.paths import Home
from heedful.storage import Key
from tests.actionables.drafts import draft, find
from tests.fakes.clock import FakeClock
from tests.fakes.notifier import FakeNotifier
from tests.fakes.secrets import FakeSecrets

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


class StillClock(FakeClock):
    """Stands still; whoever sleeps on it sleeps until cancelled."""

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.Event().wait()


class BusyDesktop(FakeNotifier):
    """Shows nothing before it has time."""

    def __init__(self) -> None:
        super().__init__()
        self.is_asked, self.has_time, self.has_shown = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def show(self, notification: Notification) -> None:
        self.is_asked.set()
        await self.has_time.wait()
        await super().show(notification)
        self.has_shown.set()


async def test_more_news_about_an_item_takes_away_no_notification_that_is_on_its_way(
    home: Home, key: Key
) -> None:
    desktop, clock = BusyDesktop(), StillClock(NOON)
    app = await build(home, environment={}, clock=clock, secrets=FakeSecrets(), key=key, notifier=desktop)
    try:
        await app.start()
        fine = draft("Pay the fine", priority=Priority.CRITICAL)
        item_id = (await find(app.store, fine, clock.now())).item.id
        app.bus.publish([ActionablesChanged((item_id,))])
        async with asyncio.timeout(5):
            await desktop.is_asked.wait()
            app.bus.publish([ActionablesChanged((item_id,))])
            await app.interruptions.consider([item_id])  # others had their turn
            desktop.has_time.set()
            await desktop.has_shown.wait()
        assert [one.item_id for one in desktop.shown] == [item_id]
    finally:
        await app.stop()
