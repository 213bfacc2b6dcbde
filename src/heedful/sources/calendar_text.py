"""A calendar event as sentences that can be read, searched and quoted."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from heedful.reading.html_text import html_to_text
from heedful.sources.calendar_events import Event, aware, is_done, occurrence_of, start_of
from heedful.sources.items import Occurrence, Person

if TYPE_CHECKING:
    from icalendar import Component

_MAX_DESCRIPTION = 20_000
_MAX_CHANGES = 20
_MAX_PEOPLE = 50
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_RHYTHM = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year", "HOURLY": "hour"}
_TAG = re.compile(r"<(?:br|p|a|b|i|u|ul|ol|li|div|span|html|body|strong|em)\b[^<>]*/?>", re.IGNORECASE)


def render_event(event: Event, occurrences: tuple[Occurrence, ...]) -> str:
    """Title, when, where, with whom, what it is about, and what has changed, each on a line of its own."""
    lines = [_title_line(event), *_when_lines(event), *_about_lines(event.main)]
    changes = list(_change_lines(event, occurrences))
    if changes:
        lines += ["", *changes]
    if description := _description(event.main):
        lines += ["", description]
    return "\n".join(lines).strip()


def title_of(part: "Component") -> str:
    """The event's summary on one line."""
    return " ".join(_text(part, "SUMMARY").split())[:500]


def organiser_of(part: "Component") -> Person:
    """Who called it; an empty person when nobody is named."""
    return next(iter(_people(part, "ORGANIZER")), Person(""))


def attendees_of(part: "Component") -> tuple[Person, ...]:
    """Who was asked to come, without the organiser's second mention."""
    organiser = organiser_of(part)
    return tuple(person for person in _people(part, "ATTENDEE") if person.address != organiser.address)


def _title_line(event: Event) -> str:
    title = title_of(event.main) or "Untitled event"
    return f"To do: {title}" if event.is_todo else title


def _when_lines(event: Event) -> Iterator[str]:
    if start_of(event.main) is not None:
        when = occurrence_of(event.main, event)
        zone = _display_zone(event, when)
        said = _span(when, zone)
        rhythm = _rhythm(event.main)
        if event.is_todo:
            said = f"Due {said}"
        yield (f"From {said}, {rhythm}." if rhythm else f"{said}.") if said else ""
    if event.is_todo and is_done(event.main):
        yield "Done."
    elif when_status := _status_line(event):
        yield when_status


def _status_line(event: Event) -> str:
    title = title_of(event.main) or "This event"
    stated = str(event.main.get("STATUS", "")).upper()
    if event.method == "CANCEL" or stated in {"CANCELLED", "CANCELED"}:
        return f"Cancelled: {title}."
    return "Tentative: not confirmed yet." if stated == "TENTATIVE" else ""


def _about_lines(part: "Component") -> Iterator[str]:
    if place := " ".join(_text(part, "LOCATION").split()):
        yield f"Where: {place[:500]}"
    names = [_name(person) for person in attendees_of(part)[:_MAX_PEOPLE]]
    organiser = organiser_of(part)
    if organiser.name or organiser.address:
        names.insert(0, f"{_name(organiser)} (organiser)")
    if names:
        yield f"With: {', '.join(names)}"


def _change_lines(event: Event, occurrences: tuple[Occurrence, ...]) -> Iterator[str]:
    changed = [
        occurrence
        for occurrence in occurrences
        if occurrence.key and (occurrence.moved_from is not None or occurrence.status == "cancelled")
    ]
    if event.method == "CANCEL" or str(event.main.get("STATUS", "")).upper() in {"CANCELLED", "CANCELED"}:
        return
    for occurrence in changed[:_MAX_CHANGES]:
        zone = _display_zone(event, occurrence)
        start = occurrence.starts_at.astimezone(zone)
        if occurrence.status == "cancelled":
            yield f"Cancelled: {_day(start)}{'' if occurrence.all_day else f' {start:%H:%M}'}."
        elif occurrence.moved_from is not None:
            yield f"Moved: {_moved(start, occurrence.moved_from.astimezone(zone), all_day=occurrence.all_day)}."


def _moved(start: datetime, before: datetime, *, all_day: bool) -> str:
    if all_day:
        return f"{_day(start)} instead of {_day(before)}"
    same_day = start.date() == before.date()
    return f"{_day(start)} {start:%H:%M} instead of {'' if same_day else _day(before) + ' '}{before:%H:%M}"


def _span(when: Occurrence, zone: tzinfo) -> str:
    start, end = when.starts_at.astimezone(zone), when.ends_at.astimezone(zone)
    if when.all_day:
        last = end - timedelta(days=1)
        return _date(start) if last.date() <= start.date() else f"{_date(start)} to {_date(last)}"
    said = f"{_date(start)}, {start:%H:%M}"
    if end > start:
        said += f"–{end:%H:%M}" if end.date() == start.date() else f" to {_date(end)}, {end:%H:%M}"
    name = getattr(zone, "key", None) or start.tzname() or ""
    return f"{said} ({name})" if name else said


def _display_zone(event: Event, when: Occurrence) -> tzinfo:
    """The event's own zone; one stated in UTC is shown in its calendar's zone, or the person's."""
    own = when.starts_at.tzinfo or event.zone
    if (
        when.all_day
        or when.starts_at.tzname() not in {"UTC", "Z", "GMT"}
        or getattr(own, "key", "UTC") != "UTC"
    ):
        return own
    return event.calendar_zone or event.zone


def _rhythm(part: "Component") -> str:
    rule = part.get("RRULE")
    rule = rule[0] if isinstance(rule, list) and rule else rule
    if not rule:
        return ""
    unit = _RHYTHM.get(str(next(iter(rule.get("FREQ", [])), "")).upper())
    if unit is None:
        return ""
    interval = int(next(iter(rule.get("INTERVAL", [])), 1) or 1)
    every = f"every {unit}" if interval == 1 else f"every {interval} {unit}s"
    until = next(iter(rule.get("UNTIL", [])), None)
    if isinstance(until, date):
        return f"{every} until {_date(aware(until, UTC))}"
    count = next(iter(rule.get("COUNT", [])), None)
    return f"{every}, {count} times" if count else every


def _description(part: "Component") -> str:
    text = _text(part, "DESCRIPTION")[:_MAX_DESCRIPTION]
    if _TAG.search(text):
        text = html_to_text(text)
    return text.strip()


def _text(part: "Component", name: str) -> str:
    value = part.get(name, "")
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value).replace("\r\n", "\n").replace("\r", "\n")


def _people(part: "Component", name: str) -> Iterator[Person]:
    values = part.get(name, [])
    for value in (values if isinstance(values, list) else [values])[:_MAX_PEOPLE]:
        address = str(value).strip()
        address = address[7:] if address[:7].lower() == "mailto:" else address
        address = address.lower() if "@" in address and " " not in address else ""
        said = str(getattr(value, "params", {}).get("CN", "")).strip("\"' ")
        person = Person(said if said.lower() != address else "", address)
        if person.name or person.address:
            yield person


def _name(person: Person) -> str:
    return person.name or person.address


def _day(moment: datetime) -> str:
    return f"{_DAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]}"


def _date(moment: datetime) -> str:
    return f"{_day(moment)} {moment.year}"
