"""Compares a source with its place, and lets go of what no source holds any more.

Two jobs of one kind: by the payload's `source` everything of it is compared, once a week where it is watched, and at
once after a file of it was rewritten; without one, messages that their last source gave up leave.
"""

from collections.abc import Mapping
from functools import partial

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.events import Event, SourcesChanged
from heedful.core.ids import SourceId
from heedful.memory.work.kind import JobContext, JobKind, LeaseLostError
from heedful.storage import Connection


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One source, batch by batch, or all departures; begun anew, it goes on where it was."""
    source = payload.get("source")
    if isinstance(source, str):
        await _compare(context, SourceId(source))
    else:
        await _let_go(context)


async def _compare(context: JobContext, source_id: SourceId) -> None:
    from heedful.memory.messages import sources_store
    from heedful.memory.sync import reconciling

    rows = await context.store.read(partial(sources_store.sources, with_pending=False))
    row = next((row for row in rows if row.id == source_id), None)
    if row is None or row.state == "paused":
        return
    try:
        await reconciling.compare(
            row, context.store, context.clock, write=context.keep, finish=context.finish, believes=False
        )
    except LeaseLostError:
        raise
    except (UserCanFixError, RejectedError) as exc:
        # The person can mend it, the queue can't: the source says so, and is compared when it is next read well.
        sentence = exc.sentence()

        def work(connection: Connection) -> tuple[None, list[Event]]:
            sources_store.failed(connection, source_id, sentence)
            return None, [SourcesChanged(source_id)]

        await context.finish(work)


async def _let_go(context: JobContext) -> None:
    from heedful.memory.intake.departures import let_go

    is_more = True
    while is_more:
        now = context.clock.now()

        def work(connection: Connection) -> tuple[bool, list[Event]]:
            left = let_go(connection, now=now, holder=context.lease.holder)  # noqa: B023 (awaited within the turn)
            return left.is_more, left.news

        is_more = await context.keep(work)


JOB = JobKind("reconcile", run, turn=15)
