"""What a look reads: the threads that changed since a finder's last success, with what they need of their past."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from heedful.core.ids import SourceId, ThreadId
from heedful.memory import ThreadView
from heedful.memory.messages import messages_store
from heedful.storage import Connection

MESSAGES_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Portion:
    """Changed threads, oldest change first; `upto` is the last change they cover, `more` says that others wait.

    `messages` counts those that arrived or were edited, without what was asked for besides.
    """

    threads: tuple[ThreadView, ...]
    messages: int
    upto: int
    more: bool


def changed_threads(
    connection: Connection,
    since: int,
    *,
    source_id: SourceId | None = None,
    limit: int = MESSAGES_AT_ONCE,
    also: Iterable[tuple[ThreadId, int]] = (),
) -> Portion:
    """The threads of the oldest `limit` changes after `since`, and of the messages in `also`, each once."""
    changes = messages_store.changes_since(connection, since, source_id=source_id, limit=limit)
    return Portion(
        threads=threads_of(connection, chain(also, ((thread, seq) for _, seq, thread in changes))),
        messages=len(changes),
        upto=changes[-1][0] if changes else since,
        more=len(changes) == limit,
    )


def threads_of(connection: Connection, changes: Iterable[tuple[ThreadId, int]]) -> tuple[ThreadView, ...]:
    """The threads of these messages (thread, seq), with them marked as new, in the order of first appearance."""
    grouped: dict[ThreadId, set[int]] = {}
    for thread_id, seq in changes:
        grouped.setdefault(thread_id, set()).add(seq)
    views = (
        messages_store.thread_view(connection, thread_id, new=seqs) for thread_id, seqs in grouped.items()
    )
    return tuple(view for view in views if view is not None)


def coming_events(
    connection: Connection, *, upto: int, after: int, until: int
) -> tuple[tuple[ThreadId, int], ...]:
    """The events (thread, message seq) with an occurrence that starts in (after, until], in milliseconds.

    Those whose last change lies after `upto` are left out: a look meets them as changed.
    """
    return tuple(
        (ThreadId(str(thread)), int(seq or 0))
        for thread, seq in connection.rows(
            "SELECT DISTINCT m.thread_id, m.seq FROM occurrences o JOIN messages m ON m.seq = o.message_seq "
            "WHERE m.changed <= ? AND o.starts_at > ? AND o.starts_at <= ? AND o.status <> 'cancelled'",
            (upto, after, until),
        )
    )
