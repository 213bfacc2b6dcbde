"""The Memory tab's year: its days, and the way to earlier years."""

from datetime import date, timedelta

import pytest

from heedful.core.errors import UserCanFixError
from heedful.presenters.memory_year import LATELY, LEVELS, cells, day_places, day_words, year_days
from tests.presenters.memory_room import Room

TUESDAY = date(2026, 11, 24)


async def test_years_lead_back_as_far_as_there_is_anything_and_leave_empty_ones_out(room: Room) -> None:
    await room.presenter.load()
    years = room.presenter.years
    seen = [years.view.value]
    while years.view.value.earlier:
        await years.step(back=True)
        seen.append(years.view.value)
    assert [one.title for one in seen] == [LATELY, "2025", "2023"]
    first, last = seen[-1].cells[0], seen[-1].cells[-1]
    assert [(first.day, first.count), (last.day, last.count)] == [
        (date(2023, 1, 1), 3),
        (date(2023, 12, 31), 1),
    ]
    assert (len(seen[-1].cells), seen[-1].note.split()[0]) == (365, "13")
    await years.step(back=True)
    assert years.view.value is seen[-1]
    await years.step(back=False)
    assert years.view.value.title == "2025"


async def test_an_earlier_year_stays_in_sight_when_news_arrives_and_counts_it(room: Room) -> None:
    await room.presenter.load()
    for _ in range(2):
        await room.presenter.years.step(back=True)
    room.memory.days[date(2023, 7, 15)] = 1
    await room.presenter.load()
    assert room.presenter.years.view.value.title == "2023"
    assert sum(cell.count for cell in room.presenter.years.view.value.cells) == 14


async def test_a_year_that_holds_nothing_any_more_gives_way_to_the_last_months(room: Room) -> None:
    await room.presenter.load()
    for _ in range(2):
        await room.presenter.years.step(back=True)
    room.memory.days = {day: number for day, number in room.memory.days.items() if day.year > 2023}
    await room.presenter.load()
    assert room.presenter.years.view.value.title == LATELY


async def test_a_year_that_can_not_be_read_leaves_the_one_in_sight(room: Room) -> None:
    await room.presenter.load()
    room.memory.failure = UserCanFixError("The store can't be read")
    with pytest.raises(UserCanFixError):
        await room.presenter.years.step(back=True)
    room.memory.failure = None
    await room.presenter.years.step(back=True)
    assert room.presenter.years.view.value.title == "2025"


def test_the_year_begins_on_a_monday_and_ends_today() -> None:
    for back in range(8):
        today = TUESDAY - timedelta(days=back)
        days = year_days(today)
        assert (days[0].weekday(), days[-1]) == (0, today)
        assert 365 <= len(days) <= 371


def test_the_busiest_day_is_strongest_and_a_flood_does_not_pale_the_rest() -> None:
    days = year_days(TUESDAY)
    shown = {cell.day: cell for cell in cells(days, {days[3]: 1, days[4]: 20, days[5]: 5_000}, {})}
    assert shown[days[5]].level == LEVELS
    assert 1 <= shown[days[3]].level < shown[days[4]].level < LEVELS
    assert shown[days[0]].level == 0
    assert day_words(shown[days[5]]).endswith("5,000 messages")


def test_days_without_anything_are_not_offered() -> None:
    counts = {TUESDAY - timedelta(days=1): 4, TUESDAY - timedelta(days=20): 2}
    assert [(place.name, place.note) for place in day_places(TUESDAY, counts, {})] == [
        ("Yesterday", "4"),
        ("Last 7 days", "4"),
        ("Last 30 days", "6"),
    ]


def test_what_takes_place_counts_on_its_day_and_is_offered_ahead() -> None:
    one, another = frozenset({1}), frozenset({2})
    taken = {TUESDAY: one, TUESDAY + timedelta(days=7): another, TUESDAY + timedelta(days=1): another | one}
    assert [(place.name, place.note) for place in day_places(TUESDAY, {TUESDAY: 2}, taken)] == [
        ("Next 7 days", "2"),
        ("Today", "3"),
        ("Last 7 days", "3"),
        ("Last 30 days", "3"),
    ]
    (both, ahead) = cells((TUESDAY, TUESDAY + timedelta(days=1)), {TUESDAY: 2}, taken)
    assert [day_words(cell) for cell in (both, ahead)] == [
        "Tue 24 Nov 2026: 2 messages, 1 event",
        "Wed 25 Nov 2026: 2 events",
    ]
    assert ahead.level > 0
