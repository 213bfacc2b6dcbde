"""Moments and durations as a person says them, in the person's own zone."""

from datetime import date, datetime, timedelta, tzinfo

from heedful.core.clock import local_day

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY_S = 86_400


def clock_time(moment: datetime, zone: tzinfo) -> str:
    """The time of day: «10:35»."""
    return moment.astimezone(zone).strftime("%H:%M")


def day_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """The day as seen from today: «today», «tomorrow», «Friday», «12 Nov», «12 Nov 2027»."""
    day, today = local_day(moment, zone), local_day(now, zone)
    apart = (day - today).days
    if apart in _NEAR_DAYS:
        return _NEAR_DAYS[apart]
    if 1 < apart < 7:
        return WEEKDAYS[day.weekday()]
    if -7 < apart < -1:
        return f"last {WEEKDAYS[day.weekday()]}"
    year = f" {day.year}" if day.year != today.year else ""
    return f"{day.day} {MONTHS[day.month - 1]}{year}"


_NEAR_DAYS = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def moment_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """A day with its time, the day left out when it is today: «10:35», «tomorrow 08:00»."""
    time = clock_time(moment, zone)
    if local_day(moment, zone) == local_day(now, zone):
        return time
    return f"{day_words(moment, now, zone)} {time}"


def date_words(day: date) -> str:
    """A day by its date: «Thu 12 Nov 2026»."""
    return f"{WEEKDAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def full_moment_words(moment: datetime, zone: tzinfo) -> str:
    """A moment by its date and time: «Thu 12 Nov 2026, 09:41»."""
    return f"{date_words(local_day(moment, zone))}, {clock_time(moment, zone)}"


def slot_words(starts_at: datetime, ends_at: datetime, now: datetime, zone: tzinfo, *, all_day: bool) -> str:
    """When something takes place, in a word or two: «today 15:00», «Friday 09:00», «tomorrow», «today» all day long."""
    day = day_words(starts_at, now, zone)
    if starts_at <= now < ends_at and local_day(starts_at, zone) != local_day(now, zone):
        return "now"
    return day if all_day else f"{day} {clock_time(starts_at, zone)}"


def full_slot_words(starts_at: datetime, ends_at: datetime, zone: tzinfo, *, all_day: bool) -> str:
    """From when to when something takes place: «Fri 4 Dec 2026, 15:00–16:00», «Fri 4 Dec 2026 – Sun 6 Dec 2026»."""
    first = local_day(starts_at, zone)
    last = local_day(max(starts_at, ends_at - timedelta(milliseconds=1)), zone)
    if all_day:
        return date_words(first) if first == last else f"{date_words(first)} – {date_words(last)}"
    begin = full_moment_words(starts_at, zone)
    if ends_at <= starts_at:
        return begin
    until = clock_time(ends_at, zone) if first == last else full_moment_words(ends_at, zone)
    return f"{begin}–{until}" if first == last else f"{begin} – {until}"


def due_words(due: datetime, now: datetime, zone: tzinfo) -> str:
    """When something is due: «today, 17:00», «tomorrow», «was due Friday»; midnight means the day as a whole."""
    day = day_words(due, now, zone)
    time = clock_time(due, zone)
    words = day if time in ("00:00", "23:59") else f"{day}, {time}"
    return f"was due {words}" if due < now and local_day(due, zone) != local_day(now, zone) else words


def age_words(moment: datetime, now: datetime) -> str:
    """How long ago, short: «now», «4 min», «3 h», «2 d», «5 wk», «1 y». A moment ahead counts as now."""
    seconds = max(0, int((now - moment).total_seconds()))
    for limit, size, unit in (
        (3600, 60, "min"),
        (_DAY_S, 3600, "h"),
        (14 * _DAY_S, _DAY_S, "d"),
        (365 * _DAY_S, 7 * _DAY_S, "wk"),
    ):
        if seconds < limit:
            return f"{seconds // size} {unit}" if seconds >= size else "now"
    return f"{seconds // (365 * _DAY_S)} y"


def ago_words(moment: datetime, now: datetime) -> str:
    """How long ago, in a sentence: «just now», «3 h ago»."""
    age = age_words(moment, now)
    return "just now" if age == "now" else f"{age} ago"


def since_words(moment: datetime, now: datetime, zone: tzinfo) -> str:
    """Since when, for something that is waited for: «since today», «since Monday», «since 12 Nov»."""
    apart = (local_day(now, zone) - local_day(moment, zone)).days
    if 1 < apart < 7:
        return f"since {WEEKDAYS[local_day(moment, zone).weekday()]}"
    return f"since {day_words(min(moment, now), now, zone)}"


def duration_words(milliseconds: int) -> str:
    """How long something took: «14 ms», «3.1 s», «120 s», «12 min»."""
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1000
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 600:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"


def left_words(seconds: float) -> str:
    """How much longer: «2 s left», «3 min left»."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s left"
    return f"{round(timedelta(seconds=seconds).total_seconds() / 60)} min left"
