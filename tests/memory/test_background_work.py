"""The queue for whoever looks at it: what waits, for when and why, and how far the vectors are."""

from collections.abc import Mapping
from datetime import timedelta

from heedful.core.errors import PassingError, RejectedError
from heedful.memory.background_work import BackgroundWork, Share
from heedful.memory.jobs import embed
from heedful.memory.work.host_load import AT_FULL_PACE, Pace, Verdict
from heedful.memory.work.kind import JobContext
from heedful.memory.work.worker import Worker
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder, FakeMeaning
from tests.memory.incoming import A, letter, take
from tests.memory.workshop import ask, ask_later, noting, tools_with, worker_of

BATTERY = Verdict(Pace.SLOW, "On battery, at 60 %.")


def work_of(store: Store, clock: FakeClock, pace: Verdict = AT_FULL_PACE) -> BackgroundWork:
    return BackgroundWork(store, clock, FakeMeaning(None), lambda: pace)


async def out_of_reach(context: JobContext, payload: Mapping[str, object]) -> None:
    raise PassingError("The model server is not there")


async def beyond_reading(context: JobContext, payload: Mapping[str, object]) -> None:
    raise RejectedError("This letter can't be read")


async def test_what_is_due_put_off_planned_and_failed_is_told_apart(store: Store, clock: FakeClock) -> None:
    worker = worker_of(store, clock, away=out_of_reach, broken=beyond_reading)
    await ask(store, clock, "away")
    await ask(store, clock, "broken")
    await worker.turn()
    await ask(store, clock, "due", "one")
    await ask(store, clock, "due", "two")
    await ask_later(store, clock, "planned", "tomorrow", timedelta(hours=12))
    found = {work.kind: work for work in (await work_of(store, clock).now()).kinds}
    assert {kind: (work.due, work.put_off, work.planned, work.failed) for kind, work in found.items()} == {
        "away": (0, 1, 0, 0),
        "broken": (0, 0, 0, 1),
        "due": (2, 0, 0, 0),
        "planned": (0, 0, 1, 0),
    }
    assert found["away"].reason == "The model server is not there."
    assert found["away"].next_at == clock.now() + timedelta(seconds=60)
    assert found["broken"].reason == "This letter can't be read."
    assert (found["due"].reason, found["due"].next_at) == (None, None)
    assert found["planned"].next_at == clock.now() + timedelta(hours=12)


async def test_a_running_job_is_seen_running(store: Store, clock: FakeClock) -> None:
    seen: list[int] = []

    async def run(context: JobContext, payload: Mapping[str, object]) -> None:
        seen.extend(work.running for work in (await work_of(store, clock).now()).kinds)

    await ask(store, clock, "x")
    await worker_of(store, clock, x=run).settle()
    assert seen == [1]
    assert (await work_of(store, clock).now()).kinds == ()


async def test_the_pace_of_the_worker_is_told_with_its_reason(store: Store, clock: FakeClock) -> None:
    assert (await work_of(store, clock, BATTERY).now()).pace == BATTERY


async def test_failed_work_is_tried_again_at_a_word(store: Store, clock: FakeClock) -> None:
    await ask(store, clock, "x")
    await worker_of(store, clock, x=beyond_reading).settle()
    assert await work_of(store, clock).retry_failed() == 1
    log: list[str] = []
    await worker_of(store, clock, x=noting(log)).settle()
    assert len(log) == 1


async def test_work_that_was_put_off_is_tried_at_once_at_a_word(store: Store, clock: FakeClock) -> None:
    await ask(store, clock, "x")
    await worker_of(store, clock, x=out_of_reach).turn()
    assert await work_of(store, clock).wake() == 1
    (found,) = (await work_of(store, clock).now()).kinds
    assert (found.due, found.put_off) == (1, 0)


async def test_how_many_passages_have_vectors_is_told_while_some_lack_them(
    store: Store, clock: FakeClock
) -> None:
    meaning = FakeMeaning(BoxEmbedder())
    work = BackgroundWork(store, clock, meaning, lambda: AT_FULL_PACE)
    await take(store, A, letter(1, "Good morning."), letter(2, "Good evening."))
    assert (await work.now()).embedded == Share(0, 2)
    await Worker(tools_with(store, clock, meaning), lambda: {"embed": embed.JOB}).settle()
    assert (await work.now()).embedded is None
    assert await work.embedded() == Share(2, 2)
