"""The only place that starts tasks: loops with a cadence, back-off by remedy, one orderly stop.

A loop's work may raise any HeedfulError: the supervisor waits by its remedy and tries again, and a bug (any
other exception) is logged and treated as passing, so that one broken loop never takes the others down. A long
gap on the wall clock (the machine slept) runs due work once, not once for every missed turn.

`one_of_many` does the same for pieces of work that are many alike: without it, one message that meets a bug would be
met again by every look, and nothing after it ever seen.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, TypeVar

from heedful.core.clock import Clock
from heedful.core.errors import BudgetSpentError, DamageError, HeedfulError, PassingError, UserCanFixError

log = logging.getLogger(__name__)

STEP_S = 20.0
WAKE_GAP_S = 60.0
STOP_WITHIN_S = 2.0

Work = Callable[[], Awaitable[None]]
T = TypeVar("T")
U = TypeVar("U")


def one_of_many(what: str, work: Callable[[], T], *, otherwise: U) -> T | U:
    """The piece's result; after a bug, which is logged as `what`, `otherwise` stands for it.

    Raises:
        HeedfulError: As the work did; whoever runs all pieces knows its remedy.
    """
    try:
        return work()
    except HeedfulError:
        raise
    except Exception:
        log.exception("%s met a bug; the rest goes on", what)
        return otherwise


@dataclass(frozen=True, slots=True)
class Cadence:
    """How often: `interval_s` is asked anew before each wait; `jitter` is a share of it, either way."""

    interval_s: Callable[[], float]
    first_after_s: float = 0.0
    jitter: float = 0.0


@dataclass(slots=True)
class _Backoff:
    """Seconds to add after failures in a row, by remedy; a success clears it."""

    failures: int = 0

    def wait_s(self, error: BaseException, interval_s: float) -> float:
        self.failures += 1
        if isinstance(error, PassingError) and error.retry_after_s is not None:
            return max(error.retry_after_s, interval_s)
        if isinstance(error, DamageError | UserCanFixError | BudgetSpentError):
            return interval_s
        return min(interval_s * float(2 ** min(self.failures - 1, 4)), 3600.0)


@dataclass(slots=True)
class Supervisor:
    """Runs named tasks in one group until `stop`.

    `uniform` draws the jitter; a parameter, so that a test knows it.
    """

    clock: Clock
    uniform: Callable[[float, float], float] = random.uniform
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _alive: set[asyncio.Task[None]] = field(default_factory=set)
    _stopping: bool = False

    def start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs one coroutine under a name; a running one of that name is cancelled first, so they never stack.

        Raises:
            RuntimeError: The supervisor is stopping, or no event loop runs.
        """
        if self._stopping:
            work.close()
            raise RuntimeError("no task starts after stop")
        self.cancel(name)
        task = asyncio.create_task(self._guard(name, work), name=name)  # noqa: TID251 (this is core.supervise)
        self._tasks[name] = task
        self._alive.add(task)
        task.add_done_callback(lambda done: self._forget(name, done, work))
        return task

    def every(self, name: str, work: Work, cadence: Cadence) -> asyncio.Task[None]:
        """Runs `work` by its cadence until cancelled or stopped; one run at a time by construction."""
        return self.start(name, self._beat(name, work, cadence))

    def cancel(self, name: str) -> None:
        """Cancels the task of that name; quietly where none runs."""
        task = self._tasks.get(name)
        if task is not None:
            task.cancel()

    async def stop(self, within_s: float = STOP_WITHIN_S) -> None:
        """Cancels everything and waits for it, replaced tasks too; what has not ended in time is named in the log."""
        self._stopping = True
        tasks = list(self._alive)
        for task in tasks:
            if not task.cancelling():  # a second cancel would cut its clean-up off
                task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=within_s)
            for task in late:
                log.warning("task %s did not stop within %.1f s", task.get_name(), within_s)

    async def _guard(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except HeedfulError as exc:
            log.warning("%s ended: %s", name, type(exc).__name__)
        except Exception:
            log.exception("%s ended by a bug", name)

    async def _beat(self, name: str, work: Work, cadence: Cadence) -> None:
        backoff = _Backoff()
        await self._wait(cadence.first_after_s)
        while True:
            extra_s = await self._run_once(name, work, cadence, backoff)
            spread = cadence.interval_s() * cadence.jitter
            wait_s = extra_s if extra_s is not None else cadence.interval_s()
            await self._wait(wait_s + self.uniform(-spread, spread))

    async def _run_once(self, name: str, work: Work, cadence: Cadence, backoff: _Backoff) -> float | None:
        try:
            await work()
        except HeedfulError as exc:
            log.warning("%s failed: %s", name, type(exc).__name__)
            return backoff.wait_s(exc, cadence.interval_s())
        except Exception as exc:
            log.exception("%s failed by a bug", name)
            return backoff.wait_s(exc, cadence.interval_s())
        backoff.failures = 0
        return None

    async def _wait(self, seconds: float) -> None:
        """Waits in steps, and no longer than a minute once the wall clock shows that the machine slept."""
        left = seconds
        while left > 0:
            step = min(left, STEP_S)
            before, elapsed_from = self.clock.now(), self.clock.monotonic()
            await self.clock.sleep(step)
            slept = (self.clock.now() - before) - timedelta(seconds=self.clock.monotonic() - elapsed_from)
            left -= step
            if slept.total_seconds() > WAKE_GAP_S:
                log.info("woke after a gap of %d s", slept.total_seconds())
                left = min(left, WAKE_GAP_S)

    def _forget(self, name: str, done: asyncio.Task[None], work: Coroutine[Any, Any, None]) -> None:
        work.close()  # a task that was cancelled before its first step never began it
        if self._tasks.get(name) is done:
            del self._tasks[name]
        with contextlib.suppress(asyncio.CancelledError):
            done.exception()
