"""Weeks, months and other stretches of days, and days told by them: «end of the month», «first Monday in May»."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from heedful.reading.calendar_days import DAY, add_months, monday_of, nearest, nth_weekday
from heedful.reading.date_days import COMING, WEEKDAY, WEEKEND
from heedful.reading.date_lengths import LENGTHS, shifted
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Token

_END_OF_DAY = time(23, 59, 59)


def period(found: Found) -> Token | None:
    """«next week», «this month», «the last two years» as all its days."""
    count = found.one("count").number if found.has("count") else 1
    shift = found.all("direction")[-1].number
    unit = found.one("unit").value
    if not 1 <= count <= 1000:
        return None
    if shift == COMING and unit == "weekend":
        return weekend(found)
    shift = 1 if shift == COMING else shift
    return _days_of(found, unit, shift=shift, count=count)


def stretch(found: Found) -> Token | None:
    """«the past few weeks», «the next 3 days»: from that long ago until now, or from now on."""
    length = found.one("length").length
    shift = found.one("direction").number
    if length is None or not shift:
        return None
    if length.seconds:
        other = shifted(found.at, length.times(1 if shift > 0 else -1))
        return found.moment(min(found.at, other), max(found.at, other))
    midnight = datetime.combine(found.today, time())
    other_day = shifted(midnight, length.times(1 if shift > 0 else -1)).date()
    return found.day(
        min(found.today, other_day), max(found.today, other_day) + (DAY if shift > 0 else timedelta())
    )


def _days_of(found: Found, unit: str, *, shift: int, count: int = 1) -> Token | None:
    today = found.today
    if unit in ("second", "minute", "hour"):
        seconds = LENGTHS[unit].seconds * count
        other = found.at + timedelta(seconds=seconds if shift > 0 else -seconds)
        return found.moment(min(found.at, other), max(found.at, other)) if shift else None
    if unit in ("day", "workday"):
        begin = today + shift * DAY
        return found.day(begin) if count == 1 else found.day(*sorted((today, today + shift * count * DAY)))
    if unit in ("week", "fortnight", "weekend", "weekends"):
        begin = monday_of(today) + 7 * shift * DAY
        if unit in ("weekend", "weekends"):
            return found.day(begin + 5 * DAY, begin + 7 * DAY)
        days = 7 * count * (2 if unit == "fortnight" else 1)
        begin = begin if shift >= 0 else begin - (days - 7) * DAY
        return found.day(begin, begin + days * DAY)
    months = LENGTHS[unit].months
    first = (
        today.replace(day=1, month=(today.month - 1) // months * months + 1)
        if months <= 12
        else today.replace(day=1, month=1)
    )
    begin = add_months(first, shift * months)
    begin = begin if shift >= 0 else add_months(begin, (1 - count) * months)
    return found.day(begin, add_months(begin, months * count))


def weekend(found: Found) -> Token | None:
    """«at the weekend», «am kommenden Wochenende»: the one that begins today or next."""
    begin = _saturday(found.today)
    if found.one("unit").value != "weekend":
        return None
    return replace(found.day(begin, begin + 2 * DAY), value=WEEKEND)


def before_weekend(found: Found) -> Token | None:
    """«by the weekend», «vor dem Wochenende»: the Friday that comes before one."""
    friday = _saturday(found.today + DAY) - DAY
    return found.day(friday) if found.one("unit").value == "weekend" else None


def after_weekend(found: Found) -> Token | None:
    """«after the weekend»: the next Monday."""
    monday = monday_of(found.today) + 7 * DAY
    return found.day(monday) if found.one("unit").value == "weekend" else None


def _saturday(since: date) -> date:
    """The first Saturday from a day on, that day included."""
    return since + (5 - since.weekday()) % 7 * DAY


def edge_of_period(found: Found) -> Token | None:
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
        period = _days_of(found, unit, shift=1 if shift == COMING else shift)
    if period is None or period.day is None:
        return None
    if found.has("beginning"):
        return found.day(period.day.begin)
    if unit in ("day", "workday"):
        return found.moment(datetime.combine(period.day.begin, _END_OF_DAY))
    last = period.day.finish - DAY
    friday = period.day.begin + 4 * DAY
    return found.day(friday if unit == "week" and friday >= found.today else last)


def fixed_end(found: Found) -> Token | None:
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


def weekday_by_number(found: Found) -> Token | None:
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


def nth_day(found: Found) -> Token | None:
    """«the last day of the month», «first week of October», «second day of next week»."""
    nth, unit = found.one("nth").number, found.one("unit").value
    if found.has("period"):
        days = found.one("period").day
    else:
        shift = found.one("direction").number if found.has("direction") else 0
        made = _days_of(found, found.one("outer").value, shift=1 if shift == COMING else shift)
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
        return found.day(begin + day.day.begin.weekday() * DAY) if day.day and day.value == WEEKDAY else None
    return found.day(begin, begin + 7 * DAY)
