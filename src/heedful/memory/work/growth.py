"""Tells the stages of the memory that there is something new, in the transaction that brought it."""

from datetime import datetime

from heedful.memory.queue.asking import ALL, enqueue, wake
from heedful.memory.work.known_kinds import job_kinds
from heedful.storage import Connection


def note_growth(connection: Connection, *, now: datetime) -> None:
    """Asks for one run of every stage that works on new and changed messages."""
    for kind in job_kinds().values():
        if kind.on_growth:
            enqueue(connection, kind.name, ALL, now=now)


def note_settings(connection: Connection, *, now: datetime, embeds_otherwise: bool) -> int:
    """Lets a chosen model write summaries and find names, and another embedder, where there is one, embed all passages.

    Returns how many jobs need no longer wait for a model.
    """
    enqueue(connection, "rewrite", ALL, now=now)
    enqueue(connection, "name_entities", ALL, now=now)
    if embeds_otherwise:
        enqueue(connection, "embed", ALL, now=now)
    return wake(connection, now=now)
