"""Takes what was forgotten out of where it stays for a while: the full-text index, and the store's log.

With a target in its payload it first goes on with a forgetting in steps that was cut off.
"""

from collections.abc import Mapping
from functools import partial
from typing import get_args

from heedful.core.errors import PassingError
from heedful.core.events import ActionablesChanged, Event, SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """Merges in small steps, so that other writes find their turn between them."""
    from heedful.memory.forget.forgetting import merge_index

    await _go_on(context, payload)

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


async def _go_on(context: JobContext, payload: Mapping[str, object]) -> None:
    """Forgets what is left of a target, if it is there."""
    from heedful.memory.forget.forgetting import forget
    from heedful.memory.forget.steps import forget_most, need_not_go_on
    from heedful.memory.forget.targets import Target, TargetKind, is_there

    kind = next((kind for kind in get_args(TargetKind) if kind == payload.get("kind")), None)
    if kind is None:
        return
    target, holder = Target(kind, str(payload.get("id"))), context.lease.holder
    if not await context.store.read(partial(is_there, target=target)):
        return
    await forget_most(context.store, target, write=context.keep, now=context.clock.now, holder=holder)

    def rest(connection: Connection) -> tuple[None, list[Event]]:
        done = forget(connection, target, now=context.clock.now(), holder=holder)
        need_not_go_on(connection, target)
        return None, [ActionablesChanged(done.items), SourcesChanged(SourceId(""))]

    await context.keep(rest)


JOB = JobKind("forget", run, turn=10)
