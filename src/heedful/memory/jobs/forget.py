"""Clears the full-text index and the store's log of the words of what was forgotten, which both keep for a while."""

from collections.abc import Mapping
from functools import partial

from heedful.core.errors import PassingError
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
    if not await context.store.fold_log():
        raise PassingError(
            "The store is read just now", "What was forgotten still stands in its log.", "Wait a minute."
        )
    await context.finish(lambda _: (None, []))


JOB = JobKind("forget", run, turn=10)
