"""Days by the calendar, and moments as a person says them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heedful.core.clock import local_day
from heedful.presenters import times
from heedful.presenters.days import by_day
from heedful.presenters.numbers import count, dollars

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 24, 9, 32, tzinfo=UTC)


def at(day: int, hour: int, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN)


def names(moments: list[datetime], now: datetime) -> dict[str, int]:
    return {group.name: len(group.members) for group in by_day(moments, lambda m: m, now=now, zone=BERLIN)}


def test_the_day_after_the_clocks_went_back_still_has_a_whole_yesterday() -> None:
    now = at(26, 8, month=10)
    first_of_yesterday = at(25, 0, 30, month=10)
    last_of_the_day_before = at(24, 23, 30, month=10)
    assert now - first_of_yesterday < timedelta(hours=33)
    assert names([first_of_yesterday], now) == {"Yesterday": 1}
    assert names([last_of_the_day_before], now) == {"This week": 1}


def test_the_day_after_the_clocks_went_forward_has_no_hour_too_many() -> None:
    now = at(30, 8, month=3)
    assert names([at(29, 0, 5, month=3)], now) == {"Yesterday": 1}
    assert names([at(28, 23, 55, month=3)], now) == {"This week": 1}


def test_groups_come_in_order_without_the_empty_ones() -> None:
    moments = [at(1, 9), at(24, 9), at(19, 9)]
    assert list(names(moments, NOW)) == ["Today", "This week", "Older"]


def test_a_moment_ahead_of_now_belongs_to_today() -> None:
    assert names([at(30, 9)], NOW) == {"Today": 1}


@settings(max_examples=60)
@given(
    back=st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=400)),
    hours=st.integers(min_value=0, max_value=3 * 365 * 24),
)
def test_every_moment_lands_in_the_group_of_its_local_day(back: timedelta, hours: int) -> None:
    now = NOW + timedelta(hours=hours)
    moment = now - back
    apart = (local_day(now, BERLIN) - local_day(moment, BERLIN)).days
    expected = "Today" if apart == 0 else "Yesterday" if apart == 1 else "This week" if apart < 7 else "Older"
    assert names([moment], now) == {expected: 1}


@pytest.mark.parametrize(
    ("due", "words"),
    [
        (at(24, 17), "today, 17:00"),
        (at(25, 12), "tomorrow, 12:00"),
        (at(27, 0), "Friday"),
        (at(24, 23, 59), "today"),
        (at(23, 12), "was due yesterday, 12:00"),
        (at(24, 8), "today, 08:00"),
        (at(24, 12, month=12), "24 Dec, 12:00"),
    ],
)
def test_a_due_moment_is_said_as_a_person_says_it(due: datetime, words: str) -> None:
    assert times.due_words(due, NOW, BERLIN) == words


@pytest.mark.parametrize(
    ("starts_at", "ends_at", "all_day", "words"),
    [
        (at(24, 15), at(24, 16), False, "today 15:00"),
        (at(24, 9), at(24, 18), False, "today 09:00"),
        (at(27, 9), at(27, 10), False, "Friday 09:00"),
        (at(25, 0), at(26, 0), True, "tomorrow"),
        (at(24, 0), at(25, 0), True, "today"),
        (at(22, 0), at(27, 0), True, "now"),
        (at(23, 22), at(24, 10, 33), False, "now"),
        (at(23, 22), at(24, 10, 32), False, "yesterday 22:00"),
    ],
)
def test_what_takes_place_is_said_by_its_begin_or_by_now_where_that_lies_days_back(
    starts_at: datetime, ends_at: datetime, all_day: bool, words: str
) -> None:
    assert times.slot_words(starts_at, ends_at, NOW, BERLIN, all_day=all_day) == words


@pytest.mark.parametrize(
    ("starts_at", "ends_at", "all_day", "words"),
    [
        (at(24, 15), at(24, 16), False, "Tue 24 Nov 2026, 15:00–16:00"),
        (at(24, 15), at(24, 15), False, "Tue 24 Nov 2026, 15:00"),
        (at(24, 22), at(25, 0), False, "Tue 24 Nov 2026, 22:00–00:00"),
        (at(24, 22), at(25, 2), False, "Tue 24 Nov 2026, 22:00 – Wed 25 Nov 2026, 02:00"),
        (at(24, 0), at(25, 0), True, "Tue 24 Nov 2026"),
        (at(24, 0), at(27, 0), True, "Tue 24 Nov 2026 – Thu 26 Nov 2026"),
    ],
)
def test_from_when_to_when_names_the_second_day_where_it_is_another(
    starts_at: datetime, ends_at: datetime, all_day: bool, words: str
) -> None:
    assert times.full_slot_words(starts_at, ends_at, BERLIN, all_day=all_day) == words


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=4), "4 min"),
        (timedelta(hours=3, minutes=50), "3 h"),
        (timedelta(days=2), "2 d"),
        (timedelta(days=20), "2 wk"),
        (timedelta(days=800), "2 y"),
        (timedelta(seconds=-90), "now"),
    ],
)
def test_an_age_is_short(ago: timedelta, words: str) -> None:
    assert times.age_words(NOW - ago, NOW) == words


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(14, "14 ms"), (3_100, "3.1 s"), (120_000, "120 s"), (720_000, "12 min")],
)
def test_a_duration_names_its_unit(milliseconds: int, words: str) -> None:
    assert times.duration_words(milliseconds) == words


def test_one_is_not_many_and_small_money_is_not_nothing() -> None:
    assert count(1, "message") == "1 message"
    assert count(1_204, "message") == "1,204 messages"
    assert dollars(0.0042) == "$0.0042"
    assert dollars(0) == "$0.00"
