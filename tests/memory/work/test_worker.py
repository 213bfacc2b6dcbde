"""The worker: its errors decide what becomes of a job, a lease is held by one, and a busy machine comes first."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from threading import get_ident

import pytest

from heedful.core.errors import BudgetSpentError, DamageError, PassingError, RejectedError, UserCanFixError
from heedful.memory.queue import asking, queue_store
from heedful.memory.queue.queue_store import LEASE
from heedful.memory.work.full_screen import active_window, fills_the_screen, is_full_screen
from heedful.memory.work.host_load import (
    AT_FULL_PACE,
    GLANCE_S,
    HostGauge,
    HostLoad,
    Pace,
    ThisMachine,
    Verdict,
    verdict_on,
)
from heedful.memory.work.kind import JobContext, JobKind, PausedError
from heedful.memory.work.worker import MOST_ATTEMPTS, Settled, Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import rows
from tests.memory.workshop import Work, ask, failures, note, noting, tools_of, worker_of

NAMES = "SELECT name FROM participants ORDER BY name"
STATE = "SELECT state, attempts, deferrals FROM jobs"


def raising(error: Exception) -> Work:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        raise error

    return run


async def due_in(store: Store, clock: FakeClock) -> timedelta:
    """How long the one job waits from now."""
    ((at,),) = await rows(store, "SELECT available_at FROM jobs")
    return timedelta(milliseconds=int(at or 0)) - timedelta(seconds=clock.now().timestamp())


async def test_an_empty_queue_settles_at_once(store: Store, clock: FakeClock) -> None:
    assert await worker_of(store, clock, x=noting([])).settle() == Settled(0, 0, 0, 0.0)


async def test_kinds_go_in_their_order_and_each_oldest_first(store: Store, clock: FakeClock) -> None:
    log: list[str] = []
    for kind, key in (("late", "1"), ("early", "2"), ("late", "3"), ("early", "4")):
        await ask(store, clock, kind, key, name=f"{kind} {key}")
        clock.advance(timedelta(seconds=1))
    told: list[tuple[str, int]] = []
    await worker_of(store, clock, early=noting(log), late=noting(log)).settle(
        lambda kind, done: told.append((kind, done))
    )
    assert log == ["early 2", "early 4", "late 1", "late 3"]
    assert told == [("early", 1), ("early", 2), ("late", 3), ("late", 4)]


async def test_a_job_of_an_unknown_kind_waits_for_a_program_that_knows_it(
    store: Store, clock: FakeClock
) -> None:
    await ask(store, clock, "from the future")
    assert (await worker_of(store, clock, x=noting([])).settle()).done == 0
    assert await rows(store, STATE) == [("ready", 0, 0)]


@pytest.mark.parametrize(
    "missing", [PassingError("No server"), UserCanFixError("No key"), BudgetSpentError("Spent")]
)
async def test_a_night_without_the_model_server_fails_nothing(
    store: Store, clock: FakeClock, missing: Exception
) -> None:
    worker = worker_of(store, clock, x=raising(missing))
    await ask(store, clock, "x")
    for _ in range(12 * 60):
        await worker.turn()
        clock.advance(timedelta(minutes=1))
    ((state, attempts, deferrals),) = await rows(store, STATE)
    assert (state, attempts) == ("ready", 0)
    assert 10 < int(deferrals or 0) < 20
    log: list[str] = []
    clock.advance(timedelta(hours=1))
    await worker_of(store, clock, x=noting(log)).turn()
    assert log == ["None"]
    assert await rows(store, f"{STATE} WHERE error IS NULL AND error_type IS NULL") == [("done", 0, 0)]


async def test_waiting_doubles_from_a_minute_to_an_hour(store: Store, clock: FakeClock) -> None:
    worker = worker_of(store, clock, x=raising(PassingError("No server")))
    await ask(store, clock, "x")
    waits = []
    for _ in range(8):
        await worker.turn()
        waits.append(round((await due_in(store, clock)).total_seconds() / 60))
        clock.advance(timedelta(hours=1))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


async def test_what_put_a_job_off_is_still_told_when_it_was_paused_since(
    store: Store, clock: FakeClock
) -> None:
    errors = [PassingError("No server"), PausedError("A look comes first", retry_after_s=30.0)]

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        raise errors.pop(0)

    worker = worker_of(store, clock, x=run)
    await ask(store, clock, "x")
    for _ in range(2):
        await worker.turn()
        clock.advance(timedelta(minutes=2))
    assert errors == []
    assert await rows(store, "SELECT state, error FROM jobs") == [("ready", "No server.")]


async def test_a_longer_wait_that_the_server_asked_for_is_kept(store: Store, clock: FakeClock) -> None:
    await ask(store, clock, "x")
    await worker_of(store, clock, x=raising(PassingError("Busy", retry_after_s=900.0))).turn()
    assert round((await due_in(store, clock)).total_seconds()) == 900


async def test_a_bug_counts_and_ends_the_job_at_the_fifth_time(
    store: Store, clock: FakeClock, expected_logs: list[str]
) -> None:
    worker = worker_of(store, clock, x=raising(ZeroDivisionError("the person's words")), y=noting([]))
    await ask(store, clock, "x")
    await ask(store, clock, "y")
    outcomes = []
    for _ in range(MOST_ATTEMPTS):
        outcomes.append((await worker.settle()).failed)
        clock.advance(timedelta(hours=2))
    assert outcomes == [0, 0, 0, 0, 1]
    assert await rows(store, "SELECT kind, state FROM jobs ORDER BY kind") == [("x", "failed"), ("y", "done")]
    ((error, sentence),) = await failures(store)
    assert error == "ZeroDivisionError"
    assert "person" not in sentence
    assert len(expected_logs) == MOST_ATTEMPTS


async def test_a_bug_is_met_again_after_a_minute_then_after_two(
    store: Store, clock: FakeClock, expected_logs: list[str]
) -> None:
    worker = worker_of(store, clock, x=raising(ZeroDivisionError("a bug")))
    await ask(store, clock, "x")
    waits = []
    for _ in range(3):
        await worker.turn()
        waits.append((await due_in(store, clock)).total_seconds())
        clock.advance(timedelta(hours=1))
    assert waits == [60.0, 120.0, 240.0]
    assert len(expected_logs) == 3


async def test_a_store_that_takes_no_writes_stops_the_worker_and_costs_the_job_nothing(
    store: Store, clock: FakeClock
) -> None:
    await ask(store, clock, "x")
    with pytest.raises(DamageError):
        await worker_of(store, clock, x=raising(DamageError("The disk is full"))).turn()
    assert await rows(store, STATE) == [("ready", 0, 0)]


async def test_an_effect_and_its_end_are_one_transaction(store: Store, clock: FakeClock) -> None:
    seen: list[object] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        def work(connection: Connection) -> tuple[str, tuple[()]]:
            note(connection, "effect")
            return "made", ()

        seen.append(await context.finish(work))
        seen.append(await rows(store, STATE))

    await ask(store, clock, "x")
    await worker_of(store, clock, x=run).settle()
    assert seen == ["made", [("done", 0, 0)]]
    assert await rows(store, NAMES) == [("effect",)]


async def test_whoever_lost_the_lease_changes_nothing(store: Store, clock: FakeClock) -> None:
    runs: list[bool] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        runs.append(True)
        if len(runs) == 1:
            clock.advance(LEASE + timedelta(seconds=1))
            now = clock.now()
            await store.write(lambda connection: (queue_store.reclaim_expired(connection, now=now), ()))
        for write in (context.keep, context.finish):
            await write(lambda connection: note(connection, f"run {len(runs)}"))

    await ask(store, clock, "x")
    assert (await worker_of(store, clock, x=run).settle()).done == 1
    assert len(runs) == 2
    assert await rows(store, NAMES) == [("run 2",), ("run 2",)]


async def test_what_put_a_job_off_is_kept_with_its_type_and_its_words(store: Store, clock: FakeClock) -> None:
    await ask(store, clock, "x")
    await worker_of(store, clock, x=raising(PassingError("The server sleeps"))).turn()
    assert await rows(store, "SELECT state, error_type, error FROM jobs") == [
        ("ready", "PassingError", "The server sleeps.")
    ]


async def test_a_job_that_another_took_over_is_that_ones_to_end(store: Store, clock: FakeClock) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        clock.advance(LEASE + timedelta(seconds=1))
        now = clock.now()

        def taken_over(connection: Connection) -> tuple[None, tuple[()]]:
            queue_store.reclaim_expired(connection, now=now)
            queue_store.claim(connection, ["x"], token="other", holder="another", now=now)
            return None, ()

        await store.write(taken_over)
        await context.finish(lambda connection: note(connection, "too late"))

    await ask(store, clock, "x")
    assert (await worker_of(store, clock, x=run).settle()).done == 0
    assert await rows(store, NAMES) == []
    assert await rows(store, "SELECT state, lease_token FROM jobs") == [("running", "other")]


async def test_keeping_a_step_prolongs_the_lease(store: Store, clock: FakeClock) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        for step in range(5):
            clock.advance(LEASE - timedelta(seconds=1))
            await context.keep(partial(note, name=f"step {step}"))
            ((until,),) = await rows(store, "SELECT leased_until FROM jobs")
            assert until == round((clock.now() + LEASE).timestamp() * 1000)

    await ask(store, clock, "x")
    assert (await worker_of(store, clock, x=run).settle()).done == 1
    assert len(await rows(store, NAMES)) == 5


async def test_leases_of_a_dead_process_are_taken_back_at_the_first_turn(
    store: Store, clock: FakeClock
) -> None:
    await ask(store, clock, "x")
    await store.write(
        lambda connection: (
            queue_store.claim(connection, ["x"], token="t", holder="dead", now=clock.now()),
            (),
        )
    )
    log: list[str] = []
    await worker_of(store, clock, x=noting(log)).turn()
    assert log == ["None"]


async def test_a_lease_that_ran_out_is_taken_back_by_the_sweep_of_the_next_minute(
    store: Store, clock: FakeClock
) -> None:
    log: list[str] = []
    worker = worker_of(store, clock, x=noting(log))
    await worker.turn()
    await ask(store, clock, "x")
    await store.write(
        lambda connection: (
            queue_store.claim(connection, ["x"], token="t", holder="stuck", now=clock.now()),
            (),
        )
    )
    clock.advance(timedelta(minutes=4, seconds=50))
    await worker.turn()
    assert log == []
    clock.advance(timedelta(seconds=70))
    await worker.turn()
    assert log == ["None"]


async def test_a_job_that_ends_the_process_each_time_does_not_do_so_for_ever(
    store: Store, clock: FakeClock
) -> None:
    await ask(store, clock, "x")
    for number in range(4):
        now, holder = clock.now(), f"process {number}"
        assert await store.write(
            lambda connection, now=now, holder=holder: (  # type: ignore[misc] # the loop's own values
                queue_store.claim(connection, ["x"], token=holder, holder=holder, now=now),
                (),
            )
        )
        await store.write(
            lambda connection, now=now: (queue_store.reclaim_of_others(connection, "me", now=now), ())  # type: ignore[misc] # the same
        )
    assert await due_in(store, clock) > timedelta(minutes=59)


async def test_stopping_in_the_middle_gives_the_job_back(store: Store, clock: FakeClock) -> None:
    began = asyncio.Event()

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        began.set()
        await asyncio.Event().wait()

    await ask(store, clock, "x")
    turn = asyncio.ensure_future(worker_of(store, clock, x=run).turn())
    await began.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    log: list[str] = []
    await worker_of(store, clock, x=noting(log)).turn()
    assert log == ["None"]


async def test_a_turn_without_work_writes_nothing(store: Store, clock: FakeClock) -> None:
    worker = worker_of(store, clock, x=noting([]))
    await worker.turn()
    before = await rows(store, "PRAGMA data_version")
    for _ in range(5):
        await worker.turn()
    assert await rows(store, "PRAGMA data_version") == before


async def test_kinds_are_looked_for_off_the_loops_thread_for_that_imports_their_files(
    store: Store, clock: FakeClock
) -> None:
    asked: list[int] = []

    def kinds() -> Mapping[str, JobKind]:
        asked.append(get_ident())
        return {}

    await Worker(tools_of(store, clock), kinds).turn()
    assert asked
    assert get_ident() not in asked


async def test_old_jobs_that_are_done_are_forgotten_and_those_that_failed_are_not(
    store: Store, clock: FakeClock
) -> None:
    worker = worker_of(store, clock, x=noting([]), y=raising(RejectedError("This can't be read")))
    await ask(store, clock, "x")
    await ask(store, clock, "y")
    await worker.turn()
    clock.advance(timedelta(days=8))
    await worker.turn()
    assert await rows(store, "SELECT kind, state FROM jobs") == [("y", "failed")]


@pytest.mark.parametrize(
    ("load", "pace", "reason"),
    [
        (HostLoad(), Pace.FULL, ""),
        (HostLoad(battery=0.9), Pace.FULL, ""),
        (HostLoad(battery=0.5), Pace.SLOW, "On battery, at 50 %."),
        (HostLoad(others_cpu=0.8), Pace.SLOW, "Other programs keep the processor busy."),
        (HostLoad(others_cpu=0.97), Pace.PAUSED, "Other programs need the whole processor."),
        (HostLoad(is_full_screen=True), Pace.PAUSED, "A program is in full screen."),
        (HostLoad(is_reading=True, battery=0.1), Pace.PAUSED, "A source is being read; the rest follows."),
    ],
)
def test_the_machine_belongs_to_the_person_first(load: HostLoad, pace: Pace, reason: str) -> None:
    assert verdict_on(load) == Verdict(pace, reason)


async def test_a_paused_worker_says_why_and_does_nothing_until_it_may(store: Store, clock: FakeClock) -> None:
    log: list[str] = []
    verdicts = [Verdict(Pace.PAUSED, "A program is in full screen.")]
    kinds = {"x": JobKind("x", noting(log))}
    worker = Worker(
        tools_of(store, clock), lambda: kinds, gauge=lambda: verdicts.pop() if verdicts else AT_FULL_PACE
    )
    await ask(store, clock, "x")
    await worker.turn()
    assert (log, worker.verdict.reason) == ([], "A program is in full screen.")
    await worker.turn()
    assert (log, worker.verdict.reason) == (["None"], "")


async def test_at_the_slow_pace_the_worker_rests_longer_than_it_works(store: Store, clock: FakeClock) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        clock.advance(timedelta(seconds=2))

    kinds = {"x": JobKind("x", run)}
    worker = Worker(tools_of(store, clock), lambda: kinds, gauge=lambda: Verdict(Pace.SLOW, "On battery."))
    await ask(store, clock, "x", "a")
    await worker.turn()
    assert clock.slept == [8.0]


async def test_a_long_job_stops_between_two_steps_when_the_machine_is_needed(
    store: Store, clock: FakeClock
) -> None:
    busy = False

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        nonlocal busy
        for step in range(len(await rows(store, NAMES)), 3):
            busy = step == 1
            await context.keep(partial(note, name=f"step {step}"))

    def gauge() -> Verdict:
        return Verdict(Pace.PAUSED, "A program is in full screen.") if busy else Verdict(Pace.FULL)

    kinds = {"x": JobKind("x", run)}
    worker = Worker(tools_of(store, clock), lambda: kinds, gauge=gauge)
    await ask(store, clock, "x")
    await worker.turn()
    assert (await rows(store, NAMES), await rows(store, STATE)) == (
        [("step 0",), ("step 1",)],
        [("ready", 0, 0)],
    )
    assert worker.verdict.reason == "A program is in full screen."
    busy = False
    await worker.turn()
    assert (len(await rows(store, NAMES)), await rows(store, STATE)) == (3, [("done", 0, 0)])


@dataclass
class FakeMachine:
    """Uses what it is told; `watched` are the times for which it was asked to look at the processor at once."""

    whole: float = 0.0
    own: float = 0.0
    full_screen: bool = False
    watched: list[float | None] = field(default_factory=list)

    def cpu(self, watched_s: float | None) -> tuple[float, float]:
        self.watched.append(watched_s)
        return self.whole, self.own

    def battery(self) -> float | None:
        return None

    def is_full_screen(self) -> bool:
        return self.full_screen


def test_the_gauge_asks_for_reading_each_time_and_for_the_machine_seldom(clock: FakeClock) -> None:
    reading, machine = True, FakeMachine()
    gauge = HostGauge(clock, is_reading=lambda: reading, machine=machine)
    assert gauge().reason == "A source is being read; the rest follows."
    reading = False
    machine.full_screen = True
    assert gauge().reason == ""
    assert len(machine.watched) == 1
    clock.advance(timedelta(seconds=31))
    assert gauge().reason == "A program is in full screen."


def test_what_heedful_uses_itself_is_not_others_use(clock: FakeClock) -> None:
    machine = FakeMachine(whole=1.0, own=0.4)
    gauge = HostGauge(clock, machine=machine)
    assert gauge() == AT_FULL_PACE
    machine.own = 0.2
    clock.advance(timedelta(seconds=31))
    assert gauge().reason == "Other programs keep the processor busy."


def test_after_a_long_rest_the_processor_is_watched_for_a_moment_and_not_since_then(clock: FakeClock) -> None:
    machine = FakeMachine()
    gauge = HostGauge(clock, machine=machine)
    for minutes in (0, 0.5, 60):
        clock.advance(timedelta(minutes=minutes))
        gauge()
    assert machine.watched == [GLANCE_S, None, GLANCE_S]


def test_a_model_on_this_computer_that_works_for_us_is_no_other_program(clock: FakeClock) -> None:
    machine, model_s = FakeMachine(), 0.0
    gauge = HostGauge(clock, model_s=lambda: model_s, machine=machine)
    gauge()
    machine.whole, model_s = 1.0, 15.0
    clock.advance(timedelta(seconds=30))
    assert gauge().reason == "Other programs need the whole processor."
    machine.whole, model_s = 0.6, 30.0
    clock.advance(timedelta(seconds=30))
    assert gauge() == AT_FULL_PACE


def test_while_a_model_here_works_all_the_time_what_was_known_of_the_others_holds(clock: FakeClock) -> None:
    machine, model_s = FakeMachine(whole=0.8), 0.0
    gauge = HostGauge(clock, model_s=lambda: model_s, machine=machine)
    assert gauge().pace is Pace.SLOW
    machine.whole, model_s = 1.0, 30.0
    clock.advance(timedelta(seconds=30))
    assert gauge().pace is Pace.SLOW


def test_this_machine_can_be_asked() -> None:
    whole, own = ThisMachine().cpu(0.01)
    assert 0.0 <= own <= 1.5
    assert 0.0 <= whole <= 1.0


async def test_a_slow_model_holds_up_nothing_else(store: Store, clock: FakeClock) -> None:
    began, log = asyncio.Event(), list[str]()

    async def hang(context: JobContext, payload: Mapping[str, object]) -> None:
        began.set()
        await asyncio.Event().wait()

    kinds = {"model": JobKind("model", hang, asks_model=True), "x": JobKind("x", noting(log))}
    worker = Worker(tools_of(store, clock), lambda: kinds)
    await ask(store, clock, "model")
    beside = asyncio.ensure_future(worker.turn_with_model())
    await began.wait()
    for name in ("one", "two"):
        await ask(store, clock, "x", name, name=name)
        await worker.turn()
    beside.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beside
    assert log == ["one", "two"]
    assert await rows(store, "SELECT kind, state, attempts FROM jobs WHERE state <> 'done'") == [
        ("model", "ready", 0)
    ]


async def test_a_long_step_in_one_lane_keeps_its_lease_while_the_other_sweeps(
    store: Store, clock: FakeClock
) -> None:
    began, done, runs = asyncio.Event(), asyncio.Event(), list[bool]()

    async def long(context: JobContext, payload: Mapping[str, object]) -> None:
        runs.append(True)
        began.set()
        await done.wait()
        await context.finish(partial(note, name="kept"))

    kinds = {"x": JobKind("x", long), "model": JobKind("model", noting([]), asks_model=True)}
    worker = Worker(tools_of(store, clock), lambda: kinds)
    await ask(store, clock, "x")
    turn = asyncio.ensure_future(worker.turn())
    await began.wait()
    clock.advance(2 * LEASE)
    await worker.turn_with_model()
    done.set()
    await turn
    assert len(runs) == 1
    assert await rows(store, NAMES) == [("kept",)]
    assert await rows(store, STATE) == [("done", 0, 0)]


async def test_who_forgets_takes_what_the_other_lane_has_read_out_of_its_hands(
    store: Store, clock: FakeClock
) -> None:
    began, done, runs = asyncio.Event(), asyncio.Event(), list[bool]()

    async def ask_model(context: JobContext, payload: Mapping[str, object]) -> None:
        runs.append(True)
        began.set()
        await done.wait()
        await context.keep(partial(note, name=f"run {len(runs)}"))

    async def forget(context: JobContext, payload: Mapping[str, object]) -> None:
        now, mine = clock.now(), context.lease.holder
        await context.keep(lambda connection: (queue_store.reclaim_of_others(connection, mine, now=now), ()))

    kinds = {"forget": JobKind("forget", forget), "model": JobKind("model", ask_model, asks_model=True)}
    worker = Worker(tools_of(store, clock), lambda: kinds)
    await ask(store, clock, "model")
    beside = asyncio.ensure_future(worker.turn_with_model())
    await began.wait()
    await ask(store, clock, "forget")
    await worker.turn()
    done.set()
    await beside
    assert await rows(store, NAMES) == [("run 2",)]


async def test_each_lane_keeps_to_its_own_kinds(store: Store, clock: FakeClock) -> None:
    log: list[str] = []
    kinds = {"model": JobKind("model", noting(log), asks_model=True), "x": JobKind("x", noting(log))}
    worker = Worker(tools_of(store, clock), lambda: kinds)
    for kind in kinds:
        await ask(store, clock, kind, name=kind)
    await worker.turn()
    assert log == ["x"]
    await worker.turn_with_model()
    assert log == ["x", "model"]


async def test_what_asks_a_model_takes_turns_and_no_kind_waits_for_all_of_another(
    store: Store, clock: FakeClock
) -> None:
    log: list[str] = []

    def four_times(name: str) -> Work:
        def again(connection: Connection) -> tuple[None, tuple[()]]:
            asking.enqueue(connection, name, "all", now=clock.now())
            return None, ()

        async def run(context: JobContext, payload: Mapping[str, object]) -> None:
            log.append(name)
            if log.count(name) < 4:
                await context.finish(again)

        return run

    kinds = {name: JobKind(name, four_times(name), asks_model=True) for name in ("first", "second")}
    for name in kinds:
        await ask(store, clock, name)
    await Worker(tools_of(store, clock), lambda: kinds).turn_with_model()
    assert log == ["first", "second"] * 4


async def test_after_a_model_was_asked_the_machine_has_time_for_others(
    store: Store, clock: FakeClock
) -> None:
    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        for step in range(2):
            clock.advance(timedelta(seconds=60))
            await context.keep(partial(note, name=f"step {step}"))

    kinds = {"model": JobKind("model", run, asks_model=True)}
    worker = Worker(tools_of(store, clock), lambda: kinds)
    await ask(store, clock, "model")
    await worker.turn_with_model()
    assert clock.slept == [30.0, 30.0, 0.0]


async def test_a_job_that_gave_way_comes_back_when_it_asked_to_and_at_no_cost(
    store: Store, clock: FakeClock
) -> None:
    error = PausedError("The model is asked for you just now", retry_after_s=30.0)
    await ask(store, clock, "x")
    await worker_of(store, clock, x=raising(error)).turn()
    assert await rows(store, STATE) == [("ready", 0, 0)]
    assert await due_in(store, clock) == timedelta(seconds=30)


async def test_a_queue_with_nothing_due_does_not_ask_the_machine(store: Store, clock: FakeClock) -> None:
    asked: list[bool] = []

    def gauge() -> Verdict:
        asked.append(True)
        return AT_FULL_PACE

    kinds = {"x": JobKind("x", noting([]))}
    worker = Worker(tools_of(store, clock), lambda: kinds, gauge=gauge)
    await worker.turn()
    assert asked == []
    await ask(store, clock, "x")
    await worker.turn()
    assert asked


@pytest.mark.parametrize(
    ("told", "window"),
    [
        ("_NET_ACTIVE_WINDOW(WINDOW): window id # 0x3a00007", "0x3a00007"),
        ("_NET_ACTIVE_WINDOW(WINDOW): window id # 0x3a00007, 0x0", "0x3a00007"),
        ("_NET_ACTIVE_WINDOW(WINDOW): window id # 0x0", None),
        ("_NET_ACTIVE_WINDOW:  no such atom on any window.", None),
        ("", None),
    ],
)
def test_the_active_window_of_an_x_server_is_read(told: str, window: str | None) -> None:
    assert active_window(told) == window


def test_a_window_in_full_screen_is_known_by_its_state() -> None:
    assert fills_the_screen("_NET_WM_STATE(ATOM) = _NET_WM_STATE_FULLSCREEN, _NET_WM_STATE_FOCUSED")
    assert not fills_the_screen("_NET_WM_STATE(ATOM) = _NET_WM_STATE_MAXIMIZED_VERT")


def test_a_machine_without_a_screen_is_not_in_full_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert is_full_screen() is False
