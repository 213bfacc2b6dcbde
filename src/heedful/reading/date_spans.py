"""A day with a time, and ranges of days and times."""

from dataclasses import replace
from datetime import datetime, time, timedelta

from heedful.reading.calendar_days import DAY, days_in
from heedful.reading.date_clocks import AFTERNOON_UNTIL, at_clock, hour_of, in_part_of_day, later_clock
from heedful.reading.date_days import RELATIVE, WEEKDAY, WEEKDAY_OF_WEEK
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Day, Token


def now(found: Found) -> Token:
    """«now», «as soon as possible»: the moment itself."""
    return found.moment(found.at)


def with_time(found: Found) -> Token | None:
    """«Friday at 5», «10:30 on 3 Dec», «tomorrow morning»."""
    day, clock = found.one("date").day, found.one("time").clock or hour_of(found.one("time").number)
    if clock is not None and found.has("part"):
        clock = in_part_of_day(clock, found.one("part").value)
    if day is None or clock is None:
        return None
    start = day.begin.replace(year=found.one("year").number) if found.has("year") else day.begin
    begin = at_clock(start, clock)
    if not found.has("until"):
        return found.moment(begin)
    until = found.one("until").clock
    return found.moment(begin, later_clock(begin, until)) if until else None


def with_part(found: Found) -> Token | None:
    """«tomorrow morning», «tonight»: the hours of that part of the day."""
    day = found.one("date").day if found.has("date") else Day(found.today, found.today + DAY)
    if day is None:
        return None
    begin, finish = map(int, found.one("part").value.split("-"))
    start = datetime.combine(day.begin, time())
    return found.moment(start + timedelta(hours=begin), start + timedelta(hours=finish))


def time_range(found: Found) -> Token | None:
    """«from 3 to 5 pm», «14–16 h»: the morning or afternoon of the end counts for both."""
    first, last = found.one("first"), found.one("last")
    begin, end = first.clock or hour_of(first.number), last.clock or hour_of(last.number)
    if begin is None or end is None:
        return None
    afternoon = begin.hour + 12 <= end.hour if end.sure else begin.hour <= AFTERNOON_UNTIL
    if afternoon and not begin.sure:
        begin = replace(begin, hour=begin.hour + 12)
    day = found.one("date").day if found.has("date") else None
    start = at_clock(day.begin if day else found.today, replace(begin, sure=True))
    return found.moment(start, later_clock(start, end))


def day_range(found: Found) -> Token | None:
    """«Monday to Friday», «3–5 December», «between May 1 and June 2»."""
    last = found.one("last").day if found.has("last") else None
    if found.has("day"):
        number = found.one("day").number
        if last is None or not 1 <= number <= last.begin.day or _counts_something(found):
            return None
        return found.day(last.begin.replace(day=number), last.finish)
    first = found.one("first").day
    if first is None:
        return None
    if found.has("until"):
        number = found.one("until").number
        if not first.begin.day < number <= days_in(first.begin.year, first.begin.month):
            return None
        return found.day(first.begin, first.begin.replace(day=number) + DAY)
    if last is None:
        return None
    finish = last.finish
    if finish <= first.begin:
        weekday_later = finish + 7 * DAY
        finish = weekday_later if weekday_later > first.begin else finish
    return found.day(first.begin, finish) if finish > first.begin else None


def _counts_something(found: Found) -> bool:
    """Whether a bare number before a day is none: «page 3 by Friday», «chapter 5 by 12 May», but «5 to 12 May»."""
    if found.one("day").kind != "n":
        return False
    is_limit = found.has("limit") and not found.has("from")
    return is_limit or found.one("last").value in (WEEKDAY, WEEKDAY_OF_WEEK, RELATIVE)


def moment_range(found: Found) -> Token | None:
    """«tomorrow 10:30 to noon», «from Monday 9:00 until Tuesday 17:00»."""
    first, last = found.one("first").moments, found.one("last")
    if first is None:
        return None
    finish = (
        last.moments.begin if last.moments else later_clock(first.begin, last.clock) if last.clock else None
    )
    return found.moment(first.begin, finish) if finish and finish > first.begin else None


def repetition(found: Found) -> Token:
    """«every Monday», «daily»."""
    return found.makes("O")
