"""Reads people and things, and what holds between them, out of what was taken in."""

from collections.abc import Mapping

from heedful.core.events import Event
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection


async def _run(context: JobContext, _payload: Mapping[str, object]) -> None:
    import asyncio

    from heedful.memory.entities import extraction

    while (step := await context.store.read(extraction.next_step)) is not None:
        readings = await asyncio.to_thread(extraction.read_step, step)
        now, read = context.clock.now(), step

        def work(connection: Connection) -> tuple[None, list[Event]]:
            extraction.write_step(connection, read, readings, now=now)  # noqa: B023 (awaited within the turn)
            return None, []

        await context.keep(work)
    await context.finish(lambda connection: _read_all(connection, context))


def _read_all(connection: Connection, context: JobContext) -> tuple[None, list[Event]]:
    if context.tools.inference is not None:
        enqueue(connection, "name_entities", ALL, now=context.clock.now())
    return None, []


JOB = JobKind("extract_entities", _run, turn=20, on_growth=True)
