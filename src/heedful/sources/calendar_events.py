"""One series of a calendar as its library sees it: its components, its times made aware, its occurrences.

The calendar libraries are loaded on first use: they cost more than the whole start of a command.
"""

import contextlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from heedful.core.errors import RejectedError
from heedful.sources.calendar_series import method_of
from heedful.sources.items import EventStatus, Occurrence
from heedful.sources.moments import can_be_told

if TYPE_CHECKING:
    from icalendar import Component

MAX_OCCURRENCES = 500

# What the calendar libraries raise on damaged input, seen over several hundred broken files.
CALENDAR_DAMAGE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    ArithmeticError,
    AssertionError,
    NotImplementedError,
    RecursionError,
)
_NEAR = timedelta(days=60)
_DAY_MIN = 24 * 60
_FARTHEST = timedelta(days=3650)
_POSSIBLE = {
    "BYMONTH": (1, 12),
    "BYYEARDAY": (1, 366),
    "BYWEEKNO": (1, 53),
    "BYHOUR": (0, 23),
    "BYMINUTE": (0, 59),
    "BYSECOND": (0, 60),
}
"""What the parts of a rule may name, forwards or backwards; days of a month are held against its months.

Source: RFC 5545, 3.3.10.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """A parsed series. `main` is the component that speaks for it, `parts` are all, `zone` is for times without."""

    main: "Component"
    parts: tuple["Component", ...]
    method: str
    zone: tzinfo
    calendar_zone: tzinfo | None

    @property
    def is_todo(self) -> bool:
        return self.main.name == "VTODO"


def parse_series(raw: str, *, zone: tzinfo) -> Event:
    """The series of a minimal calendar.

    Raises:
        RejectedError: It can't be read, or it has no time.
    """
    import icalendar

    try:
        calendar = icalendar.Calendar.from_ical(raw)
        parts = tuple(_without_broken(part) for part in calendar.walk() if part.name in {"VEVENT", "VTODO"})
    except CALENDAR_DAMAGE as exc:
        raise RejectedError("This event is damaged", "Its calendar file breaks the format's rules.") from exc
    dated = tuple(part for part in parts if start_of(part) is not None)
    if not dated:
        if parts and parts[0].name == "VTODO":
            return Event(parts[0], (), method_of(raw), zone, _calendar_zone(raw))
        raise RejectedError("This event has no start", "It can't be placed in time.")
    for part in dated:
        _mend(part)
    masters = [part for part in dated if "RECURRENCE-ID" not in part] or _masters_in_disguise(dated)
    main = max(masters, key=_sequence)
    return Event(main, dated, method_of(raw), zone, _calendar_zone(raw))


def occurrences_of(event: Event, begin: datetime, end: datetime) -> tuple[Occurrence, ...]:
    """When it takes place between two moments, in order, at most the first `MAX_OCCURRENCES` of ten years.

    Raises:
        RejectedError: Its repetition can't be worked out.
    """
    if not event.parts or (event.is_todo and is_done(event.main)):
        return ()
    if len(event.parts) == 1 and not any(name in event.main for name in ("RRULE", "RDATE", "EXDATE")):
        found: Iterable[Component] = event.parts
    else:
        found = _unfolded(event, begin, min(end, begin + _reach(event)))
    moments = (occurrence_of(part, event) for part in found)
    inside = sorted(
        (moment for moment in moments if moment.starts_at < end and moment.ends_at >= begin),
        key=lambda moment: (moment.starts_at, moment.key),
    )
    return tuple({moment.key: moment for moment in inside}.values())[:MAX_OCCURRENCES]


def occurrence_of(part: "Component", event: Event) -> Occurrence:
    """One component as a time: an overridden one tells where it was before."""
    start = start_of(part)
    assert start is not None  # parts without a start were left out when the series was parsed
    starts_at = aware(start, event.zone)
    all_day = not isinstance(start, datetime)
    before = _when(part, "RECURRENCE-ID")
    ends_at = max(starts_at, _end_of(part, start, event.zone))
    key = _key(before) if before is not None else ""
    was = aware(before, event.zone) if before is not None else None
    return Occurrence(
        key,
        starts_at,
        ends_at,
        all_day,
        status_of(part, event.method),
        was if was is not None and was != starts_at else None,
    )


def status_of(part: "Component", method: str) -> EventStatus:
    """What is known about whether it takes place."""
    stated = str(part.get("STATUS", "")).strip().upper()
    if stated in {"CANCELLED", "CANCELED"} or method == "CANCEL":
        return "cancelled"
    return "tentative" if stated == "TENTATIVE" else "confirmed"


def is_done(part: "Component") -> bool:
    """True for a to-do that was completed."""
    return (
        str(part.get("STATUS", "")).upper() == "COMPLETED"
        or "COMPLETED" in part
        or str(part.get("PERCENT-COMPLETE", "")) == "100"
    )


def start_of(part: "Component") -> date | datetime | None:
    """When it begins; a to-do takes place when it is due. None when nothing says so."""
    if part.name == "VTODO":
        due = _when(part, "DUE")
        return due if due is not None else _when(part, "DTSTART")
    return _when(part, "DTSTART")


def aware(moment: date | datetime, zone: tzinfo) -> datetime:
    """A calendar's time as a moment: a date is its local midnight, a floating time the person's."""
    if not isinstance(moment, datetime):
        return datetime.combine(moment, time(), zone)
    return (
        moment
        if moment.tzinfo is not None and moment.utcoffset() is not None
        else moment.replace(tzinfo=zone)
    )


def changed_at(event: Event) -> datetime | None:
    """When the series was last touched; None when it does not say."""
    for name in ("LAST-MODIFIED", "DTSTAMP", "CREATED"):
        stamps = [aware(stamp, UTC) for part in event.parts or (event.main,) if (stamp := _when(part, name))]
        if stamps:
            return max(stamps)
    return None


def _unfolded(event: Event, begin: datetime, end: datetime) -> "list[Component]":
    import icalendar
    import recurring_ical_events  # type: ignore[import-untyped] # it ships no types

    calendar = icalendar.Calendar()
    for part in event.parts:
        calendar.add_component(_brought_near(part, event, begin))
    try:
        query = recurring_ical_events.of(calendar, components=[event.main.name or "VEVENT"])
        return list(query.between(begin, end))
    except (*CALENDAR_DAMAGE, recurring_ical_events.InvalidCalendar) as exc:
        raise RejectedError("This event's repetition is damaged", "Its rule breaks the format.") from exc


def _brought_near(part: "Component", event: Event, begin: datetime) -> "Component":
    """The component with a daily or weekly rule begun later, by whole periods, when it began years ago.

    The rule gives the same times from there on, and thousands of past ones need not be counted off.
    """
    rule, start = part.get("RRULE"), start_of(part)
    if rule is None or isinstance(rule, list) or start is None or "RECURRENCE-ID" in part or "COUNT" in rule:
        return part
    if any("RANGE" in getattr(other.get("RECURRENCE-ID"), "params", {}) for other in event.parts):
        return part
    period = _period(str(_one(rule, "FREQ")).upper(), _interval(rule))
    if period is None:
        return part
    skipped = (begin - aware(start, event.zone) - _NEAR) // period
    if skipped <= 0:
        return part
    later = part.copy()
    for name in ("DTSTART", "DTEND", "DUE"):
        if (moment := _when(part, name)) is not None:
            later.pop(name)
            later.add(name, moment + skipped * period)
    return later


def _period(freq: str, interval: int) -> timedelta | None:
    """The time after which a rule repeats itself exactly; None where there is none short enough to matter."""
    if freq in {"HOURLY", "MINUTELY"}:
        return timedelta(days=1) if (24 if freq == "HOURLY" else _DAY_MIN) % interval == 0 else None
    return {"DAILY": timedelta(days=interval), "WEEKLY": timedelta(weeks=interval)}.get(freq)


def _when(part: "Component", name: str) -> date | datetime | None:
    value = part.get(name)
    if isinstance(value, list):
        value = value[0] if value else None
    moment = getattr(value, "dt", None)
    if not isinstance(moment, date) or not can_be_told(moment):
        return None
    return moment


def _end_of(part: "Component", start: date | datetime, zone: tzinfo) -> datetime:
    if part.name == "VTODO":
        return aware(start, zone)
    end = _when(part, "DTEND")
    if end is None:
        length = getattr(part.get("DURATION"), "dt", None)
        if isinstance(length, timedelta):
            with contextlib.suppress(OverflowError):
                end = start + length
    if end is None or (not isinstance(start, datetime) and aware(end, zone) <= aware(start, zone)):
        end = start if isinstance(start, datetime) else start + timedelta(days=1)
    return aware(end, zone)


def _masters_in_disguise(parts: "tuple[Component, ...]") -> "list[Component]":
    """Some programs mark a whole series as an exception to itself; all parts when there is no such one."""
    repeating = [part for part in parts if "RRULE" in part]
    for part in repeating:
        del part["RECURRENCE-ID"]
    return repeating or list(parts)


def _without_broken(part: "Component") -> "Component":
    """The component without the properties that the library could not make sense of."""
    for name in list(part):
        values = part[name]
        if any(
            type(value).__name__ == "vBroken" for value in (values if isinstance(values, list) else [values])
        ):
            del part[name]
    return part


def _mend(part: "Component") -> None:
    """Takes away what would send the unfolding astray: rules too fast or impossible, ends before the start."""
    start = start_of(part)
    length = getattr(part.get("DURATION"), "dt", timedelta())
    end = _when(part, "DTEND")
    if start is not None and end is not None and aware(end, UTC) < aware(start, UTC):
        del part["DTEND"]
    if not isinstance(length, timedelta) or length < timedelta():
        del part["DURATION"]
    rules = part.get("RRULE")
    for rule in rules if isinstance(rules, list) else [rules]:
        if rule is not None and not _is_sane(rule):
            del part["RRULE"]
            break


def _is_sane(rule: Any) -> bool:  # noqa: ANN401 (the library's rule is a mapping of lists without a type of its own)
    """False for a rule that is no person's habit, or that never comes true and would be searched for ever."""
    try:
        freq = str(_one(rule, "FREQ")).upper()
        interval = _interval(rule)
        months = {int(month) for month in rule.get("BYMONTH", [])}
        days = {int(day) for day in rule.get("BYMONTHDAY", [])}
        year_days = {int(day) for day in rule.get("BYYEARDAY", [])}
        can_be = all(_is_any_possible(rule.get(name, []), *between) for name, between in _POSSIBLE.items())
        can_be &= _is_any_possible(rule.get("BYSETPOS", []), 1, _times_in(rule, freq))
    except (*CALENDAR_DAMAGE,):
        return False
    if not freq or not 1 <= interval <= 10_000 or _is_too_often(freq, interval, _one(rule, "COUNT")):
        return False
    if not can_be or (year_days and (months or days)):
        return False
    longest = max((_month_days(month) for month in months), default=31)
    return not days or any(1 <= abs(day) <= longest for day in days)


