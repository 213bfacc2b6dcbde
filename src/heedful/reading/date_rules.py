"""How neighbouring tokens make a time, a length, a day, a moment or a range.

Rules come in stages. Within a stage the text is read once from left to right; at each place the longest rule that
makes sense wins and its tokens become one, which later stages build on: `T` time of day, `I` length, `D` day or
days, `S` moment or moments, `O` a repetition. The letters of all other tokens are in `date_lexicon`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from heedful.reading.calendar_days import (
    DAY,
    add_months,
    days_in,
    easter,
    monday_of,
    nearest,
    nth_weekday,
    weekday_after,
)
from heedful.reading.date_lexicon import full_year
from heedful.reading.date_tokens import Clock, Day, Length, Moments, Token

Build = Callable[["Found"], Token | None]

_LENGTHS = {
    "second": Length(seconds=1), "minute": Length(seconds=60), "hour": Length(seconds=3600), "day": Length(days=1),
    "workday": Length(days=1), "weekend": Length(days=7), "week": Length(days=7), "fortnight": Length(days=14),
    "month": Length(months=1), "quarter": Length(months=3), "year": Length(months=12), "decade": Length(months=120),
}  # fmt: skip
_COUNT_MAX = 100_000
_END_OF_DAY = time(23, 59, 59)
_AFTERNOON_UNTIL = 6
_EVENING = 17
_COMING = 9
_WEEKDAY = "weekday"
_WEEKDAY_OF_WEEK = "weekday of a week"
_LIST_GAP_CHARS = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A rule's match: the tokens by group, and the local moment that dates are relative to."""

    match: re.Match[str]
    tokens: Sequence[Token]
    at: datetime

    def one(self, group: str) -> Token:
        """The first token of a group that took part."""
        return self.tokens[self.match.start(group)]

    def all(self, group: str) -> Sequence[Token]:
        """The tokens of a group; none when it took no part."""
        return self.tokens[slice(*self.match.span(group))] if self.has(group) else ()

    def has(self, group: str) -> bool:
        """Whether a group took part."""
        return group in self.match.re.groupindex and self.match.start(group) >= 0

    @property
    def today(self) -> date:
        """The local day of the moment."""
        return self.at.date()

    def makes(self, kind: str, **meaning: Clock | Day | Length | Moments) -> Token:
        """A token in place of all that was matched."""
        start, end = self.match.span()
        return replace(
            Token(kind, self.tokens[start].start, self.tokens[end - 1].end),
            **meaning,  # type: ignore[arg-type]  # the fields' names are the keywords
        )

    def day(self, begin: date, finish: date | None = None) -> Token:
        """A `D` token."""
        return self.makes("D", day=Day(begin, finish or begin + DAY))

    def moment(self, begin: datetime, finish: datetime | None = None) -> Token:
        """An `S` token."""
        return self.makes("S", moments=Moments(begin, finish or begin))


# ---- times of day


def _clock(found: Found) -> Token | None:
    """«10:30», «5 pm», «8 Uhr 30», «7 in the morning»."""
    base = found.one("n")
    if found.has("unit") and found.one("unit").value != "hour":
        return None
    clock = base.clock or _hour(base.number or int(base.kind == "q"))
    if clock is None:
        return None
    if found.has("minutes"):
        minutes = found.all("minutes")[-1]
        if minutes.kind == "n" and not (10 <= minutes.number <= 59 or len(minutes.value) == 2):
            return None
        clock = replace(
            clock, minute=30 if minutes.kind == "h" else 15 if minutes.kind == "k" else minutes.number
        )
    part = next((token for token in (*found.all("a"), *found.all("part")) if token.kind in "aP"), None)
    return found.makes("T", clock=_in_part(clock, part.value) if part else clock)


def _hour(number: int) -> Clock | None:
    """An hour, or an hour and minutes run together as in «1130»."""
    if number <= 24:
        return Clock(number, sure=number > 12 or number == 0)
    hour, minute = divmod(number, 100)
    return Clock(hour, minute, sure=hour > 12) if number >= 100 and hour <= 24 and minute < 60 else None


def _in_part(clock: Clock, part: str) -> Clock:
    """A time made sure by am, pm or a part of the day given as its hours `from-to`."""
    hour = clock.hour
    if part == "am":
        return replace(clock, hour=hour % 12 if hour <= 12 else hour, sure=True)
    if part == "pm":
        return replace(clock, hour=hour % 12 + 12 if hour <= 12 else hour, sure=True)
    if clock.sure and hour not in (0, 12):
        return clock
    begin, end = map(int, part.split("-"))
    if hour == 12 and begin >= _EVENING:
        return replace(clock, hour=0, sure=True)
    for candidate in (hour, hour + 12, hour + 24):
        if begin <= candidate < end or (candidate == begin - 1 and hour <= 12):
            return replace(clock, hour=candidate % 24, sure=True)
    return replace(clock, hour=hour % 12 + 12 if begin >= 12 and hour <= 12 else hour, sure=True)


