"""Memory work that outlives the process: put into the store in the transaction that makes it necessary.

`enqueue` is for whoever changes something that needs work afterwards; who does the work is `memory.work`, and
what the work is lies in `memory.jobs`, one file a kind. Ask for coarse work: one job for a batch, a thread, a
stage, never one for each message.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from heedful.memory.queue import queue_store
from heedful.memory.queue.queue_store import KindWork
from heedful.storage import Connection

NO_DELAY = timedelta()

ALL = "all"
"""The key of a stage's one job, which works off everything behind its cursor."""


def enqueue(
    connection: Connection,
    kind: str,
    dedupe_key: str,
    payload: Mapping[str, object] | None = None,
    *,
    now: datetime,
    delay: timedelta = NO_DELAY,
) -> None:
    """Asks for a job of `kind`, inside the transaction that causes it; it is committed with that or not at all.

    A job of the same kind and key that still waits is not doubled: it takes this payload and the earlier of both
    times. One that is running already runs once more when it ends, for it may have read before this change.
    """
    queue_store.insert(connection, kind, dedupe_key, payload or {}, now=now, available_at=now + delay)


def take_back(connection: Connection, kind: str, dedupe_key: str) -> None:
    """Asks no more for a job whose work was just done otherwise; one that is running already goes on."""
    queue_store.take_back(connection, kind, dedupe_key)


def retry_failed(connection: Connection, *, now: datetime) -> int:
    """Lets every failed job be tried afresh; returns how many."""
    return queue_store.retry_failed(connection, now=now)


def wake(connection: Connection, *, now: datetime) -> int:
    """Ends the waiting of jobs that were put off: what they missed may be there now. Returns how many."""
    return queue_store.wake(connection, now=now)


def work_by_kind(connection: Connection, *, now: datetime) -> tuple[KindWork, ...]:
    """What is unfinished, kind by kind, with what waits, for when, and why."""
    return queue_store.by_kind(connection, now=now)
