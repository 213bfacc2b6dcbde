"""Whether an item may interrupt: the table, and what holds for every item at every hour."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heedful.actionables import Actionable, Priority, State
from heedful.attention import Shown, decide, is_quiet
from heedful.core.settings import NotificationSettings
from tests.actionables.drafts import draft

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
NIGHT = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
NEVER = Shown(0, None)


def item(state: State = State.ACTIVE, **changes: object) -> Actionable:
    made = draft("Pay the fine", **{"priority": Priority.CRITICAL, **changes})
    return Actionable(made.id, made, state, NOON, NOON, NOON)


@pytest.mark.parametrize(
    ("about", "now", "shown", "settings", "show", "reason"),
    [
        (item(), NOON, NEVER, {}, True, "critical and new"),
        (item(State.AWAITING), NOON, NEVER, {}, True, "critical and new"),
        (item(priority=Priority.IMPORTANT), NOON, NEVER, {}, False, "not critical"),
        (item(State.SNOOZED), NOON, NEVER, {}, False, "snoozed already"),
        (item(State.DISMISSED), NOON, NEVER, {}, False, "dismissed already"),
        (item(direction="theirs"), NOON, NEVER, {}, False, "Somebody else"),
        (item(), NOON, NEVER, {"enabled": False}, False, "switched off"),
        (item(), NIGHT, NEVER, {}, False, "quiet hours, until 08:00"),
        (item(), NIGHT, NEVER, {"quiet_from": time(0), "quiet_until": time(0)}, True, "critical and new"),
        (item(), NOON, Shown(1, NOON - timedelta(hours=23, minutes=59)), {}, False, "last 24 hours"),
        (item(), NOON, Shown(1, NOON - timedelta(hours=24)), {}, True, "critical and new"),
        (item(), NOON, Shown(2, None), {}, True, "critical and new"),
        (item(), NOON, Shown(3, None), {}, False, "3 notifications were shown today"),
        (item(), NOON, NEVER, {"daily_limit": 0}, False, "0 notifications were shown today"),
    ],
)
def test_the_policy_decides_with_a_reason(
    about: Actionable, now: datetime, shown: Shown, settings: dict[str, object], *, show: bool, reason: str
) -> None:
    chosen = NotificationSettings(**settings)  # type: ignore[arg-type] # by name
    decision = decide(about, now=now, local=now, shown=shown, settings=chosen)
    assert decision.show is show
    assert reason in decision.reason


@pytest.mark.parametrize(
    ("begin", "end", "inside", "outside"),
    [
        (
            time(22),
            time(8),
            [time(22), time(23, 59), time(0), time(7, 59)],
            [time(8), time(12), time(21, 59)],
        ),
        (time(1), time(5), [time(1), time(4, 59)], [time(0, 59), time(5), time(22)]),
        (time(8), time(8), [], [time(0), time(8), time(12)]),
        (time(0), time(0), [], [time(0), time(12)]),
        (time(22), time(0), [time(22), time(23, 59)], [time(0), time(21, 59)]),
    ],
)
def test_quiet_hours_may_pass_midnight_begin_inclusive_and_end_exclusive(
    begin: time, end: time, inside: list[time], outside: list[time]
) -> None:
    assert all(is_quiet(moment, begin, end) for moment in inside)
    assert not any(is_quiet(moment, begin, end) for moment in outside)


@given(st.times(), st.times(), st.times())
def test_the_hours_that_are_not_quiet_are_the_quiet_ones_turned_round(
    moment: time, begin: time, end: time
) -> None:
    if begin != end:
        assert is_quiet(moment, begin, end) != is_quiet(moment, end, begin)


@given(
    st.sampled_from(Priority),
    st.sampled_from(State),
    st.times(),
    st.integers(0, 6),
    st.one_of(st.none(), st.integers(0, 72)),
    st.integers(0, 5),
)
def test_nothing_interrupts_that_may_not(
    priority: Priority, state: State, at: time, today: int, hours_since: int | None, limit: int
) -> None:
    now = datetime.combine(NOON.date(), at, UTC)
    last = None if hours_since is None else now - timedelta(hours=hours_since)
    settings = NotificationSettings(daily_limit=limit)
    shown = Shown(today, last)
    decision = decide(item(state, priority=priority), now=now, local=now, shown=shown, settings=settings)
    assert decision.reason
    if decision.show:
        assert priority is Priority.CRITICAL
        assert state in (State.ACTIVE, State.AWAITING)
        assert time(8) <= at < time(22)
        assert today < limit
        assert hours_since is None or hours_since >= 24