def _past_hour(found: Found) -> Token | None:
    """«half past four», «ten past 9», «quarter to three», «halb acht», «dez para as oito»."""
    hour = found.one("hour")
    clock = hour.clock or _hour(hour.number)
    minutes = _minutes(found.one("minutes"))
    if clock is None or clock.minute or minutes > 59:
        return None
    back = found.has("back")
    total = clock.hour * 60 + (-minutes if back else minutes)
    part = next((token for token in found.all("part") if token.kind in "aP"), None)
    made = replace(clock, hour=total // 60 % 24, minute=total % 60)
    return found.makes("T", clock=_in_part(made, part.value) if part else made)


def _minutes(token: Token) -> int:
    if token.kind == "H":
        return token.number
    return 30 if token.kind == "h" else 15 if token.kind == "k" else token.number


# ---- lengths


def _length(found: Found) -> Token | None:
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
            step = _LENGTHS[token.value].times(count)
            total += _half(_LENGTHS[token.value]) if half else step
            half = False
    if half and units:
        total += _half(_LENGTHS[units.value])
    return replace(found.makes("I", length=total), value=units.value if units else "")


def _half(length: Length) -> Length:
    seconds = (length.days * 86_400 + length.seconds) // 2
    return Length(
        length.months // 2, length.days // 2 if length.days > 1 else 0, 0 if length.days > 1 else seconds
    )


def _shifted(start: datetime, length: Length) -> datetime:
    day = add_months(start.date(), length.months) + timedelta(days=length.days)
    return datetime.combine(day, start.time()) + timedelta(seconds=length.seconds)


def _workdays(start: date, count: int) -> date:
    day, step = start, 1 if count > 0 else -1
    for _ in range(min(abs(count), 1000)):
        day += step * DAY
        while day.weekday() >= 5:
            day += step * DAY
    return day


def _in_length(found: Found) -> Token:
    """«in 3 days», «two hours ago», «5 minutes from now»."""
    token = _from(found, found.at, sign=-1 if found.has("ago") else 1)
    return replace(token, value=found.one("in").value) if found.has("in") else token


def _from_day(found: Found) -> Token | None:
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
    end = _shifted(start, length.times(sign))
    return found.moment(end) if length.seconds else found.day(end.date())


# ---- days


def _dated(found: Found) -> Token | None:
    """«3 Dec», «December 3rd, 2026», «23/sep/2020»."""
    day, month = found.one("day").number, found.one("month").number
    if found.has("short") and not 32 <= found.one("short").number <= 99:
        return None
    if any(token.kind == "U" and token.value != "day" for token in found.all("lead")):
        return None
    for group in ("year", "short"):
        if found.has(group):
            return found.day(date(full_year(found.one(group).number, found.today), month, day))
    weekday = found.one("weekday").number if found.has("weekday") else None
    begin = nearest(found.today, lambda year: date(year, month, day))
    if weekday is not None and begin.weekday() != weekday:
        begin = _with_weekday(found.today, month, day, weekday) or begin
    return found.day(begin)


def _with_weekday(today: date, month: int, day: int, weekday: int) -> date | None:
    for year in (today.year, today.year + 1):
        try:
            candidate = date(year, month, day)
        except ValueError:
            continue
        if candidate.weekday() == weekday:
            return candidate
    return None


def _month_only(found: Found) -> Token:
    """«in December», «Dec 2026», «next March»."""
    month = found.one("month").number
    if found.has("year"):
        year = found.one("year").number
    else:
        shift = found.one("direction").number if found.has("direction") else 0
        year = found.today.year + (month < found.today.month - 2)
        if shift < 0:
            year = found.today.year - (month >= found.today.month)
        elif shift > 0:
            year = found.today.year + (month <= found.today.month)
    begin = date(year, month, 1)
    return found.day(begin, add_months(begin, 1))


def _day_of_month(found: Found) -> Token | None:
    """«the 29th», «dia 12», «am 15.»: this month's when it is still to come, else next month's."""
    number = found.one("day").number
    if not 1 <= number <= 31 or (found.has("unit") and found.one("unit").value != "day"):
        return None
    first = found.today.replace(day=1)
    if found.has("month"):
        first = add_months(first, found.one("month").number)
    months = [first] if found.has("month") else [add_months(first, ahead) for ahead in range(4)]
    for month in months:
        if number <= days_in(month.year, month.month):
            day = month.replace(day=number)
            if found.has("month") or day >= found.today:
                return found.day(day)
    return None


def _month_in_digits(found: Found) -> Token | None:
    """«am 22.04», «27. 11.», «Donnerstag, den 7. 4. 2016» in languages that write ordinals with a dot."""
    day, month = found.one("day"), found.one("month")
    if not (1 <= month.number <= 12) or "dot" not in (day.value, month.value):
        return None
    if found.has("year"):
        return found.day(date(found.one("year").number, month.number, day.number))
    return found.day(nearest(found.today, lambda year: date(year, month.number, day.number)))


def _day_of_numbered_month(found: Found) -> Token | None:
    """«9 de 8 de 1971», «el 21 del 3»."""
    if found.has("year"):
        return found.day(date(found.one("year").number, found.one("month").number, found.one("day").number))
    day, month = found.one("of").number, found.one("month_of").number
    return found.day(nearest(found.today, lambda year: date(year, month, day))) if 1 <= month <= 12 else None


def _weekday_of_month(found: Found) -> Token | None:
    """«Friday 13th»: the nearest such day that is that weekday."""
    number, weekday = found.one("day").number, found.one("weekday").number
    if not 1 <= number <= 31 or any(
        token.kind == "U" and token.value != "day" for token in found.all("unit")
    ):
        return None
    candidates = []
    for ahead in range(-12, 13):
        month = add_months(found.today.replace(day=1), ahead)
        if number <= days_in(month.year, month.month) and month.replace(day=number).weekday() == weekday:
            candidates.append(month.replace(day=number))
    if not candidates:
        return None
    return found.day(
        min(
            candidates,
            key=lambda day: abs((day - found.today).days + 0.5) + 60 * (day < found.today - 7 * DAY),
        )
    )


def _weekday(found: Found) -> Token:
    """«Friday», «next Friday», «last Tuesday», «Monday of next week»."""
    weekday, today = found.one("weekday").number, found.today
    if not found.has("direction"):
        return replace(found.day(weekday_after(today, weekday)), value=_WEEKDAY)
    if found.one("direction").kind == "p":
        return found.day(weekday_after(today - 8 * DAY, weekday))
    shift = found.all("direction")[-1].number
    if shift == _COMING:
        return replace(found.day(weekday_after(today, weekday)), value=_WEEKDAY)
    return replace(found.day(monday_of(today) + 7 * shift * DAY + weekday * DAY), value=_WEEKDAY_OF_WEEK)


def _relative(found: Found) -> Token:
    """«tomorrow», «the day after tomorrow»; `tonight` carries its part of the day."""
    return found.day(found.today + found.one("relative").number * DAY)


def _numeric(found: Found) -> Token | None:
    """A date that a weekday stands beside: the weekday only says it again."""
    return found.makes("D", day=found.one("date").day or Day(found.today, found.today + DAY))


def _said_twice(found: Found) -> Token | None:
    """«this Friday (Jun 15)», «May 22 (Tue)»: the weekday only says it again."""
    weekdays = (_WEEKDAY, _WEEKDAY_OF_WEEK)
    date_first = found.one("again").value in weekdays
    token = found.one("date") if date_first else found.one("again")
    if token.day is None or (not date_first and found.one("date").value not in weekdays):
        return None
    return found.makes("D", day=token.day)


def _period(found: Found) -> Token | None:
    """«next week», «this month», «the last two years» as all its days."""
    count = found.one("count").number if found.has("count") else 1
    shift = found.all("direction")[-1].number
    shift = 1 if shift == _COMING else shift
    unit = found.one("unit").value
    if not 1 <= count <= 1000:
        return None
    return _days_of(found, unit, shift=shift, count=count)


def _stretch(found: Found) -> Token | None:
    """«the past few weeks», «the next 3 days»: from that long ago until now, or from now on."""
    length = found.one("length").length
    shift = found.one("direction").number
    if length is None or not shift:
        return None
    if length.seconds:
        other = _shifted(found.at, length.times(1 if shift > 0 else -1))
        return found.moment(min(found.at, other), max(found.at, other))
    midnight = datetime.combine(found.today, time())
    other_day = _shifted(midnight, length.times(1 if shift > 0 else -1)).date()
    return found.day(
        min(found.today, other_day), max(found.today, other_day) + (DAY if shift > 0 else timedelta())
    )


def _days_of(found: Found, unit: str, *, shift: int, count: int = 1) -> Token | None:
    today = found.today
    if unit in ("second", "minute", "hour"):
        seconds = _LENGTHS[unit].seconds * count
        other = found.at + timedelta(seconds=seconds if shift > 0 else -seconds)
        return found.moment(min(found.at, other), max(found.at, other)) if shift else None
    if unit in ("day", "workday"):
        begin = today + shift * DAY
        return found.day(begin) if count == 1 else found.day(*sorted((today, today + shift * count * DAY)))
    if unit in ("week", "fortnight", "weekend"):
        begin = monday_of(today) + 7 * shift * DAY
        if unit == "weekend":
            return found.day(begin + 5 * DAY, begin + 7 * DAY)
        days = 7 * count * (2 if unit == "fortnight" else 1)
        begin = begin if shift >= 0 else begin - (days - 7) * DAY
        return found.day(begin, begin + days * DAY)
    months = _LENGTHS[unit].months
    first = (
        today.replace(day=1, month=(today.month - 1) // months * months + 1)
        if months <= 12
        else today.replace(day=1, month=1)
    )
    begin = add_months(first, shift * months)
    begin = begin if shift >= 0 else add_months(begin, (1 - count) * months)
    return found.day(begin, add_months(begin, months * count))


def _edge_of_period(found: Found) -> Token | None:
    """«end of the week» is its Friday, «end of next month» its last day, «beginning of July» its first."""
    if found.has("date"):
        day = found.one("date").day
        if day is None:
            return None
        period: Token | None = found.one("date")
        unit = "day" if day.finish - day.begin == DAY else "month"
    else:
        unit = found.one("unit").value
        shift = found.one("direction").number if found.has("direction") else 0
        period = _days_of(found, unit, shift=1 if shift == _COMING else shift)
    if period is None or period.day is None:
        return None
    if found.has("beginning"):
        return found.day(period.day.begin)
    if unit in ("day", "workday"):
        return found.moment(datetime.combine(period.day.begin, _END_OF_DAY))
    last = period.day.finish - DAY
    friday = period.day.begin + 4 * DAY
    return found.day(friday if unit == "week" and friday >= found.today else last)


def _fixed_end(found: Found) -> Token | None:
    """«EOD», «COB», «EOW», with the day they belong to when there is one."""
    unit = found.one("end").value
    anchor = found.one("date").day if found.has("date") else None
    begin = anchor.begin if anchor else found.today
    if ":" in unit:
        hour, minute = map(int, unit.split(":"))
        return found.moment(datetime.combine(begin, time(hour, minute)))
    if unit == "day":
        return found.moment(datetime.combine(begin, _END_OF_DAY))
    period = _days_of(found, unit, shift=0)
    if period is None or period.day is None:
        return None
    friday = period.day.begin + 4 * DAY
    return found.day(friday if unit == "week" and friday >= found.today else period.day.finish - DAY)


def _nth_weekday(found: Found) -> Token | None:
    """«first Monday in October», «last Friday of the month»."""
    nth = found.one("nth").number
    weekday = found.one("weekday").number
    if not (1 <= nth <= 5 or nth == -1):
        return None
    if found.has("month"):
        month = found.one("month").number
        if found.has("year"):
            return found.day(nth_weekday(found.one("year").number, month, weekday, nth))
        return found.day(nearest(found.today, lambda year: nth_weekday(year, month, weekday, nth)))
    if found.one("unit").value != "month":
        return None
    shift = found.one("direction").number if found.has("direction") else 0
    first = add_months(found.today.replace(day=1), shift)
    return found.day(nth_weekday(first.year, first.month, weekday, nth))


def _nth_day(found: Found) -> Token | None:
    """«the last day of the month», «first week of October», «second day of next week»."""
    nth, unit = found.one("nth").number, found.one("unit").value
    if found.has("period"):
        days = found.one("period").day
    else:
        shift = found.one("direction").number if found.has("direction") else 0
        made = _days_of(found, found.one("outer").value, shift=1 if shift == _COMING else shift)
        days = made.day if made else None
    if days is None or not (1 <= nth <= 53 or nth == -1):
        return None
    if unit == "day":
        return found.day(days.begin + (nth - 1) * DAY if nth > 0 else days.finish - DAY)
    if unit != "week":
        return None
    first = monday_of(days.begin + 3 * DAY)
    begin = first + 7 * (nth - 1) * DAY if nth > 0 else monday_of(days.finish - 4 * DAY)
    if found.has("weekday"):
        day = found.one("weekday")
        return found.day(begin + day.day.begin.weekday() * DAY) if day.day and day.value == _WEEKDAY else None
    return found.day(begin, begin + 7 * DAY)


def _holiday(found: Found) -> Token | None:
    """«Christmas Eve», «next Easter», «Good Friday 2027»."""
    rule = found.one("holiday").value
    if found.has("year"):
        return found.day(_holiday_in(rule, found.one("year").number))
    if found.has("unit"):
        return found.day(_holiday_in(rule, found.today.year + found.one("direction").number))
    day = nearest(found.today, lambda year: _holiday_in(rule, year))
    if found.has("direction"):
        shift = found.all("direction")[-1].number
        if shift < 0:
            day = max(
                _holiday_in(rule, year)
                for year in (found.today.year - 1, found.today.year)
                if _holiday_in(rule, year) < found.today
            )
        elif shift > 0 and day < found.today:
            day = _holiday_in(rule, day.year + 1)
    return found.day(day)


def _holiday_in(rule: str, year: int) -> date:
    """The day of a holiday rule: `12-25`, `easter-2`, or `11/4#4` for the fourth Thursday (1 is Monday) of November."""
    if rule.startswith("easter"):
        return easter(year) + int(rule[6:] or 0) * DAY
    if "#" in rule:
        month, weekday, nth = map(int, re.split(r"[/#]", rule))
        return nth_weekday(year, month, weekday - 1, nth)
    month, day = map(int, rule.split("-"))
    return date(year, month, day)


# ---- moments and ranges


def _now(found: Found) -> Token:
    return found.moment(found.at)


def _with_time(found: Found) -> Token | None:
    """«Friday at 5», «10:30 on 3 Dec», «tomorrow morning»."""
    day, clock = found.one("date").day, found.one("time").clock or _hour(found.one("time").number)
    if clock is not None and found.has("part"):
        clock = _in_part(clock, found.one("part").value)
    if day is None or clock is None:
        return None
    start = day.begin.replace(year=found.one("year").number) if found.has("year") else day.begin
    begin = at_clock(start, clock)
    if not found.has("until"):
        return found.moment(begin)
    until = found.one("until").clock
    return found.moment(begin, _later(begin, until)) if until else None


def at_clock(day: date, clock: Clock) -> datetime:
    """A time on a day; an unsure small hour is in the afternoon."""
    hour = clock.hour
    if not clock.sure and 1 <= hour <= _AFTERNOON_UNTIL:
        hour += 12
    moment = datetime.combine(day, time(hour % 24, clock.minute, clock.second))
    return moment + DAY if hour == 24 else moment


def _later(begin: datetime, clock: Clock) -> datetime:
    finish = datetime.combine(begin.date(), time(clock.hour % 24, clock.minute, clock.second))
    if finish <= begin and not clock.sure and clock.hour < 12:
        finish += timedelta(hours=12)
    return finish if finish > begin else finish + DAY


def _with_part(found: Found) -> Token | None:
    """«tomorrow morning», «tonight»: the hours of that part of the day."""
    day = found.one("date").day if found.has("date") else Day(found.today, found.today + DAY)
    if day is None:
        return None
    begin, finish = map(int, found.one("part").value.split("-"))
    start = datetime.combine(day.begin, time())
    return found.moment(start + timedelta(hours=begin), start + timedelta(hours=finish))


def _time_range(found: Found) -> Token | None:
    """«from 3 to 5 pm», «14–16 h»: the morning or afternoon of the end counts for both."""
    first, last = found.one("first"), found.one("last")
    begin, end = first.clock or _hour(first.number), last.clock or _hour(last.number)
    if begin is None or end is None:
        return None
    afternoon = begin.hour + 12 <= end.hour if end.sure else begin.hour <= _AFTERNOON_UNTIL
    if afternoon and not begin.sure:
        begin = replace(begin, hour=begin.hour + 12)
    day = found.one("date").day if found.has("date") else None
    start = at_clock(day.begin if day else found.today, replace(begin, sure=True))
    return found.moment(start, _later(start, end))


def _day_range(found: Found) -> Token | None:
    """«Monday to Friday», «3–5 December», «between May 1 and June 2»."""
    last = found.one("last").day if found.has("last") else None
    if found.has("day"):
        number = found.one("day").number
        if last is None or not 1 <= number <= last.begin.day:
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


def _moment_range(found: Found) -> Token | None:
    first, last = found.one("first").moments, found.one("last")
    if first is None:
        return None
    finish = last.moments.begin if last.moments else _later(first.begin, last.clock) if last.clock else None
    return found.moment(first.begin, finish) if finish and finish > first.begin else None


def _repetition(found: Found) -> Token:
    """«every Monday», «daily»."""
    return found.makes("O")


_RULES: tuple[tuple[tuple[str, Build], ...], ...] = (
    (  # times of day and lengths
        (r"(?P<n>K)(?P<a>a)?o?z?", _clock),
        (r"(?P<n>[nK])o?,?[icde@]{0,2}(?P<part>[aP])(?P<minutes>&h)?z?", _clock),
        (r"(?P<n>[nq])o(?P<minutes>&?n(?!U|o|[-/]))?(?:[icde@]{0,2}(?P<part>[aP]))?", _clock),
        (r"(?P<n>n)o?(?P<minutes>&[hk])(?!U)(?:[icde@]{0,2}(?P<part>[aP]))?", _clock),
        (
            r"@e?(?P<n>n)(?!U|[/%]|[-.]n|c?M|&?nU)o?(?:(?P<minutes>&?[nhk])(?!U|[-/]|o))?(?:,?[icde@]{0,2}(?P<part>[aP]))?",
            _clock,
        ),
        (r"@e?(?P<n>n)[.:-](?P<minutes>n)(?![%nU])(?:[icde@]{0,2}(?P<part>[aP]))?", _clock),
        (r"(?P<n>n)(?P<minutes>n)(?P<a>a)", _clock),
        (r"@e?(?P<n>n)(?P<unit>U)(?:&(?P<minutes>[nhk])(?!U))?(?:,?[icde@]{0,2}(?P<part>[aP]))?", _clock),
        (r"(?P<n>n)(?P<unit>U)[icde@]{0,2}(?P<part>[aP])", _clock),
        (r"@(?P<n>q)(?!U)(?P<minutes>&[nhk](?!U))?(?:[icde@]{0,2}(?P<part>[aP]))?", _clock),
        (r"[icd@]{0,2}e?(?P<part>P),?@?e?(?P<n>[nK])o?(?P<a>a)?(?!U|[-/]|c?M)", _clock),
        (
            r"@?(?P<minutes>[hkn])U?(?:(?P<back>[tg])|[pf])[@e]{0,2}(?P<hour>[nK])o?(?:[icde@]{0,2}(?P<part>[aP]))?(?!U|c?M)",
            _past_hour,
        ),
        (
            r"@?e?(?P<hour>[nK])o?(?P<back>t)(?P<minutes>[hkn])(?:[icde@]{0,2}(?P<part>[aP]))?(?!U|c?M|[@e])",
            _past_hour,
        ),
        (r"(?P<back>(?P<minutes>H))(?P<hour>[nK])o?(?:[icde@]{0,2}(?P<part>[aP]))?", _past_hour),
        (r"(?P<length>h?[qn]?U(?<=[hqn]U)(?:[,&]{0,2}[qn]U)*(?:&?q?h)?|[qn]&q?hU|hqU)", _length),
    ),
    (  # days
        (
            r"[de]{0,2}(?:X?(?P<weekday>W)[-,.(]{0,2}[ed]?e?)?(?P<lead>[jU])?(?P<day>[nr])[-/.]?[ce]{0,2}[-/.,]?(?P<month>M)(?:[-/.,]?[ci]?e?(?P<year>y))?",
            _dated,
        ),
        (
            r"(?:W[-,.(]{0,2}[ed]?e?)?(?P<day>[nr])[-/.]?[ce]{0,2}[-/.]?(?P<month>M)[-/.](?P<year>n)(?![aoU:])",
            _dated,
        ),
        (r"(?P<day>[nr])[ce]{0,2}(?P<month>M),?c?(?P<short>n)(?![aoU:])", _dated),
        (
            r"(?:X?(?P<weekday>W)[-,.(]{0,2}[ed]?)?(?P<month>M)[-/.]?e?(?P<day>[nr])(?![:%aoKU])(?:[-/.,]?[ci]?(?P<year>y))?",
            _dated,
        ),
        (r"(?P<month>M)[-/.](?P<year>y)[-/.](?P<day>n)", _dated),
        (r"(?P<year>y)[-/.](?P<day>n)[-/.](?P<month>M)", _dated),
        (r"(?P<day>n)[-/.](?P<year>y)[-/.](?P<month>M)", _dated),
        (
            r"(?P<day>n)c(?P<month>n)c(?P<year>y)|[dj](?P<of>n)c(?P<month_of>n)(?![UMcaoP:.])",
            _day_of_numbered_month,
        ),
        (r"(?P<year>y)[-/.](?P<month>M)[-/.](?P<day>n)", _dated),
        (r"(?P<direction>X)(?P<month>M)", _month_only),
        (r"(?P<month>M)[-/.,]?c?(?P<year>y)", _month_only),
        (r"(?P<month>M)(?P<direction>X)?", _month_only),
        (r"X?W[-,.(]{0,2}[ed]?e?(?P<date>D)\)?", _numeric),
        (r"(?P<date>D)[-,.(]{0,2}W\)?", _numeric),
        (r"[ed]{1,2}(?P<day>r)(?!U|W|X|c?M)(?:[ci]{0,2}(?P<month>X)U)?", _day_of_month),
        (
            r"(?:[ed]{1,2}|(?<=[LedcF])|W[,.]?[ed]{0,2})(?P<day>r)/?(?P<month>[rn])(?![%aoU:])\.?(?P<year>y)?",
            _month_in_digits,
        ),
        (
            r"[ed]{0,2}(?:j|(?P<unit>U))e?(?P<day>[nr])(?!U|o|a|[:h]|c?M)(?:[ci]{0,2}(?P<month>X)U)?",
            _day_of_month,
        ),
        (
            r"(?P<weekday>W)[,.]?[ed]{0,2}(?P<unit>[jU])?e?(?P<day>r|n(?!U|a|o|P|[-:]|[ic]?e?P|h))",
            _weekday_of_month,
        ),
        (r"e?X?(?P<direction>[Xp])e?(?P<weekday>W)", _weekday),
        (r"(?P<weekday>W)[,.]?[cie]{0,2}(?P<direction>X)(?:U)?", _weekday),
        (r"(?P<weekday>W)[,.]?[cied]{0,2}U(?P<direction>X)", _weekday),
        (r"[ie]{0,2}(?P<direction>X)U[,c]?[ed]{0,2}(?P<weekday>W)", _weekday),
        (r"[ie]{0,2}U(?P<direction>X)[,c]?[ed]{0,2}(?P<weekday>W)", _weekday),
        (r"(?P<weekday>W)", _weekday),
        (r"(?P<relative>R)", _relative),
        (r"[ie]{0,2}(?P<direction>[Xp])(?P<count>[nq])?(?P<unit>U)", _period),
        (r"[ie]{0,2}(?P<unit>U)(?P<direction>X)", _period),
        (r"[ie]{0,2}(?P<direction>[Xp])(?P<length>I)", _stretch),
        (
            r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?:(?P<direction>X)?(?P<unit>U)|(?P<date>D))",
            _edge_of_period,
        ),
        (r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?P<unit>U)(?P<direction>X)", _edge_of_period),
        (
            r"e?(?P<nth>[rX])(?P<weekday>W)[cie]{1,2}(?:(?P<month>M)(?:,?c?(?P<year>y))?|(?P<direction>X)?(?P<unit>U))",
            _nth_weekday,
        ),
        (r"(?P<holiday>J)(?:[,c]?(?P<year>y))?", _holiday),
        (r"(?P<direction>X)(?P<holiday>J)", _holiday),
        (r"(?P<holiday>J)(?P<direction>X)", _holiday),
        (r"(?P<holiday>J)[cdie]{0,2}(?:(?P<direction>X)(?P<unit>U))", _holiday),
        (r"e?(?P<now>N)", _now),
        (r"(?P<in>i)(?P<length>I)", _in_length),
        (r"(?P<length>I)(?:l|f(?!e?[DSRWJNMXnry]))", _in_length),
        (r"(?P<length>I)(?P<ago>g)(?!e?[DSWRJ])", _in_length),
        (r"(?P<ago>g)(?P<length>I)", _in_length),
        (r"v(?:[e]?[nq]?[UWPI]|M)|v?V|vI", _repetition),
    ),
    (  # days that stand on other days
        (r"(?:(?P<end>E)|(?P<beginning>Z))[ce]{0,2}(?P<date>D)", _edge_of_period),
        (r"(?P<end>Q)(?:[,cd]?e?(?P<date>D))?", _fixed_end),
        (r"(?P<date>D),?[ied]{0,2}(?P<end>Q)", _fixed_end),
        (r"(?P<date>D)[-,.(]{1,2}(?P<again>D)\)", _said_twice),
        (r"e?(?P<length>I)(?:[lfF]|(?P<back>[bg]))[ce]{0,2}(?P<anchor>[DS])", _from_day),
        (
            r"e?(?P<nth>[rX])(?P<unit>U)[cie]{0,2}(?:(?P<period>D)|(?P<direction>X)?(?P<outer>U))(?:[,.]?d?e?(?P<weekday>W))?",
            _nth_day,
        ),
    ),
    (  # ranges of days and of times
        (r"[Fw]?c?(?P<day>[nr])\.?[-tL&]{1,2}e?(?P<last>D)", _day_range),
        (r"[Fwc]?(?P<first>D)(?:[-tL]e?|(?<=w.)&|[tL]e?)(?P<last>D)", _day_range),
        (r"(?P<first>D)[-t](?P<until>[nr])(?![aoU:])", _day_range),
        (r"w(?P<first>D)&(?P<last>D)", _day_range),
        (r"(?:(?P<date>D)[,]?)?[Fwc@]?e?(?P<first>[nT])(?:[-tL@]|(?<=t)@){1,2}e?(?P<last>T)", _time_range),
        (r"(?:(?P<date>D)[,]?)?w(?P<first>[nT])&(?P<last>T)", _time_range),
        (r"w(?P<first>[nT])&(?P<last>T),?d?(?P<date>D)", _time_range),
        (r"[F@]?(?P<first>[nT])[-tL](?P<last>T),?d?(?P<date>D)", _time_range),
    ),
    (  # a day with a time
        (r"(?P<date>D)[-,.(@]{0,2}[@dFi]{0,2}e?(?P<time>T)(?:[-tL]{1,2}e?(?P<until>T))?\)?", _with_time),
        (r"[@]?e?(?P<time>T)[-,.(]{0,2}[dcie]{0,3}(?P<date>D)", _with_time),
        (r"(?P<date>D),?[icde@]{0,2}(?P<part>P)", _with_part),
        (r"(?P<date>D),?[icde@]{0,2}(?P<part>P),?@?e?(?P<time>T)", _with_time),
        (r"(?P<date>D),?(?P<time>T)(?P<year>y)", _with_time),
        (r"@?(?P<time>[Tn]),?(?P<date>D)[icde]{0,2}(?P<part>P)", _with_time),
        (r"X(?P<part>P)", _with_part),
        (r"[ied]{0,2}(?P<part>P)[,]?[cde]{0,2}(?P<date>D)", _with_part),
        (r"(?P<first>S)[-tL]{1,2}e?(?P<last>[TS])", _moment_range),
        (r"O[,@d]*T|TO", _repetition),
    ),
)


@dataclass(frozen=True, slots=True)
class _Stage:
    """Rules of one stage, and a pattern that matches wherever any of them does."""

    anywhere: re.Pattern[str]
    rules: tuple[tuple[re.Pattern[str], Build], ...]


@lru_cache(maxsize=1)
def _stages() -> tuple[_Stage, ...]:
    return tuple(
        _Stage(
            re.compile("|".join(f"(?:{re.sub(r'[?]P<[a-z_]+>', '?:', pattern)})" for pattern, _ in stage)),
            tuple((re.compile(pattern), build) for pattern, build in stage),
        )
        for stage in _RULES
    )


def understand(tokens: list[Token], *, at: datetime) -> list[Token]:
    """The tokens with all that rules make of them, relative to a local moment without zone."""
    for stage in _stages():
        tokens = _in_one_week(_read(tokens, stage, at))
    return tokens


def _in_one_week(tokens: list[Token]) -> list[Token]:
    """«next week Monday or Tuesday»: a weekday that only a word keeps from one of a named week is of that week."""
    done: list[Token] = []
    last: Token | None = None
    for token in tokens:
        if token.kind == "D" and token.day:
            near = last is not None and token.start - last.end <= _LIST_GAP_CHARS
            if token.value == _WEEKDAY and near and last and last.day:
                begin = monday_of(last.day.begin) + token.day.begin.weekday() * DAY
                token = replace(token, day=Day(begin, begin + DAY), value=_WEEKDAY_OF_WEEK)
            last = token if token.value == _WEEKDAY_OF_WEEK else None
        done.append(token)
    return done


def _read(tokens: list[Token], stage: _Stage, at: datetime) -> list[Token]:
    kinds = "".join([token.kind for token in tokens])
    done: list[Token] = []
    place = 0
    while (ahead := stage.anywhere.search(kinds, place)) is not None:
        done += tokens[place : ahead.start()]
        place = ahead.start()
        made = _longest(kinds, place, tokens=tokens, rules=stage.rules, at=at)
        done.append(made[0] if made else tokens[place])
        place = made[1] if made else place + 1
    return done + tokens[place:]


def _longest(
    kinds: str,
    place: int,
    *,
    tokens: Sequence[Token],
    rules: Sequence[tuple[re.Pattern[str], Build]],
    at: datetime,
) -> tuple[Token, int] | None:
    matches = [
        (match, build)
        for pattern, build in rules
        if (match := pattern.match(kinds, place)) and match.end() > place
    ]
    for match, build in sorted(matches, key=lambda entry: -entry[0].end()):
        try:
            made = build(Found(match, tokens, at))
        except (ValueError, OverflowError):
            continue
        if made is not None:
            return made, match.end()
    return None
