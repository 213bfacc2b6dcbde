"""Interruptions on a real store: shown once, counted by the person's day, taken away, and written down."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from heedful.actionables import Decisions, Draft, Priority
from heedful.attention import Button, Interruptions
from heedful.core.ids import ActionableId
from heedful.core.settings import NotificationSettings
from heedful.storage import Store
from tests.actionables.drafts import BEGIN, draft, find
from tests.fakes.clock import FakeClock
from tests.fakes.notifier import FakeNotifier

HOUR = timedelta(hours=1)


@dataclass(slots=True)
class Desk:
    """Everything an interruption needs; `settings` may be exchanged."""

    store: Store
    clock: FakeClock
    decisions: Decisions
    notifier: FakeNotifier
    settings: NotificationSettings

    def interruptions(self) -> Interruptions:
        return Interruptions(self.store, self.clock, self.decisions, self.notifier, lambda: self.settings)

    async def critical(self, title: str, **changes: object) -> ActionableId:
        found: Draft = draft(title, **{"priority": Priority.CRITICAL, **changes})
        return (await find(self.store, found, self.clock.now())).item.id


@pytest.fixture
def desk(store: Store) -> Desk:
    clock = FakeClock(BEGIN)
    return Desk(store, clock, Decisions(store, clock), FakeNotifier(), NotificationSettings())


async def test_a_critical_item_is_shown_once_with_its_two_decisions(desk: Desk) -> None:
    item_id = await desk.critical("Pay the fine")
    assert await desk.interruptions().consider([item_id]) == (item_id,)
    assert await desk.interruptions().consider([item_id]) == ()
    (shown,) = desk.notifier.shown
    assert (shown.item_id, shown.title, shown.body) == (item_id, "Pay the fine", "Ana asks for the report.")
    assert shown.buttons == (Button("complete", "Done"), Button("dismiss", "Dismiss"))


async def test_what_awaits_a_yes_offers_to_give_it(desk: Desk) -> None:
    await desk.critical("Approve the transfer", requires_confirmation=True)
    await desk.interruptions().consider()
    assert [button.verb for button in desk.notifier.shown[0].buttons] == ["approve", "dismiss"]


async def test_a_long_item_is_shortened_at_a_word(desk: Desk) -> None:
    await desk.critical("Pay the fine", description="word " * 100)
    await desk.interruptions().consider()
    body = desk.notifier.shown[0].body
    assert len(body) <= 160
    assert body.endswith("word…")


async def test_three_a_day_and_the_rest_wait_for_the_persons_next_morning(desk: Desk) -> None:
    desk.clock.zone = ZoneInfo("America/Sao_Paulo")  # 06:30 there: still quiet
    ids = [await desk.critical(f"Item {word}") for word in ("one", "two", "three", "four", "five")]
    assert await desk.interruptions().consider(ids) == ()
    desk.clock.advance(2 * HOUR)
    assert await desk.interruptions().consider(ids) == tuple(ids[:3])
    desk.clock.advance(timedelta(hours=16))  # past midnight in UTC, not there, and quiet
    assert await desk.interruptions().consider(ids) == ()
    desk.clock.advance(timedelta(hours=8))
    assert await desk.interruptions().consider(ids) == tuple(ids[:3])


async def test_the_count_of_the_day_survives_a_restart(desk: Desk) -> None:
    ids = [await desk.critical(f"Item {word}") for word in ("one", "two", "three", "four")]
    for item_id in ids[:3]:
        await desk.interruptions().consider([item_id])
    fresh = replace(desk, notifier=FakeNotifier())
    assert await fresh.interruptions().consider(ids) == ()


async def test_why_it_was_shown_or_held_back_is_written_down_without_repeating_itself(desk: Desk) -> None:
    item_id = await desk.critical("Pay the fine")
    desk.settings = NotificationSettings(enabled=False)
    for _ in range(5):
        await desk.interruptions().consider([item_id])
    desk.settings = NotificationSettings()
    await desk.interruptions().consider([item_id])
    rows = await desk.interruptions().of_item(item_id)
    assert [(row.shown, row.reason) for row in rows] == [
        (True, "It is critical and new."),
        (False, "Notifications are switched off."),
    ]


async def test_what_was_decided_is_taken_away_from_the_screen(desk: Desk) -> None:
    item_id = await desk.critical("Pay the fine")
    await desk.interruptions().consider()
    await desk.decisions.complete(item_id)
    await desk.interruptions().consider([item_id])
    assert desk.notifier.withdrawn == [item_id]
    assert len(desk.notifier.shown) == 1


async def test_an_item_that_is_gone_interrupts_nobody(desk: Desk) -> None:
    assert await desk.interruptions().consider([ActionableId("gone")]) == ()
    assert desk.notifier.shown == []


async def test_looking_over_everything_considers_only_what_is_critical_and_waits(desk: Desk) -> None:
    await desk.critical("Normal", priority=Priority.NORMAL)
    snoozed = await desk.critical("Later")
    await desk.decisions.snooze(snoozed, BEGIN + HOUR)
    wanted = await desk.critical("Now")
    assert await desk.interruptions().consider() == (wanted,)
    assert desk.clock.now() == datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
