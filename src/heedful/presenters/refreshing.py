"""Loads again when news arrives: one load at a time, and one more when news came meanwhile."""

from collections.abc import Awaitable, Callable

from heedful.core.supervise import Supervisor


class Refresher:
    """Runs `load` in the background on request, never twice at once, until closed."""

    def __init__(self, name: str, load: Callable[[], Awaitable[None]], supervisor: Supervisor) -> None:
        self._name = name
        self._load = load
        self._supervisor = supervisor
        self._wanted = False
        self._running = False
        self._closed = False

    def request(self) -> None:
        """Asks for a load; any number of requests during one load lead to one more."""
        self._wanted = True
        if self._running or self._closed:
            return
        self._running = True
        self._supervisor.start(self._name, self._run())

    def close(self) -> None:
        """No load starts any more."""
        self._closed = True
        self._supervisor.cancel(self._name)

    async def _run(self) -> None:
        try:
            while self._wanted and not self._closed:
                self._wanted = False
                await self._load()
        finally:
            self._running = False
