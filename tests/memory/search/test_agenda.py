"""When calendar entries take place."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from heedful.core.ids import MessageId
from heedful.memory.search.agenda import Slot, agenda, days_taken, slots
from heedful.memory.search.browsing import Range
from heedful.sources import Incoming
from heedful.storage import Store
from tests.memory.incoming import MONDAY, A, B, event, letter, rows, take

BERLIN = ZoneInfo("Europe/Berlin")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FRIDAY = MONDAY + 4 * DAY


def within(first: datetime, last: datetime, *sources: str) -> Range:
    return Range(frozenset(one for one in (A, B) if not sources or one in sources), since=first, until=last)


def lasting(number: int, begin: datetime, end: datetime, *, cancelled: bool = False) -> Incoming:
    (one,) = event(number, begin).occurrences
    whole = replace(one, ends_at=end, all_day=True)
    return event(number, occurrences=(replace(whole, status="cancelled") if cancelled else whole,))


async def test_entries_stand_where_they_take_place_and_a_series_once(store: Store) -> None:
    await take(
        store, A, letter(1), event(2, FRIDAY + HOUR), event(3, FRIDAY, FRIDAY + 7 * DAY, FRIDAY + 2 * HOUR)
    )
    await take(store, B, event(4, FRIDAY + 30 * DAY))
    week = within(FRIDAY - HOUR, FRIDAY + DAY)
    found = await store.read(lambda c: agenda(c, week, limit=10))
    assert [(leaf.external_id, slot) for leaf, slot in found] == [
        ("x3", Slot(FRIDAY, FRIDAY + HOUR, all_day=False)),
        ("x2", Slot(FRIDAY + HOUR, FRIDAY + 2 * HOUR, all_day=False)),
    ]
    assert await store.read(lambda c: agenda(c, replace(week, sources=frozenset({B})), limit=10)) == []


async def test_what_goes_on_is_there_and_what_ended_or_was_cancelled_is_not(store: Store) -> None:
    await take(
        store,
        A,
        lasting(1, FRIDAY - 3 * DAY, FRIDAY + DAY),
        lasting(2, FRIDAY - 3 * DAY, FRIDAY),
        lasting(3, FRIDAY, FRIDAY + DAY, cancelled=True),
    )
    found = await store.read(lambda c: agenda(c, within(FRIDAY, FRIDAY + HOUR), limit=10))
    assert [leaf.external_id for leaf, _ in found] == ["x1"]


async def test_both_moments_are_within_and_a_moment_alone_takes_place(store: Store) -> None:
    until = FRIDAY + HOUR
    await take(
        store,
        A,
        lasting(1, FRIDAY, FRIDAY),
        event(2, until),
        event(3, until + timedelta(milliseconds=1)),
    )
    found = await store.read(lambda c: agenda(c, within(FRIDAY, until), limit=10))
    assert [leaf.external_id for leaf, _ in found] == ["x1", "x2"]


async def test_days_are_the_persons_own_and_a_long_entry_is_on_each(store: Store) -> None:
    midnight = datetime(2026, 12, 3, 23, tzinfo=UTC)  # of the fourth, in Berlin
    await take(store, A, lasting(1, midnight, midnight + 3 * DAY), event(2, midnight - HOUR), letter(3))
    days = [date(2026, 12, day) for day in range(1, 6)]
    taken = await store.read(lambda c: days_taken(c, days, BERLIN))
    assert taken.keys() == {date(2026, 12, day) for day in (3, 4, 5)}
    assert taken[date(2026, 12, 4)] == taken[date(2026, 12, 5)]
    assert [len(entries) for entries in taken.values()] == [1, 1, 1]


async def test_an_entry_is_told_by_its_next_time_or_by_its_last(store: Store) -> None:
    await take(
        store, A, event(1, MONDAY - DAY, FRIDAY, FRIDAY + DAY), event(2, MONDAY - 9 * DAY, MONDAY - 2 * DAY)
    )
    await take(store, A, letter(3), lasting(4, FRIDAY, FRIDAY + DAY, cancelled=True))
    leaves = await store.read(lambda c: agenda(c, within(MONDAY - 30 * DAY, FRIDAY), limit=10))
    known = {leaf.external_id: leaf.message_id for leaf, _ in leaves}
    found = await store.read(lambda c: slots(c, known.values(), now=MONDAY))
    assert found[known["x1"]].starts_at == FRIDAY
    assert found[known["x2"]].starts_at == MONDAY - 2 * DAY
    assert not any(slot.is_cancelled for slot in found.values())


async def test_an_entry_that_was_cancelled_says_so_beside_the_time_it_had(store: Store) -> None:
    await take(store, A, lasting(4, FRIDAY, FRIDAY + DAY, cancelled=True))
    message_id = MessageId(str(await store.read(lambda c: c.value("SELECT id FROM messages"))))
    found = await store.read(lambda c: slots(c, [message_id], now=MONDAY))
    assert found[message_id] == Slot(FRIDAY, FRIDAY + DAY, all_day=True, is_cancelled=True)


async def test_an_entry_is_told_by_a_time_that_was_cancelled_only_where_it_has_no_other(store: Store) -> None:
    first, second = event(1, FRIDAY, FRIDAY + DAY).occurrences
    await take(store, A, event(1, occurrences=(replace(first, status="cancelled"), second)))
    await take(store, A, lasting(2, FRIDAY, FRIDAY + DAY, cancelled=True))
    ids = [MessageId(str(one)) for (one,) in await rows(store, "SELECT id FROM messages ORDER BY seq")]
    found = await store.read(lambda c: slots(c, ids, now=MONDAY))
    assert [found[one].starts_at for one in ids] == [FRIDAY + DAY, FRIDAY]
