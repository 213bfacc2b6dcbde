"""A time zone with a hole in it: whatever asks it about that day meets a bug, as code does that nobody tried there."""

from datetime import date, datetime, timedelta, tzinfo


class BrokenZone(tzinfo):
    """UTC on all days but one."""

    def __init__(self, broken: date) -> None:
        self._broken = broken

    def utcoffset(self, moment: datetime | None, /) -> timedelta:
        if moment is not None and moment.date() == self._broken:
            raise ZeroDivisionError("the words of a letter")
        return timedelta()

    def dst(self, moment: datetime | None, /) -> timedelta:
        return timedelta()

    def tzname(self, moment: datetime | None, /) -> str:
        return "broken"
