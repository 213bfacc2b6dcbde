"""Times of day: «10:30», «5 pm», «half past four», «halb acht», «7 in the morning»."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta

from heedful.reading.calendar_days import DAY
from heedful.reading.date_match import Found
from heedful.reading.date_tokens import Clock, Token

AFTERNOON_UNTIL = 6
_EVENING = 17


def clock_time(found: Found) -> Token | None:
    """«10:30», «5 pm», «8 Uhr 30», «7 in the morning»."""
    base = found.one("n")
    if found.has("unit") and found.one("unit").value != "hour":
        return None
    clock = base.clock or hour_of(base.number or int(base.kind == "q"))
    if clock is None:
        return None
    if found.has("minutes"):
        minutes = found.all("minutes")[-1]
        if minutes.kind == "n" and (
            minutes.number > 59 or not (minutes.number >= 10 or len(minutes.value) == 2)
        ):
            return None
        clock = replace(clock, minute=_minutes(minutes))
    part = next((token for token in (*found.all("a"), *found.all("part")) if token.kind in "aP"), None)
    return found.makes("T", clock=in_part_of_day(clock, part.value) if part else clock)


def hour_of(number: int) -> Clock | None:
    """An hour, or an hour and minutes run together as in «1130»."""
    if number <= 24:
        return Clock(number, sure=number > 12 or number == 0)
    hour, minute = divmod(number, 100)
    return Clock(hour, minute, sure=hour > 12) if number >= 100 and hour <= 24 and minute < 60 else None


def in_part_of_day(clock: Clock, part: str) -> Clock:
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


def past_hour(found: Found) -> Token | None:
    """«half past four», «ten past 9», «quarter to three», «halb acht», «dez para as oito»."""
    hour = found.one("hour")
    clock = hour.clock or hour_of(hour.number)
    minutes = _minutes(found.one("minutes"))
    if clock is None or clock.minute or minutes > 59:
        return None
    back = found.has("back")
    total = clock.hour * 60 + (-minutes if back else minutes)
    part = next((token for token in found.all("part") if token.kind in "aP"), None)
    made = replace(clock, hour=total // 60 % 24, minute=total % 60)
    return found.makes("T", clock=in_part_of_day(made, part.value) if part else made)


def _minutes(token: Token) -> int:
    if token.kind == "H":
        return token.number
    return 30 if token.kind == "h" else 15 if token.kind == "k" else token.number


def at_clock(day: date, clock: Clock) -> datetime:
    """A time on a day; an unsure small hour is in the afternoon."""
    hour = clock.hour
    if not clock.sure and 1 <= hour <= AFTERNOON_UNTIL:
        hour += 12
    moment = datetime.combine(day, time(hour % 24, clock.minute, clock.second))
    return moment + DAY if hour == 24 else moment


def later_clock(begin: datetime, clock: Clock) -> datetime:
    """The first such time after a moment, in the same half of the day when the clock leaves it open."""
    finish = datetime.combine(begin.date(), time(clock.hour % 24, clock.minute, clock.second))
    if finish <= begin and not clock.sure and clock.hour < 12:
        finish += timedelta(hours=12)
    return finish if finish > begin else finish + DAY
