"""Arithmetic on local days: weeks begin on Monday, months end where they end."""

import calendar
from collections.abc import Callable
from datetime import date, timedelta

DAY = timedelta(days=1)


def add_months(day: date, months: int) -> date:
    """The same day so many months later, or that month's last day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, days_in(year, month + 1)))


def days_in(year: int, month: int) -> int:
    """How many days a month has."""
    return calendar.monthrange(year, month)[1]


def monday_of(day: date) -> date:
    """The Monday of the day's week."""
    return day - day.weekday() * DAY


def weekday_after(day: date, weekday: int) -> date:
    """The first such weekday (Monday is 0) after a day."""
    return day + ((weekday - day.weekday() - 1) % 7 + 1) * DAY


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month; −1 is the last.

    Raises:
        ValueError: The month has no such day.
    """
    if nth < 0:
        last = date(year, month, days_in(year, month))
        return last - (last.weekday() - weekday) % 7 * DAY
    first = date(year, month, 1)
    day = first + ((weekday - first.weekday()) % 7 + 7 * (nth - 1)) * DAY
    if day.month != month:
        raise ValueError("the month has no such weekday")
    return day


def nearest(at: date, day_in: Callable[[int], date]) -> date:
    """Of a day that comes once a year, the one meant: up to three months ago, else the next.

    `day_in` gives the day of a year and may raise ValueError for years without it (29 February).
    """
    for year in (at.year - 1, at.year, at.year + 1, at.year + 2, at.year + 3, at.year + 4):
        try:
            day = day_in(year)
        except ValueError:
            continue
        if day >= at - 90 * DAY:
            return day
    raise ValueError("no year has such a day")


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar.

    Source: the anonymous algorithm in Meeus, Astronomical Algorithms, chapter 8.
    """
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)
