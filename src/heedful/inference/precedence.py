"""Who asks first at a model on this computer or network, which answers one at a time: the person's calls do.

A call that gives way is cut off as soon as another begins, and does not begin while one runs. Providers on the
internet answer many at once; there nobody gives way.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from heedful.core.clock import Clock
from heedful.core.errors import PassingError
from heedful.inference.preset import Provider
from heedful.inference.urls import Reach


class GaveWayError(PassingError):
    """The call was cut off, or never made, because the person's own came first."""


class Precedence:
    """The calls under way at a model that answers one at a time. For the event loop; `busy_s` for any thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._first = 0
        self._giving_way: asyncio.Timeout | None = None
        self._here = 0
        self._here_since = 0.0
        self._here_s = 0.0

    @property
    def busy_s(self) -> float:
        """For how many seconds in all a model on this computer has worked for us."""
        return self._here_s + (self._clock.monotonic() - self._here_since if self._here else 0.0)

    @asynccontextmanager
    async def turn(self, provider: Provider, *, gives_way: bool) -> AsyncIterator[None]:
        """A block in which a call is made.

        Raises:
            GaveWayError: Another call came first.
        """
        with self.working(provider):
            if provider.endpoint.reach is Reach.INTERNET:
                yield
            elif gives_way:
                async with self._second():
                    yield
            else:
                with self._ahead():
                    yield

    @contextmanager
    def working(self, provider: Provider) -> Iterator[None]:
        """A block in which a model works for us, wherever it stands in line."""
        if not provider.stays_here:
            yield
            return
        if not self._here:
            self._here_since = self._clock.monotonic()
        self._here += 1
        try:
            yield
        finally:
            self._here -= 1
            if not self._here:
                self._here_s += self._clock.monotonic() - self._here_since

    @contextmanager
    def _ahead(self) -> Iterator[None]:
        if self._giving_way is not None:
            self._giving_way.reschedule(asyncio.get_running_loop().time())
        self._first += 1
        try:
            yield
        finally:
            self._first -= 1

    @asynccontextmanager
    async def _second(self) -> AsyncIterator[None]:
        if self._first or self._giving_way is not None:
            raise _gave_way()
        scope = asyncio.timeout(None)
        try:
            async with scope:
                self._giving_way = scope
                yield
        except TimeoutError as exc:
            if scope.expired():
                raise _gave_way() from exc
            raise
        finally:
            self._giving_way = None


def _gave_way() -> GaveWayError:
    return GaveWayError("The model is asked for you just now", "", "This goes on when it has answered.")
