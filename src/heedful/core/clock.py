"""Time as a parameter: the only module that reads the machine's clock.

A moment is an aware UTC datetime; a day is a local date in the person's zone. Everything that needs either
takes a `Clock`, so that a test can be any day it likes.
"""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Protocol

LOOK_FOR_ZONE_EVERY_S = 60.0


class Clock(Protocol):
    """Now, elapsed time, the person's zone, and a sleep that a test can shorten."""

    @property
    def zone(self) -> tzinfo:
        """The person's time zone, by IANA rules, so that days follow daylight saving; another one when they travel."""
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


class MovingZone:
    """The zone of a machine that travels: looked up when it is asked for, and again when that is a minute ago.

    `look` raises LookupError or ValueError where nothing tells the zone; the last one that was known then stays, UTC at
    first. `elapsed` are seconds that never run backwards. May be asked from any thread.
    """

    def __init__(self, look: Callable[[], tzinfo], elapsed: Callable[[], float]) -> None:
        self._look, self._elapsed = look, elapsed
        self._known: tuple[float, tzinfo] | None = None

    def here(self) -> tzinfo:
        """The zone, at most a minute old."""
        now, known = self._elapsed(), self._known
        if known is not None and now - known[0] < LOOK_FOR_ZONE_EVERY_S:
            return known[1]
        try:
            zone = self._look()
        except (LookupError, ValueError):
            zone = UTC if known is None else known[1]
        self._known = now, zone
        return zone


class SystemClock:
    """The machine's clock, and its zone unless one is given."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone
        self._moving = MovingZone(_machine_zone, time.monotonic)

    @property
    def zone(self) -> tzinfo:
        return self._moving.here() if self._zone is None else self._zone

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
    """As the system is set up now, and no longer as it was when the process began.

    Raises:
        LookupError, ValueError: It names no zone, or several.
    """
    from tzlocal import get_localzone_name, reload_localzone  # costs 20 ms, and not every command asks

    if not get_localzone_name():
        return UTC
    if hasattr(time, "tzset"):
        time.tzset()  # the C library's own local times move along, and tzlocal compares with them
    return reload_localzone()