def _is_any_possible(stated: Any, least: int, most: int) -> bool:  # noqa: ANN401 (as above)
    values = stated if isinstance(stated, list) else [stated]
    return not values or any(least <= abs(int(value)) <= most for value in values)


def _times_in(rule: Any, freq: str) -> int:  # noqa: ANN401 (as above)
    """The most times that one of a rule's periods can hold, of which BYSETPOS chooses."""
    a_day = 1
    for name in ("BYHOUR", "BYMINUTE", "BYSECOND"):
        a_day *= max(1, len(rule.get(name, ())))
    return {"WEEKLY": 7, "MONTHLY": 31, "YEARLY": 366}.get(freq, 1) * a_day


def _is_too_often(freq: str, interval: int, count: Any) -> bool:  # noqa: ANN401 (as above)
    """True for what beats like a clock: a second's rule, or a minute's that no day is a multiple of."""
    if freq == "MINUTELY":
        return not (count and int(count) <= MAX_OCCURRENCES) and (interval < 15 or _DAY_MIN % interval != 0)
    return freq == "SECONDLY"


def _one(rule: Any, name: str) -> Any:  # noqa: ANN401 (as above)
    value = rule.get(name)
    return (value[0] if value else None) if isinstance(value, list) else value


def _interval(rule: Any) -> int:  # noqa: ANN401 (as above)
    stated = _one(rule, "INTERVAL")
    return 1 if stated is None else int(stated)


