"""Forgets much in steps, so that other writes find their turn between and a run that is cut off goes on.

The first step asks for a job that does the rest where this process does not get to it. What is left at the end is few
enough for one transaction, which also takes out what the messages belonged to.
"""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from heedful.core.events import ActionablesChanged, Event
from heedful.core.ids import content_id
from heedful.memory.forget.forgetting import NOBODY, SWEEP, Forgotten, forget_messages
from heedful.memory.forget.targets import Target, is_there, messages_of
from heedful.memory.queue.asking import enqueue
from heedful.storage import Connection, Store
from heedful.storage.store import Write

AT_ONCE = 1000
GOES_ON_AFTER = timedelta(minutes=2)


async def forget_most(
    store: Store,
    target: Target,
    *,
    write: Write,
    now: Callable[[], datetime],
    holder: str = NOBODY,
) -> Forgotten:
    """Forgets a target's messages but for the last few; returns what went. A job's `holder` keeps its lease."""
    total = Forgotten()
    left = await store.read_long(lambda c: messages_of(c, target) if is_there(c, target) else [])
    while len(left) > AT_ONCE:
        some, left = left[:AT_ONCE], left[AT_ONCE:]
        total += await write(partial(_step, target=target, seqs=some, now=now(), holder=holder))
    return total


def need_not_go_on(connection: Connection, target: Target) -> None:
    """Takes back the job that was to do the rest, for it names what is forgotten; one that runs ends without names."""
    which = (SWEEP, _key(target))
    connection.execute("DELETE FROM jobs WHERE kind = ? AND dedupe_key = ? AND state = 'ready'", which)
    connection.execute("UPDATE jobs SET payload = '{}' WHERE kind = ? AND dedupe_key = ?", which)


def _key(target: Target) -> str:
    return content_id("forget", target.kind, target.id)


def _step(
    connection: Connection, *, target: Target, seqs: list[int], now: datetime, holder: str
) -> tuple[Forgotten, list[Event]]:
    if holder == NOBODY:
        payload = {"kind": target.kind, "id": target.id}
        enqueue(connection, SWEEP, _key(target), payload, now=now, delay=GOES_ON_AFTER)
    done = forget_messages(connection, _still_of(connection, target, seqs), now=now, holder=holder)
    return done.counts, [ActionablesChanged(done.items)] if done.items else []


def _still_of(connection: Connection, target: Target, seqs: list[int]) -> list[int]:
    """Those of the messages that still go with the target: another source may have brought one meanwhile."""
    if target.kind != "source":
        return seqs
    rows = connection.rows(
        "SELECT j.value FROM json_each(?) j WHERE NOT EXISTS "
        "(SELECT 1 FROM origins o WHERE o.message_seq = j.value AND o.source_id <> ?)",
        (json.dumps(seqs), target.id),
    )
    return [int(seq or 0) for (seq,) in rows]
