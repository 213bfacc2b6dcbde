"""What was saved on each of the last days, for a small chart and the table behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from heedful.core.clock import local_day
from heedful.presenters.numbers import count, thousands
from heedful.presenters.times import day_words
from heedful.tokenjuice.originals_store import DaySaved

DAYS = 14
COLUMNS = ("Day", "Texts", "Before", "After", "Saved")


@dataclass(frozen=True, slots=True)
class DayBar:
    """One day: `height` is its saved tokens, `label` short enough to stand below a bar, `words` the whole."""

    label: str
    height: int
    words: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Savings:
    """The chart; no bars while nothing was ever compressed."""

    bars: tuple[DayBar, ...] = ()
    total: str = ""


def savings_of(days: Sequence[DaySaved], now: datetime, zone: tzinfo) -> Savings:
    """The last days up to today, those without a text as empty bars."""
    if not days:
        return Savings()
    today = local_day(now, zone)
    known = {day.day: day for day in days}
    span = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    shown = [known.get(day, DaySaved(day, 0, 0, 0)) for day in span]
    saved = sum(_saved(day) for day in shown)
    before = sum(day.input_tokens for day in shown)
    total = f"{thousands(saved)} of {count(before, 'token')} in {DAYS} days, {_share(saved, before)}"
    return Savings(tuple(_bar(day, _name(day.day, now, zone)) for day in shown), total)


def first_day(now: datetime, zone: tzinfo) -> date:
    """The first day of the chart."""
    return local_day(now, zone) - timedelta(days=DAYS - 1)


def _name(day: date, now: datetime, zone: tzinfo) -> str:
    words = day_words(datetime.combine(day, time(12), zone), now, zone)
    return words[0].upper() + words[1:]


def _bar(day: DaySaved, name: str) -> DayBar:
    saved = _saved(day)
    if not day.texts:
        return DayBar(str(day.day.day), 0, f"{name}: nothing was compressed", (name, "0", "0", "0", "–"))
    share = _share(saved, day.input_tokens)
    words = (
        f"{name}: {count(day.texts, 'text')}, {thousands(day.input_tokens)} → "
        f"{count(day.output_tokens, 'token')}, {share} saved"
    )
    cells = (
        name,
        thousands(day.texts),
        thousands(day.input_tokens),
        thousands(day.output_tokens),
        share,
    )
    return DayBar(str(day.day.day), saved, words, cells)


def _saved(day: DaySaved) -> int:
    return max(0, day.input_tokens - day.output_tokens)


def _share(saved: int, before: int) -> str:
    return f"{saved / before:.0%}" if before else "0%"
