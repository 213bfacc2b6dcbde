"""Recurring and far events stay known ahead of time as days go by."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from heedful.core.events import Event
from heedful.memory.sync.calendar import unfold_further
from heedful.sources import Incoming, Rejected
from heedful.sources.calendar_series import split_series
from heedful.sources.ics import read_event
from heedful.storage import Connection, Store
from tests.memory.incoming import MONDAY, A, rows, take


def read(*lines: str, now: datetime = MONDAY) -> Incoming:
    opening = ("BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:one@x.example", "SUMMARY:Team sync")
    text = "\r\n".join((*opening, *lines, "END:VEVENT", "END:VCALENDAR", ""))
    (series,) = split_series(text.encode())
    found = read_event(series, now=now, zone=UTC)
    assert not isinstance(found, Rejected), found
    return found


async def unfold_once(store: Store, by: timedelta) -> int:
    def work(connection: Connection) -> tuple[int, list[Event]]:
        return unfold_further(connection, now=MONDAY + by, zone=UTC), []

    return await store.write(work)


async def let_pass(store: Store, by: timedelta) -> int:
    """Unfolds until nothing is left to do, as the app does; returns how many series that touched."""
    touched = 0
    while count := await unfold_once(store, by):
        touched += count
        assert touched < 100
    return touched


async def starts(store: Store) -> list[datetime]:
    found = await rows(store, "SELECT starts_at FROM occurrences ORDER BY starts_at")
    return [datetime.fromtimestamp(int(start or 0) / 1000, UTC) for (start,) in found]


async def test_a_weekly_meeting_is_known_a_year_ahead_and_stays_so(store: Store) -> None:
    await take(store, A, read("DTSTART:20261201T140000Z", "DTEND:20261201T150000Z", "RRULE:FREQ=WEEKLY"))
    assert await let_pass(store, timedelta(0)) == 0
    first = await starts(store)
    assert await let_pass(store, timedelta(days=200)) == 1
    later = await starts(store)
    assert first == later[: len(first)]
    assert later[-1] > MONDAY + timedelta(days=590)
    assert {b - a for a, b in pairwise(later)} == {timedelta(days=7)}
    assert await let_pass(store, timedelta(days=201)) == 0


async def test_a_series_too_dense_for_one_pass_is_unfolded_on_from_where_it_got(store: Store) -> None:
    await take(store, A, read("DTSTART:20261201T000000Z", "DTEND:20261201T001500Z", "RRULE:FREQ=HOURLY"))
    first = await starts(store)
    assert len(first) >= 100
    one_more = await unfold_once(store, timedelta(0))
    later = await starts(store)
    assert one_more == 1
    assert len(later) > len(first)
    assert {b - a for a, b in pairwise(later)} == {timedelta(hours=1)}
    assert await unfold_once(store, timedelta(0)) == 1
    assert len(await starts(store)) > len(later)
    assert {b - a for a, b in pairwise(await starts(store))} == {timedelta(hours=1)}


async def test_a_date_that_was_added_to_an_event_comes_into_sight_when_its_time_comes_near(
    store: Store,
) -> None:
    await take(store, A, read("DTSTART:20261201T140000Z", "DTEND:20261201T150000Z", "RDATE:20280301T140000Z"))
    assert await starts(store) == [datetime(2026, 12, 1, 14, tzinfo=UTC)]
    await let_pass(store, timedelta(days=120))
    assert await starts(store) == [
        datetime(2026, 12, 1, 14, tzinfo=UTC),
        datetime(2028, 3, 1, 14, tzinfo=UTC),
    ]


async def test_an_event_far_ahead_comes_into_sight_when_its_time_comes_near(store: Store) -> None:
    await take(store, A, read("DTSTART:20280301T140000Z", "DTEND:20280301T150000Z"))
    assert await starts(store) == []
    await let_pass(store, timedelta(days=120))
    assert await starts(store) == [datetime(2028, 3, 1, 14, tzinfo=UTC)]
    assert await let_pass(store, timedelta(days=300)) == 0


async def test_a_past_event_is_looked_at_rarely(store: Store) -> None:
    await take(store, A, read("DTSTART:20200301T140000Z", "DTEND:20200301T150000Z"))
    assert await let_pass(store, timedelta(days=1)) == 0
    assert await let_pass(store, timedelta(days=101)) == 1
    assert await let_pass(store, timedelta(days=102)) == 0


async def test_a_series_that_has_ended_is_not_unfolded_for_ever(store: Store) -> None:
    await take(
        store, A, read("DTSTART:20261201T140000Z", "DTEND:20261201T150000Z", "RRULE:FREQ=DAILY;COUNT=3")
    )
    assert await let_pass(store, timedelta(days=150)) == 1
    assert await let_pass(store, timedelta(days=151)) == 0
    assert len(await starts(store)) == 3


async def test_unfolding_tells_no_loop_that_something_changed(store: Store) -> None:
    await take(store, A, read("DTSTART:20261201T140000Z", "DTEND:20261201T150000Z", "RRULE:FREQ=WEEKLY"))
    before = await rows(store, "SELECT changed, content_hash FROM messages")
    await let_pass(store, timedelta(days=200))
    assert await rows(store, "SELECT changed, content_hash FROM messages") == before


async def test_a_series_that_can_not_be_read_any_more_does_not_stop_the_others(store: Store) -> None:
    await take(store, A, read("DTSTART:20261201T140000Z", "DTEND:20261201T150000Z", "RRULE:FREQ=WEEKLY"))
    await store.write(lambda c: (c.execute("UPDATE calendar_series SET raw = 'RRULE: nonsense'"), []))
    assert await let_pass(store, timedelta(days=200)) == 1
