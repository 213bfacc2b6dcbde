"""Single days: «3 Dec», «the 29th», «next Friday», «tomorrow»."""

from dataclasses import replace
from datetime import date

from heedful.reading.calendar_days import DAY, add_months, days_in, monday_of, nearest, weekday_after
from heedful.reading.date_lexicon import full_year
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Day, Token

COMING = 9
RELATIVE = "relative"
WEEKDAY = "weekday"
WEEKEND = "weekend"
WEEKDAY_OF_WEEK = "weekday of a week"


def dated(found: Found) -> Token | None:
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


def month_only(found: Found) -> Token:
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


def day_of_month(found: Found) -> Token | None:
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


def month_in_digits(found: Found) -> Token | None:
    """«am 22.04», «27. 11.», «Donnerstag, den 7. 4. 2016» in languages that write ordinals with a dot."""
    day, month = found.one("day"), found.one("month")
    if not (1 <= month.number <= 12) or "dot" not in (day.value, month.value):
        return None
    if found.has("year"):
        return found.day(date(found.one("year").number, month.number, day.number))
    return found.day(nearest(found.today, lambda year: date(year, month.number, day.number)))


def day_of_numbered_month(found: Found) -> Token | None:
    """«9 de 8 de 1971», «el 21 del 3»."""
    if found.has("year"):
        return found.day(date(found.one("year").number, found.one("month").number, found.one("day").number))
    day, month = found.one("of").number, found.one("month_of").number
    return found.day(nearest(found.today, lambda year: date(year, month, day))) if 1 <= month <= 12 else None


def weekday_of_month(found: Found) -> Token | None:
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


def day_of_weekday(found: Found) -> Token:
    """«Friday», «next Friday», «last Tuesday», «Monday of next week»."""
    weekday, today = found.one("weekday").number, found.today
    if not found.has("direction"):
        return replace(found.day(weekday_after(today, weekday)), value=WEEKDAY)
    if found.one("direction").kind == "p":
        return found.day(weekday_after(today - 8 * DAY, weekday))
    shift = found.all("direction")[-1].number
    if shift == COMING:
        return replace(found.day(weekday_after(today, weekday)), value=WEEKDAY)
    return replace(found.day(monday_of(today) + 7 * shift * DAY + weekday * DAY), value=WEEKDAY_OF_WEEK)


def relative_day(found: Found) -> Token:
    """«tomorrow», «the day after tomorrow»; `tonight` carries its part of the day."""
    return replace(found.day(found.today + found.one("relative").number * DAY), value=RELATIVE)


def said_in_digits(found: Found) -> Token | None:
    """A date that a weekday stands beside: the weekday only says it again."""
    return found.makes("D", day=found.one("date").day or Day(found.today, found.today + DAY))


def said_twice(found: Found) -> Token | None:
    """«this Friday (Jun 15)», «May 22 (Tue)»: the weekday only says it again."""
    weekdays = (WEEKDAY, WEEKDAY_OF_WEEK)
    date_first = found.one("again").value in weekdays
    token = found.one("date") if date_first else found.one("again")
    if token.day is None or (not date_first and found.one("date").value not in weekdays):
        return None
    return found.makes("D", day=token.day)
