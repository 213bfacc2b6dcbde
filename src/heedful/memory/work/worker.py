"""Works the queue off: claims one job after the other, runs it, and decides by its error what becomes of it.

What asks a model waits for that more than it works. It has a lane of its own, so that a slow model holds up nothing.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from heedful.core.clock import Clock
from heedful.core.errors import (
    BudgetSpentError,
    DamageError,
    HeedfulError,
    PassingError,
    RejectedError,
    UserCanFixError,
)
from heedful.memory.queue import queue_store
from heedful.memory.queue.queue_store import JobRow, Lease
from heedful.memory.work.host_load import AT_FULL_PACE, Pace, Verdict
from heedful.memory.work.kind import JobContext, JobKind, LeaseLostError, PausedError, Tools
from heedful.storage import Connection

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_ATTEMPTS = 5
FIRST_WAIT = timedelta(seconds=60)
LONGEST_WAIT = timedelta(hours=1)
SWEEP_EVERY_S = 60.0
KEEP_DONE = timedelta(days=7)
REST_WHEN_SLOW = 4.0
"""At the slow pace, how long to rest after a step, in times of what it took."""
REST_OF_MODEL = 0.5
"""The same at full pace after a model was asked: one on this computer leaves nothing of it while it answers."""
LONGEST_REST_S = 30.0
LONGEST_REST_OF_MODEL_S = 120.0
"""Together with a call less than a lease, within which the next step must be kept."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What working the queue off came to: jobs done, failed for good, and put off; and its wall time."""

    done: int
    failed: int
    deferred: int
    seconds: float


@dataclass(slots=True)
class _Tally:
    done: int = 0
    failed: int = 0
    deferred: int = 0


Progress = Callable[[str, int], None]
"""Told the kind and the number of jobs done so far, after each job."""


