"""The days of a year as the picture and its table show them, the way to earlier years, and the list of days lately."""

import math
from collections.abc import Mapping, Set
from datetime import date, timedelta

from heedful.core.clock import Clock, local_day
from heedful.core.errors import HeedfulError
from heedful.presenters import times
from heedful.presenters.memory_views import DayCell, DayScope, PlaceView, YearView
from heedful.presenters.numbers import count, thousands
from heedful.presenters.observed import Observed
from heedful.presenters.ports import MemoryPort

WEEKS = 52
LEVELS = 4
LATELY = "The last 12 months"


class Years:
    """The twelve months that end today, and before them each calendar year that holds anything."""

    def __init__(self, memory: MemoryPort, clock: Clock) -> None:
        self.view: Observed[YearView] = Observed(YearView())
        self._memory = memory
        self._clock = clock
        self._lately: Mapping[date, int] = {}
        self._taken: Mapping[date, Set[int]] = {}
        self._years: tuple[int, ...] = ()
        self._total = 0
        self._at: int | None = None

    async def take(
        self,
        lately: Mapping[date, int],
        years: tuple[int, ...],
        *,
        total: int,
        taken: Mapping[date, Set[int]],
    ) -> None:
        """Takes what the last twelve months hold, the years before this one, and the number of all messages.

        `taken` are the calendar entries that take place in the last twelve months, by number.

        Raises:
            HeedfulError: An earlier year is in sight, and can't be read again.
        """
        self._lately, self._years, self._total, self._taken = lately, years, total, taken
        if self._at not in years:
            self._at = None
        await self._show()

    async def step(self, *, back: bool) -> None:
        """Shows the year before, or the one after, of those that hold anything.

        Raises:
            HeedfulError: It can't be read.
        """
        run = (None, *self._years)
        place = run.index(self._at) + (1 if back else -1)
        if 0 <= place < len(run):
            was, self._at = self._at, run[place]
            try:
                await self._show()
            except HeedfulError:
                self._at = was
                raise

    async def _show(self) -> None:
        at = self._at
        days = year_days(local_day(self._clock.now(), self._clock.zone)) if at is None else days_of(at)
        counts, taken = (self._lately, self._taken) if at is None else await self._year(days)
        if at != self._at:
            return
        held = sum(counts.get(day, 0) for day in days)
        run = (None, *self._years)
        place = run.index(at)
        self.view.replace(
            YearView(
                _name(at),
                count(held, "message")
                if held == self._total
                else f"{thousands(held)} of {thousands(self._total)}",
                cells(days, counts, taken),
                earlier=_name(run[place + 1]) if place + 1 < len(run) else "",
                later=_name(run[place - 1]) if place else "",
            )
        )

    async def _year(self, days: tuple[date, ...]) -> tuple[Mapping[date, int], Mapping[date, Set[int]]]:
        zone = self._clock.zone
        return await self._memory.day_counts(days, zone), await self._memory.days_taken(days, zone)


def year_days(today: date) -> tuple[date, ...]:
    """The days from a Monday fifty-two weeks ago to today."""
    first = today - timedelta(days=today.weekday() + 7 * WEEKS)
    return tuple(first + timedelta(days=ahead) for ahead in range((today - first).days + 1))


def days_of(year: int) -> tuple[date, ...]:
    """Every day of a calendar year."""
    first, after = date(year, 1, 1), date(year + 1, 1, 1)
    return tuple(first + timedelta(days=ahead) for ahead in range((after - first).days))


def cells(
    days: tuple[date, ...], counts: Mapping[date, int], taken: Mapping[date, Set[int]]
) -> tuple[DayCell, ...]:
    """Each day with its strength; levels rise with the logarithm, so that one flood does not pale the rest."""
    held = [(day, counts.get(day, 0), len(taken.get(day, ()))) for day in days]
    most = max((came + place for _, came, place in held), default=0)
    return tuple(DayCell(day, came, _level(came + place, most), place) for day, came, place in held)


def day_places(
    today: date, counts: Mapping[date, int], taken: Mapping[date, Set[int]]
) -> tuple[PlaceView, ...]:
    """The next week, today, yesterday, the last week and month, as far as there is anything in them."""
    spans = (
        ("Next 7 days", -1, -7),
        ("Today", 0, 0),
        ("Yesterday", 1, 1),
        ("Last 7 days", 6, 0),
        ("Last 30 days", 29, 0),
    )
    found = []
    for name, back, until in spans:
        first, last = today - timedelta(days=back), today - timedelta(days=until)
        came = sum(number for day, number in counts.items() if first <= day <= last)
        held = came + len({one for day, ones in taken.items() if first <= day <= last for one in ones})
        if held:
            found.append(PlaceView(DayScope(first, last, name), name, thousands(held)))
    return tuple(found)


def day_scope(day: date) -> DayScope:
    """One day by its date."""
    return DayScope(day, day, times.date_words(day))


def day_words(cell: DayCell) -> str:
    """A day and what it holds, told: «Thu 12 Nov 2026: 3 messages, 1 event»."""
    came = count(cell.count, "message") if cell.count else ""
    place = count(cell.taken, "event") if cell.taken else ""
    return f"{times.date_words(cell.day)}: {', '.join(part for part in (came, place) if part) or 'nothing'}"


def _name(year: int | None) -> str:
    return LATELY if year is None else str(year)


def _level(number: int, most: int) -> int:
    level = 1 + int((LEVELS - 0.001) * math.log1p(number) / math.log1p(most)) if number else 0
    return min(level, LEVELS)
