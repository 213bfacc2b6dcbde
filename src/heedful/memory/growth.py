"""Tells the stages of the memory that there is something new, in the transaction that brought it."""

from datetime import datetime

from heedful.memory.jobs import ALL, job_kinds
from heedful.memory.queue import enqueue
from heedful.storage import Connection


def note_growth(connection: Connection, *, now: datetime) -> None:
    """Asks for one run of every stage that works on new and changed messages."""
    for kind in job_kinds().values():
        if kind.on_growth:
            enqueue(connection, kind.name, ALL, now=now)
