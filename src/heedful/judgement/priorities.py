"""How urgent an item is, by rule: a model may suggest, the clock decides."""

from datetime import datetime, timedelta, tzinfo

from heedful.actionables import Priority

_SOON = timedelta(hours=48)


def priority_of(due: datetime | None, *, now: datetime, zone: tzinfo, alarm: bool = False) -> Priority:
    """Critical for an alarm or what is due on the person's today, important within 48 hours, else normal.

    What was due before today is important: it is late, but its day is gone.
    """
    if alarm:
        return Priority.CRITICAL
    if due is None:
        return Priority.NORMAL
    if due.astimezone(zone).date() == now.astimezone(zone).date():
        return Priority.CRITICAL
    return Priority.IMPORTANT if due - now <= _SOON else Priority.NORMAL
