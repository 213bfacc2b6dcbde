"""Makes the digests of the days that are over, ten at a time, and comes back after each midnight.

What came in is told once it was judged, so it follows `seal`, which asks for it.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from heedful.core.clock import local_day, start_of_next_day
from heedful.core.events import Event
from heedful.memory.jobs import seal
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.tree import digests, tree_store
from heedful.memory.tree.summaries import material
from heedful.memory.tree.tree_store import Node
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

STAGE = "digest"
CHANGES_AT_ONCE = 2000
DAYS_AT_ONCE = 10
AFTER_MIDNIGHT = timedelta(minutes=5)


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """Notes the days that changed; when all are noted, makes the newest that are over."""
    del payload  # the cursor and the days themselves know what is left
    if await _note(context):
        await context.finish(partial(_again, now=context.clock.now()))
        return
    days = await context.keep(lambda connection: (_gathered(connection, context), ()))
    batch = await context.store.read(lambda connection: [material(connection, day) for day in days])
    texts = await asyncio.to_thread(lambda: [digests.digest_of(one) for one in batch])
    now, zone = context.clock.now(), context.clock.zone

    def work(connection: Connection) -> tuple[None, list[Event]]:
        for made_of, written in zip(batch, texts, strict=True):
            day = made_of.node.scope_id
            if made_of.passages or digests.is_since_the_first(connection, day, zone=zone):
                tree_store.write_text(connection, made_of.node, written, now=now)
            else:
                tree_store.drop_empty(connection, made_of.node)
        if days:
            enqueue(connection, "embed_nodes", ALL, now=now)
        if len(days) == DAYS_AT_ONCE:
            _again(connection, now=now)
        else:
            enqueue(
                connection, STAGE, ALL, now=now, delay=start_of_next_day(now, zone) + AFTER_MIDNIGHT - now
            )
        return None, []

    await context.finish(work)


async def _note(context: JobContext) -> bool:
    """Notes a batch of changed days, or else the quiet ones; True where more changes wait."""
    now, zone = context.clock.now(), context.clock.zone

    def work(connection: Connection) -> tuple[bool, list[Event]]:
        begin = cursor(connection, STAGE)
        reached = digests.note_changes(
            connection,
            after=begin,
            judged=cursor(connection, seal.STAGE),
            limit=CHANGES_AT_ONCE,
            now=now,
            zone=zone,
        )
        if reached == begin:
            digests.fill_quiet_days(connection, now=now, zone=zone)
            return False, []
        advance(connection, STAGE, reached)
        return True, []

    return await context.keep(work)


def _gathered(connection: Connection, context: JobContext) -> list[Node]:
    """The next days to make, with their chunks linked."""
    zone = context.clock.zone
    today = local_day(context.clock.now(), zone).isoformat()
    days = tree_store.stale_days(connection, before=today, limit=DAYS_AT_ONCE)
    for day in days:
        digests.gather(connection, day, zone=zone)
    return [found for day in days if (found := tree_store.node(connection, day.id)) is not None]


def _again(connection: Connection, *, now: datetime) -> tuple[None, list[Event]]:
    enqueue(connection, STAGE, ALL, now=now)
    return None, []


JOB = JobKind(STAGE, run, turn=60, on_growth=True)
