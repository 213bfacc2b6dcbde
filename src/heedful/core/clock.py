"""Time as a parameter: the only module that reads the machine's clock.

A moment is an aware UTC datetime; a day is a local date in the person's zone. Everything that needs either
takes a `Clock`, so that a test can be any day it likes.
"""

import asyncio
import time
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Protocol
from zoneinfo import ZoneInfo


class Clock(Protocol):
    """Now, elapsed time, the person's zone, and a sleep that a test can shorten."""

    @property
    def zone(self) -> tzinfo:
        """The person's time zone, by IANA rules, so that days follow daylight saving."""
        ...

    def now(self) -> datetime:
        """The moment, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start that never run backwards; they may stand still in a suspend."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Waits; cancelling it ends the wait at once."""
        ...


class SystemClock:
    """The machine's clock and zone."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    @property
    def zone(self) -> tzinfo:
        if self._zone is None:
            self._zone = _machine_zone()
        return self._zone

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 (this is the clock)

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def local_day(moment: datetime, zone: tzinfo) -> date:
    """The person's calendar day in which a moment falls."""
    return moment.astimezone(zone).date()


def start_of_day(day: date, zone: tzinfo) -> datetime:
    """The first moment of a local day, in UTC; days of 23 or 25 hours come out right."""
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def start_of_next_day(moment: datetime, zone: tzinfo) -> datetime:
    """The first moment of the local day after the one `moment` falls in, in UTC."""
    return start_of_day(local_day(moment, zone) + timedelta(days=1), zone)


def to_millis(moment: datetime) -> int:
    """A moment as whole milliseconds since 1970 in UTC, as the store keeps it."""
    return round(moment.timestamp() * 1000)


def from_millis(millis: int) -> datetime:
    """The aware UTC moment for the store's milliseconds."""
    return datetime.fromtimestamp(millis / 1000, UTC)


def _machine_zone() -> tzinfo:
    from tzlocal import get_localzone_name  # costs 20 ms, and not every command asks

    name = get_localzone_name()
    return ZoneInfo(name) if name else UTC
