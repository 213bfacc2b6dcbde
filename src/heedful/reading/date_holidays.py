"""Days that have a name, by the rules of the language files."""

import re
from datetime import date

from heedful.reading.calendar_days import DAY, easter, nearest, nth_weekday
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Token


def holiday(found: Found) -> Token | None:
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
