"""Loops keep their cadence, back off by remedy, wake once after a suspend, and stop when told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta

import pytest

from heedful.core.errors import (
    BudgetSpentError,
    DamageError,
    HeedfulError,
    PassingError,
    RejectedError,
    UserCanFixError,
)
from heedful.core.supervise import Cadence, Supervisor, one_of_many
from tests.fakes.clock import FakeClock


@pytest.fixture
async def supervisor(clock: FakeClock) -> AsyncIterator[Supervisor]:
    made = Supervisor(clock, uniform=lambda low, high: (low + high) / 2)
    yield made
    await made.stop()


class Work:
    """Notes when it runs; raises what it is given to raise, then rests for ever."""

    def __init__(self, clock: FakeClock, *, times: int, errors: list[Exception] | None = None) -> None:
        self._clock = clock
        self._times = times
        self._errors = errors or []
        self.runs: list[datetime] = []
        self.done = asyncio.Event()

    async def __call__(self) -> None:
        self.runs.append(self._clock.now())
        if len(self.runs) == self._times:
            self.done.set()
            await asyncio.Event().wait()
        if self._errors:
            raise self._errors.pop(0)

    @property
    def gaps_s(self) -> list[float]:
        pairs = zip(self.runs, self.runs[1:], strict=False)
        return [(later - earlier).total_seconds() for earlier, later in pairs]


async def rest() -> None:
    await asyncio.Event().wait()


def every(seconds: float, *, first: float = 0.0, jitter: float = 0.0) -> Cadence:
    return Cadence(lambda: seconds, first_after_s=first, jitter=jitter)


async def test_work_runs_first_after_its_delay_and_then_by_its_interval(
    supervisor: Supervisor, clock: FakeClock
) -> None:
    work, begin = Work(clock, times=4), clock.now()
    supervisor.every("work", work, every(300, first=60))
    await work.done.wait()
    assert [(run - begin).total_seconds() for run in work.runs] == [60, 360, 660, 960]


async def test_the_interval_is_asked_anew_before_each_wait(supervisor: Supervisor, clock: FakeClock) -> None:
    intervals = iter([300.0] * 2 + [600.0] * 20)
    work = Work(clock, times=3)
    supervisor.every("work", work, Cadence(lambda: next(intervals)))
    await work.done.wait()
    assert work.gaps_s == [300, 600]


@pytest.mark.parametrize(("draw", "gap"), [(min, 270.0), (max, 330.0)])
async def test_jitter_is_a_share_of_the_interval_either_way(
    clock: FakeClock, draw: Callable[[float, float], float], gap: float
) -> None:
    supervisor, work = Supervisor(clock, uniform=draw), Work(clock, times=3)
    supervisor.every("work", work, every(300, jitter=0.1))
    await work.done.wait()
    await supervisor.stop()
    assert work.gaps_s == [gap, gap]


@pytest.mark.parametrize(
    ("errors", "gaps"),
    [
        ([PassingError("busy")] * 7, [100, 200, 400, 800, 1600, 1600, 1600]),
        ([PassingError("busy", retry_after_s=1000.0), PassingError("busy", retry_after_s=5.0)], [1000, 100]),
        ([UserCanFixError("no key")] * 3, [100, 100, 100]),
        ([BudgetSpentError("spent")] * 3, [100, 100, 100]),
        ([DamageError("full")] * 3, [100, 100, 100]),
        ([RejectedError("odd"), PassingError("busy"), ZeroDivisionError()], [100, 200, 400]),
    ],
)
async def test_a_failing_loop_waits_by_the_remedy_and_tries_again(
    supervisor: Supervisor,
    clock: FakeClock,
    expected_logs: list[str],
    errors: list[Exception],
    gaps: list[float],
) -> None:
    work = Work(clock, times=len(errors) + 1, errors=list(errors))
    supervisor.every("work", work, every(100))
    await work.done.wait()
    assert work.gaps_s == gaps
    assert len(expected_logs) == len(errors)


async def test_a_success_clears_the_back_off(
    supervisor: Supervisor, clock: FakeClock, expected_logs: list[str]
) -> None:
    class Moody(Work):
        async def __call__(self) -> None:
            await super().__call__()
            if len(self.runs) in (1, 2, 4):
                raise PassingError("busy")

    work = Moody(clock, times=6)
    supervisor.every("work", work, every(100))
    await work.done.wait()
    assert work.gaps_s == [100, 200, 100, 100, 100]
    assert len(expected_logs) == 3


async def test_no_back_off_is_longer_than_an_hour(
    supervisor: Supervisor, clock: FakeClock, expected_logs: list[str]
) -> None:
    work = Work(clock, times=6, errors=[PassingError("busy") for _ in range(5)])
    supervisor.every("work", work, every(900))
    await work.done.wait()
    assert work.gaps_s == [900, 1800, 3600, 3600, 3600]
    assert expected_logs


class SleepyClock(FakeClock):
    """The machine is suspended for eight hours in the middle of the third nap."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds)
        if len(self.slept) == 3:
            self.suspend(timedelta(hours=8))


