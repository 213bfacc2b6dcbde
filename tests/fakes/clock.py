"""A clock that a test sets; sleeping on it takes no time but lets others run."""

import asyncio
from datetime import UTC, datetime, timedelta, tzinfo


class FakeClock:
    """Stands still until `advance`, `suspend` or `sleep` moves it; `slept` lists the waits asked for, in seconds."""

    def __init__(self, now: datetime, zone: tzinfo = UTC) -> None:
        self._now = now
        self._elapsed = 0.0
        self.zone = zone
        self.slept: list[float] = []

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(timedelta(seconds=seconds))
        await asyncio.sleep(0)

    def advance(self, by: timedelta) -> None:
        """Lets time pass."""
        self._now += by
        self._elapsed += by.total_seconds()

    def suspend(self, by: timedelta) -> None:
        """Lets time pass as it does while the machine sleeps: the wall clock moves, the running time does not."""
        self._now += by
