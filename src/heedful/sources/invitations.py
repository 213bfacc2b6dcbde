"""The calendar parts of a mail: what kind of invitation it is, and what it says in words."""

from dataclasses import dataclass
from datetime import timedelta, tzinfo
from itertools import islice

from heedful.core.errors import RejectedError
from heedful.sources.calendar_events import Event, occurrence_of, occurrences_of, parse_series, start_of
from heedful.sources.calendar_series import method_of, split_series
from heedful.sources.calendar_text import render_event
from heedful.sources.items import Occurrence

_MAX_EVENTS = 5


@dataclass(frozen=True, slots=True)
class Invitation:
    """The iTIP method in upper case and the events in words; both empty for a mail without a calendar."""

    method: str = ""
    text: str = ""


def read_invitation(calendars: tuple[str, ...], zone: tzinfo) -> Invitation:
    """What the calendars of one mail say; damaged ones are passed over, their method is still told."""
    if not calendars:
        return Invitation()
    method = next((found for found in map(method_of, calendars) if found), "PUBLISH")
    texts: list[str] = []
    for calendar in calendars:
        for series in islice(split_series(calendar.encode("utf-8", "surrogatepass")), _MAX_EVENTS):
            try:
                event = parse_series(series.raw, zone=zone)
                texts.append(render_event(event, _around_start(event)))
            except RejectedError:
                continue
    return Invitation(method, "\n\n".join(dict.fromkeys(texts)))


def _around_start(event: Event) -> tuple[Occurrence, ...]:
    """The occurrences that show what this mail changes: those near the components that it brings."""
    starts = [occurrence_of(part, event).starts_at for part in event.parts if start_of(part) is not None]
    if not starts:
        return ()
    return occurrences_of(event, min(starts) - timedelta(days=1), max(starts) + timedelta(days=1))
