"""Clears the full-text index of the words of what was forgotten, which it keeps until its parts are merged."""

from collections.abc import Mapping
from functools import partial

from heedful.core.events import Event
from heedful.memory.jobs.kind import JobContext, JobKind
from heedful.storage import Connection


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """Merges in small steps, so that other writes find their turn between them."""
    del payload
    from heedful.memory.forget import merge_index

    def step(connection: Connection, *, is_first: bool) -> tuple[bool, list[Event]]:
        return merge_index(connection, is_first=is_first), []

    is_more = await context.keep(partial(step, is_first=True))
    while is_more:
        is_more = await context.keep(partial(step, is_first=False))
    await context.finish(lambda _: (None, []))


JOB = JobKind("forget", run, turn=10)
