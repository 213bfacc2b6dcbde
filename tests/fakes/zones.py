"""Time zones that a test needs: one with a hole in it, and a machine that travels."""

from datetime import date, datetime, timedelta, tzinfo


class BrokenZone(tzinfo):
    """UTC on all days but one: whatever asks it about that day meets a bug, as code does that nobody tried there."""

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


class Traveller:
    """A machine that is where `zone` says; None where its system names no zone. Counts how often it was asked."""

    def __init__(self, zone: tzinfo | None) -> None:
        self.zone = zone
        self.asked = 0

    def look(self) -> tzinfo:
        self.asked += 1
        if self.zone is None:
            raise LookupError("two files of the system name two zones")
        return self.zone
