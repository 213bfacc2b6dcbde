"""The year's days for the picture and for the list of days to walk to."""

import math
from collections.abc import Mapping
from datetime import date, timedelta

from heedful.presenters import times
from heedful.presenters.memory_views import DayCell, DayScope, PlaceView
from heedful.presenters.numbers import count, thousands

WEEKS = 52
LEVELS = 4


def year_days(today: date) -> tuple[date, ...]:
    """The days from a Monday fifty-two weeks ago to today."""
    first = today - timedelta(days=today.weekday() + 7 * WEEKS)
    return tuple(first + timedelta(days=ahead) for ahead in range((today - first).days + 1))


def cells(days: tuple[date, ...], counts: Mapping[date, int]) -> tuple[DayCell, ...]:
    """Each day with its strength; levels rise with the logarithm, so that one flood does not pale the rest."""
    most = max(counts.values(), default=0)
    return tuple(_cell(day, counts.get(day, 0), most) for day in days)


def day_places(today: date, counts: Mapping[date, int]) -> tuple[PlaceView, ...]:
    """Today, yesterday, the last week and month, as far as there is anything in them."""
    spans = (("Today", 0, 0), ("Yesterday", 1, 1), ("Last 7 days", 6, 0), ("Last 30 days", 29, 0))
    found = []
    for name, back, until in spans:
        first, last = today - timedelta(days=back), today - timedelta(days=until)
        held = sum(number for day, number in counts.items() if first <= day <= last)
        if held:
            found.append(PlaceView(DayScope(first, last, name), name, thousands(held)))
    return tuple(found)


def day_scope(day: date) -> DayScope:
    """One day by its date."""
    return DayScope(day, day, times.date_words(day))


def _cell(day: date, number: int, most: int) -> DayCell:
    level = 1 + int((LEVELS - 0.001) * math.log1p(number) / math.log1p(most)) if number else 0
    words = f"{times.date_words(day)}: {count(number, 'message') if number else 'nothing'}"
    return DayCell(day, number, min(level, LEVELS), words)
