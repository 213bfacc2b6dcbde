"""Lengths of time, and the moments that lie so far from others: «in 3 days», «two weeks after Friday»."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from heedful.reading.calendar_days import DAY, add_months
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Length, Token

LENGTHS = {
    "second": Length(seconds=1), "minute": Length(seconds=60), "hour": Length(seconds=3600), "day": Length(days=1),
    "workday": Length(days=1), "weekend": Length(days=7), "weekends": Length(days=7), "week": Length(days=7),
    "fortnight": Length(days=14), "month": Length(months=1), "quarter": Length(months=3), "year": Length(months=12),
    "decade": Length(months=120),
}  # fmt: skip
_COUNT_MAX = 100_000


def length_of_time(found: Found) -> Token | None:
    """«3 days», «an hour and a half», «two weeks and 3 days»."""
    total = Length()
    units: Token | None = None
    count, half = 1, False
    for token in (*found.all("length"), None):
        if token is None or token.kind in "nrq":
            if token is not None and token.kind != "q" and token.number > _COUNT_MAX:
                return None
            count = (token.number or 1) if token else 1
        elif token.kind == "h":
            half = True
        elif token.kind == "U":
            units = token
            step = LENGTHS[token.value].times(count)
            total += _half(LENGTHS[token.value]) if half else step
            half = False
    if half and units:
        total += _half(LENGTHS[units.value])
    return replace(found.makes("I", length=total), value=units.value if units else "")


def _half(length: Length) -> Length:
    seconds = (length.days * 86_400 + length.seconds) // 2
    return Length(
        length.months // 2, length.days // 2 if length.days > 1 else 0, 0 if length.days > 1 else seconds
    )


def shifted(start: datetime, length: Length) -> datetime:
    """A moment so much later, months counted by the calendar."""
    day = add_months(start.date(), length.months) + timedelta(days=length.days)
    return datetime.combine(day, start.time()) + timedelta(seconds=length.seconds)


def _workdays(start: date, count: int) -> date:
    day, step = start, 1 if count > 0 else -1
    for _ in range(min(abs(count), 1000)):
        day += step * DAY
        while day.weekday() >= 5:
            day += step * DAY
    return day


def in_length(found: Found) -> Token:
    """«in 3 days», «two hours ago», «5 minutes from now»."""
    token = _from(found, found.at, sign=-1 if found.has("ago") else 1)
    return replace(token, value=found.one("in").value) if found.has("in") else token


def from_day(found: Found) -> Token | None:
    """«2 days after tomorrow», «a week before Christmas»."""
    anchor = found.one("anchor")
    sign = -1 if found.has("back") else 1
    if anchor.moments:
        return _from(found, anchor.moments.begin, sign=sign)
    if anchor.day is None:
        return None
    return _from(found, datetime.combine(anchor.day.begin, time()), sign=sign)


def _from(found: Found, start: datetime, *, sign: int) -> Token:
    token = found.one("length")
    length = token.length or Length()
    if token.value == "workday":
        return found.day(_workdays(start.date(), sign * length.days))
    end = shifted(start, length.times(sign))
    return found.moment(end) if length.seconds else found.day(end.date())