class Worker:
    """One worker with two lanes, on the event loop; heavy work goes to threads by the jobs themselves.

    `verdict` is the pace as last gauged, and the reason for it.
    """

    def __init__(
        self,
        tools: Tools,
        kinds: Callable[[], Mapping[str, JobKind]],
        *,
        gauge: Callable[[], Verdict] = lambda: AT_FULL_PACE,
    ) -> None:
        """Works on these `kinds`, in their order, at the pace that `gauge` allows; jobs of other kinds wait."""
        self._tools = tools
        self._kinds_found = kinds
        self._look = gauge
        self.verdict = AT_FULL_PACE
        self._holder = tools.new_id()
        self._holder_with_model = f"{self._holder} with a model"
        self._at_work: set[str] = set()
        self._is_first = True
        self._swept_at: float | None = None

    async def settle(self, progress: Progress | None = None) -> Settled:
        """Works everything off that waits, put-off jobs included, and returns when nothing more is due.

        Raises:
            DamageError: The store takes no writes.
        """
        clock = self._tools.clock
        began = clock.monotonic()
        await self._write(lambda connection: queue_store.wake(connection, now=clock.now()))
        tally = _Tally()
        while (kind := await self._one(tally, _at_full_pace, tuple(self._kinds), self._holder)) is not None:
            if progress is not None:
                progress(kind, tally.done)
        return Settled(tally.done, tally.failed, tally.deferred, clock.monotonic() - began)

    async def turn(self) -> None:
        """Works off what is due now and asks no model, as long as the machine has time; idle, it reads one row.

        Raises:
            DamageError: The store takes no writes.
        """
        await self._turn(asks_model=False)

    async def turn_with_model(self) -> None:
        """The same with what asks a model, each kind in its turn; may run beside `turn`."""
        await self._turn(asks_model=True)

    async def _turn(self, *, asks_model: bool) -> None:
        found = await asyncio.to_thread(self._kinds_found)  # the first time it imports a dozen files
        kinds = tuple(name for name, kind in found.items() if kind.asks_model == asks_model)
        holder = self._holder_with_model if asks_model else self._holder
        tally = _Tally()
        while await self._is_any_due(kinds):
            await self._gauge()
            rest = _Rest(self._tools.clock, self._gauge, asks_model=asks_model)
            if self.verdict.pace is Pace.PAUSED:
                return
            done = await self._one(tally, rest, kinds, holder)
            if done is None:
                return
            if asks_model:  # where one call may take minutes, none of them waits for all of another kind
                kinds = (*(kind for kind in kinds if kind != done), done)
            with contextlib.suppress(PausedError):
                await rest()

    async def _gauge(self) -> Verdict:
        self.verdict = await asyncio.to_thread(self._look)
        return self.verdict

    @property
    def _kinds(self) -> Mapping[str, JobKind]:
        return self._kinds_found()

    async def _is_any_due(self, kinds: Sequence[str]) -> bool:
        await self._sweep()
        now = self._tools.clock.now()
        return await self._tools.store.read(
            lambda connection: queue_store.is_any_due(connection, kinds, now=now)
        )

    async def _one(
        self, tally: _Tally, rest: Callable[[], Awaitable[None]], kinds: Sequence[str], holder: str
    ) -> str | None:
        """Runs the next job of these kinds; its own, or None when nothing is due."""
        if not await self._is_any_due(kinds):
            return None
        now = self._tools.clock.now()
        claimed = await self._write(
            lambda connection: queue_store.claim(
                connection, kinds, token=self._tools.new_id(), holder=holder, now=now
            )
        )
        if claimed is None:
            return None
        job, lease = claimed
        self._at_work.add(lease.token)
        try:
            outcome = await self._run(job, JobContext(self._tools, lease, rest))
        finally:
            self._at_work.discard(lease.token)
        await self._end(job, lease, outcome, tally)
        return job.kind

    async def _run(self, job: JobRow, context: JobContext) -> BaseException | None:
        """What the job raised, or None; a job's bug is that job's failure, not the queue's."""
        work = self._kinds[job.kind].run(context, job.payload)
        try:
            (outcome,) = await asyncio.gather(work, return_exceptions=True)
        except asyncio.CancelledError:
            await self._put_back(context.lease, timedelta(), "", None)
            raise
        if isinstance(outcome, BaseException):
            return outcome
        if not context.is_finished:
            now = self._tools.clock.now()
            await self._write(lambda connection: queue_store.finish(connection, context.lease, now=now))
        return None

    async def _end(self, job: JobRow, lease: Lease, outcome: BaseException | None, tally: _Tally) -> None:
        match outcome:
            case None:
                tally.done += 1
            case LeaseLostError():
                log.info("job %d was begun anew elsewhere", job.id)
            case PausedError():
                await self._put_back(lease, timedelta(seconds=outcome.retry_after_s or 0), "", None)
            case DamageError() | asyncio.CancelledError():
                await self._put_back(lease, timedelta(), "", None)
                raise outcome
            case UserCanFixError() | PassingError() | BudgetSpentError():
                tally.deferred += 1
                log.info("job %d (%s) is put off: %s", job.id, job.kind, type(outcome).__name__)
                asked = outcome.retry_after_s if isinstance(outcome, PassingError) else None
                wait = max(_wait(job.deferrals), timedelta(seconds=asked or 0))
                await self._put_back(lease, wait, "deferrals", outcome)
            case RejectedError():
                tally.failed += 1
                await self._fail(lease, outcome)
            case _ if job.attempts + 1 >= MOST_ATTEMPTS:
                tally.failed += 1
                log.error("job %d (%s) failed by a bug, for good", job.id, job.kind, exc_info=outcome)
                await self._fail(lease, outcome)
            case _:
                log.error("job %d (%s) failed by a bug", job.id, job.kind, exc_info=outcome)
                await self._put_back(lease, _wait(job.attempts), "attempts", outcome)

    async def _put_back(
        self, lease: Lease, wait: timedelta, counts_as: str, error: BaseException | None
    ) -> None:
        at = self._tools.clock.now() + wait
        kind, sentence = (type(error).__name__, _sentence(error)) if error is not None else (None, None)
        await self._write(
            lambda connection: queue_store.put_back(
                connection, lease, available_at=at, counts_as=counts_as, error_type=kind, error=sentence
            )
        )

    async def _fail(self, lease: Lease, error: BaseException) -> None:
        now = self._tools.clock.now()
        kind, sentence = type(error).__name__, _sentence(error)
        await self._write(
            lambda connection: queue_store.fail(connection, lease, now=now, error_type=kind, error=sentence)
        )

    async def _sweep(self) -> None:
        """Takes back leases: of dead processes at once at the first turn, each minute those that nobody works on."""
        elapsed, now = self._tools.clock.monotonic(), self._tools.clock.now()
        if self._is_first:
            await self._write(
                lambda connection: queue_store.reclaim_of_others(
                    connection, self._holder, self._holder_with_model, now=now
                )
            )
            self._is_first = False
        if self._swept_at is not None and elapsed - self._swept_at < SWEEP_EVERY_S:
            return
        self._swept_at = elapsed
        at_work = tuple(self._at_work)
        await self._write(lambda connection: _swept(connection, now, at_work))

    async def _write(self, change: Callable[[Connection], T]) -> T:
        return await self._tools.store.write(lambda connection: (change(connection), ()))


@dataclass(slots=True)
class _Rest:
    """Rests after a piece of work, as long as the machine asks for, measured from the rest before."""

    clock: Clock
    gauge: Callable[[], Awaitable[Verdict]]
    asks_model: bool = field(kw_only=True)
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.clock.monotonic()

    async def __call__(self) -> None:
        """Rests, or asks for the work to be put back.

        Raises:
            PausedError: The machine has no time now.
        """
        verdict = await self.gauge()
        if verdict.pace is Pace.PAUSED:
            raise PausedError(verdict.reason)
        worked_s = self.clock.monotonic() - self.since
        times = REST_WHEN_SLOW if verdict.pace is Pace.SLOW else REST_OF_MODEL if self.asks_model else 0.0
        most_s = LONGEST_REST_OF_MODEL_S if self.asks_model else LONGEST_REST_S
        await self.clock.sleep(min(worked_s * times, most_s))
        self.since = self.clock.monotonic()


async def _at_full_pace() -> None:
    """Rests after no step: the person waits for it."""


def _swept(connection: Connection, now: datetime, at_work: Sequence[str]) -> None:
    queue_store.reclaim_expired(connection, now=now, at_work=at_work)
    queue_store.prune_done(connection, before=now - KEEP_DONE)


def _wait(times: int) -> timedelta:
    """How long to wait after so many earlier failures: a minute, doubled each time, at most an hour."""
    return min(FIRST_WAIT * float(2 ** min(times, 10)), LONGEST_WAIT)


def _sentence(error: BaseException) -> str:
    """What may be kept of an error: its words where they were written for the person, else nothing but its kind."""
    return (
        error.sentence() if isinstance(error, HeedfulError) else "A bug in Heedful; its log names the place."
    )