def _month_days(month: int) -> int:
    return 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31


def _reach(event: Event) -> timedelta:
    """How far to look at once, so that a rule with many times a day gives hundreds, not tens of thousands.

    Ten years at most.
    """
    a_day = 1
    for part in event.parts:
        rules = part.get("RRULE")
        for rule in rules if isinstance(rules, list) else [rules]:
            if rule is not None and _one(rule, "FREQ") not in {"MONTHLY", "YEARLY"}:
                times = [max(1, len(rule.get(name, ()))) for name in ("BYHOUR", "BYMINUTE", "BYSECOND")]
                freq, interval = str(_one(rule, "FREQ")).upper(), _interval(rule)
                if freq in {"HOURLY", "MINUTELY"}:
                    times[0] = max(1, (24 if freq == "HOURLY" else _DAY_MIN) // interval)
                a_day = max(a_day, times[0] * times[1] * times[2])
    return _FARTHEST if a_day == 1 else timedelta(days=max(2, 2 * MAX_OCCURRENCES // a_day))


def _key(moment: date | datetime) -> str:
    if isinstance(moment, datetime) and moment.tzinfo is not None:
        return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    return moment.strftime("%Y%m%dT%H%M%S" if isinstance(moment, datetime) else "%Y%m%d")


def _sequence(part: "Component") -> int:
    try:
        return int(part.get("SEQUENCE", 0))
    except (TypeError, ValueError):
        return 0


def _calendar_zone(raw: str) -> tzinfo | None:
    found = re.search(r"(?mi)^X-WR-TIMEZONE[^:]*:[ \t]*(\S{1,80})", raw)
    if found is None:
        return None
    try:
        return ZoneInfo(found[1])
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
