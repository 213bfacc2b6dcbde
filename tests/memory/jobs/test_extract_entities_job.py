"""What is taken in is read for people and things by a job of the queue, once, and goes on where it was cut off."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from heedful.memory.entities.extraction import Step, next_step, read_step, write_step
from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.reading import Reading
from heedful.memory.work.kind import JobContext
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import A, rows, take
from tests.memory.reading_along import found, mail, top
from tests.memory.workshop import tools_of

NAME = "extract_entities"


def worker(store: Store, clock: FakeClock) -> Worker:
    return Worker(tools_of(store, clock), lambda: {NAME: job_kinds()[NAME]})


def _write(
    step: Step, readings: Sequence[Reading], clock: FakeClock, connection: Connection
) -> tuple[None, tuple[()]]:
    write_step(connection, step, readings, now=clock.now())
    return None, ()


async def test_what_is_taken_in_waits_for_its_people_to_be_read(store: Store, clock: FakeClock) -> None:
    await take(store, A, mail(1), now=clock.now())
    assert await top(store) == []
    settled = await worker(store, clock).settle()
    assert (settled.done, settled.failed) == (1, 0)
    assert (await found(store, "Ana Lopes")).chunks == 1


async def test_many_letters_are_read_in_steps_and_each_once(store: Store, clock: FakeClock) -> None:
    await take(store, A, *(mail(n, f"About #tag{n} and #all-of-it.") for n in range(600)), now=clock.now())
    await worker(store, clock).settle()
    await worker(store, clock).settle()
    assert (await found(store, "#all-of-it", EntityKind.HASHTAG)).chunks == 600
    (mentions,) = (await rows(store, "SELECT count(*) FROM mentions WHERE role = 'author' AND score = 1"))[0]
    assert mentions == 600


async def test_a_job_that_was_cut_off_goes_on_from_its_last_step(store: Store, clock: FakeClock) -> None:
    await take(store, A, *(mail(n, "About #boats.") for n in range(600)), now=clock.now())

    async def end_after_one_step(context: JobContext, _payload: object) -> None:
        step = await context.store.read(next_step)
        assert step is not None
        readings = read_step(step)
        await context.keep(partial(_write, step, readings, clock))

    broken = replace(job_kinds()[NAME], run=end_after_one_step)
    await Worker(tools_of(store, clock), lambda: {NAME: broken}).settle()
    assert 0 < (await found(store, "#boats", EntityKind.HASHTAG)).chunks < 600
    await take(store, A, mail(601, "About #boats."), now=clock.now())
    await worker(store, clock).settle()
    assert (await found(store, "#boats", EntityKind.HASHTAG)).chunks == 601
