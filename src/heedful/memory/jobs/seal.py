"""Judges what came in and hangs what is admitted into the tree, two hundred chunks at a time.

The cursor of this stage counts in `chunks.seq`; an edited message's chunks come by again with new numbers.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from heedful.core.clock import to_millis
from heedful.core.events import Event
from heedful.core.ids import ChunkId
from heedful.memory.messages import messages_store, own_addresses_store
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.messages.stored import StoredMessage
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.tree import admission_store, digests, tree_store
from heedful.memory.tree.admission import Admission, admit
from heedful.memory.tree.growing import SEALED_AFTER, Leaf, Planter, seal_aged
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

STAGE = "seal"
AT_ONCE = 200
OWN_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class _Judged:
    leaf: Leaf
    admission: Admission


@dataclass(frozen=True, slots=True)
class _Batch:
    """What was read to be judged; `upto` is the stage's next cursor, `is_last` whether nothing is behind it.

    `again` are moments, in milliseconds, of messages that are judged once more: their days were told without them.
    """

    judged: tuple[_Judged, ...]
    upto: int
    is_last: bool
    again: tuple[int, ...]


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch; asks for the next where there is more, else for the days, and for the summaries."""
    del payload  # the cursor knows where to go on
    batch = await context.store.read(_read)
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        _plant(connection, batch, now=now)
        advance(connection, STAGE, batch.upto)
        enqueue(connection, STAGE, ALL, now=now, delay=SEALED_AFTER if batch.is_last else timedelta())
        digests.note_moments(connection, batch.again, now=now, zone=context.clock.zone)
        if batch.is_last:
            seal_aged(connection, now=now)
            enqueue(connection, "digest", ALL, now=now)
        enqueue(connection, "summarise", ALL, now=now)
        return None, []

    await context.finish(work)


def _read(connection: Connection) -> _Batch:
    begin = cursor(connection, STAGE)
    places = connection.rows(
        "SELECT c.seq, c.message_seq FROM chunks c WHERE c.seq > ? ORDER BY c.seq LIMIT ?", (begin, AT_ONCE)
    )
    upto = max((int(seq or 0) for seq, _ in places), default=begin)
    is_last = len(places) < AT_ONCE
    own_after_all = admission_store.own_but_refused(connection, limit=OWN_AT_ONCE) if is_last else []
    messages = messages_store.messages(
        connection, list(dict.fromkeys([*(int(message or 0) for _, message in places), *own_after_all]))
    )
    own = own_addresses_store.known_own(connection)
    once_more = frozenset(own_after_all)
    return _Batch(
        _judge(connection, messages, own),
        upto,
        is_last=is_last and len(own_after_all) < OWN_AT_ONCE,
        again=tuple(to_millis(message.sent_at) for message in messages if message.seq in once_more),
    )


def _judge(connection: Connection, messages: list[StoredMessage], own: frozenset[str]) -> tuple[_Judged, ...]:
    counts = admission_store.entity_counts(connection, [chunk.id for m in messages for chunk in m.chunks])
    sizes = {
        str(thread): int(size or 0)
        for thread, size in connection.rows(
            "SELECT t.id, t.messages FROM threads t WHERE t.id IN (SELECT m.thread_id FROM messages m "
            f"WHERE m.seq IN ({', '.join('?' * len(messages))}))",
            [message.seq for message in messages],
        )
    }
    judged = []
    for message in sorted(messages, key=lambda one: one.seq):
        size = max(sizes.get(message.thread_id, 1), len(message.chunks))
        for chunk in message.chunks:
            leaf = Leaf(
                chunk.id, message.source_id, message.thread_id, message.channel, size,
                to_millis(message.sent_at), math.ceil((chunk.end - chunk.start) / 4),
            )  # fmt: skip
            judged.append(_Judged(leaf, admit(message, chunk, own=own, entities=counts.get(chunk.id))))
    return tuple(judged)


def _plant(connection: Connection, batch: _Batch, *, now: datetime) -> None:
    """Writes the verdicts on the chunks that are still there, and plants those that hang nowhere yet.

    What an edit made not worth keeping is taken out of the place that it kept.
    """
    ids = [one.leaf.chunk_id for one in batch.judged]
    there = _known(connection, "SELECT id FROM chunks WHERE id", ids)
    planted = _known(
        connection,
        "SELECT k.chunk_id FROM node_chunks k JOIN nodes n ON n.id = k.node_id WHERE n.scope <> 'day' AND k.chunk_id",
        ids,
    )
    judged = [one for one in batch.judged if one.leaf.chunk_id in there]
    admission_store.keep(connection, [(one.leaf.chunk_id, one.admission) for one in judged], now=now)
    refused = [one.leaf.chunk_id for one in judged if not one.admission.is_admitted]
    tree_store.detach(connection, refused)
    planter = Planter(connection, now)
    for one in judged:
        if one.admission.is_admitted and one.leaf.chunk_id not in planted:
            planter.plant(one.leaf)
    planter.flush()


def _known(connection: Connection, sql: str, ids: list[ChunkId]) -> frozenset[str]:
    found: set[str] = set()
    for begin in range(0, len(ids), AT_ONCE):
        part = ids[begin : begin + AT_ONCE]
        found.update(
            str(value) for (value,) in connection.rows(f"{sql} IN ({', '.join('?' * len(part))})", part)
        )
    return frozenset(found)


JOB = JobKind(STAGE, run, turn=30, on_growth=True)