async def test_a_night_asleep_gives_one_run_soon_after_waking_and_not_one_for_each_missed_turn(
    clock: FakeClock,
) -> None:
    sleepy = SleepyClock(clock.now())
    supervisor, work = Supervisor(sleepy), Work(sleepy, times=3)
    supervisor.every("work", work, every(300))
    await work.done.wait()
    await supervisor.stop()
    eight_hours = timedelta(hours=8).total_seconds()
    assert eight_hours + 60 < work.gaps_s[0] <= eight_hours + 60 + 60
    assert work.gaps_s[1] == 300


async def test_a_bug_is_logged_and_takes_no_other_loop_down(
    supervisor: Supervisor, clock: FakeClock, expected_logs: list[str]
) -> None:
    bad, good = Work(clock, times=3, errors=[ZeroDivisionError(), KeyError()]), Work(clock, times=3)
    supervisor.every("bad", bad, every(100))
    supervisor.every("good", good, every(100))
    await bad.done.wait()
    await good.done.wait()
    assert expected_logs == ["ERROR heedful.core.supervise: bad failed by a bug"] * 2


async def test_a_task_of_the_same_name_replaces_the_older_one(supervisor: Supervisor) -> None:
    first = supervisor.start("task", rest())
    other = supervisor.start("other", rest())
    second = supervisor.start("task", rest())
    await asyncio.wait([first], timeout=2)
    assert first.cancelled()
    assert not other.done()
    assert not second.done()


async def test_cancelling_by_name_ends_the_task_and_nobody_minds_a_name_unknown(
    supervisor: Supervisor,
) -> None:
    task = supervisor.start("task", rest())
    supervisor.cancel("task")
    supervisor.cancel("unknown")
    await asyncio.wait([task], timeout=2)
    assert task.cancelled()


async def test_an_error_of_a_single_task_is_logged_by_its_kind_and_not_raised(
    supervisor: Supervisor, expected_logs: list[str]
) -> None:
    async def fail(error: Exception) -> None:
        raise error

    await supervisor.start("passing", fail(PassingError("with content that no log may hold")))
    await supervisor.start("bug", fail(ZeroDivisionError()))
    assert expected_logs == [
        "WARNING heedful.core.supervise: passing ended: PassingError",
        "ERROR heedful.core.supervise: bug ended by a bug",
    ]


async def test_stopping_ends_everything_also_what_was_replaced_and_is_still_winding_down(
    clock: FakeClock,
) -> None:
    supervisor, ended = Supervisor(clock), []

    async def slow_to_end(name: str, turns: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(turns):
                await asyncio.sleep(0)
            ended.append(name)

    supervisor.start("task", slow_to_end("replaced", 30))
    await asyncio.sleep(0)
    supervisor.start("task", slow_to_end("running", 3))
    await asyncio.sleep(0)
    await supervisor.stop()
    assert sorted(ended) == ["replaced", "running"]


async def test_what_does_not_stop_in_time_is_named_and_not_waited_for(
    clock: FakeClock, expected_logs: list[str]
) -> None:
    supervisor, let_go = Supervisor(clock), asyncio.Event()

    async def stubborn() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    task = supervisor.start("stubborn", stubborn())
    await asyncio.sleep(0)
    await supervisor.stop(within_s=0.01)
    assert expected_logs == ["WARNING heedful.core.supervise: task stubborn did not stop within 0.0 s"]
    let_go.set()
    await task


async def test_nothing_starts_after_stop(clock: FakeClock) -> None:
    supervisor = Supervisor(clock)
    await supervisor.stop()
    with pytest.raises(RuntimeError, match="after stop"):
        supervisor.start("late", rest())


async def test_every_remedy_is_waited_out_by_the_supervisor(
    supervisor: Supervisor, clock: FakeClock, expected_logs: list[str]
) -> None:
    kinds: list[type[HeedfulError]] = [
        UserCanFixError,
        PassingError,
        RejectedError,
        BudgetSpentError,
        DamageError,
    ]
    work = Work(clock, times=6, errors=[kind("said once") for kind in kinds])
    task = supervisor.every("work", work, every(10))
    await work.done.wait()
    assert not task.done()
    assert expected_logs == [
        f"WARNING heedful.core.supervise: work failed: {kind.__name__}" for kind in kinds
    ]


def test_one_of_many_gives_its_result_and_after_a_bug_what_stands_for_it(expected_logs: list[str]) -> None:
    assert one_of_many("a piece", lambda: 3, otherwise=0) == 3
    assert one_of_many("a piece", lambda: 3 // 0, otherwise=0) == 0
    assert expected_logs == ["ERROR heedful.core.supervise: a piece met a bug; the rest goes on"]


def test_one_of_many_leaves_an_error_with_a_remedy_to_whoever_runs_them_all() -> None:
    def full() -> int:
        raise DamageError("The disk is full")

    with pytest.raises(DamageError):
        one_of_many("a piece", full, otherwise=0)
