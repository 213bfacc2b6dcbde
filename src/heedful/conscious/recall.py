"""What a look reads: the threads that changed since a finder's last success, with what they need of their past."""

from collections.abc import Iterable
from dataclasses import dataclass

from heedful.core.ids import SourceId, ThreadId
from heedful.memory import ThreadView, memory_store, sources_store
from heedful.storage import Connection

MESSAGES_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Portion:
    """Changed threads, oldest change first; `upto` is the last change they cover, `more` says that others wait."""

    threads: tuple[ThreadView, ...]
    upto: int
    more: bool

    @property
    def messages(self) -> int:
        """How many messages are new in it."""
        return sum(message.is_new for thread in self.threads for message in thread.messages)


def changed_threads(
    connection: Connection, since: int, *, source_id: SourceId | None = None, limit: int = MESSAGES_AT_ONCE
) -> Portion:
    """The threads of the oldest `limit` changes after `since`, each once."""
    changes = memory_store.changes_since(connection, since, source_id=source_id, limit=limit)
    return Portion(
        threads=threads_of(connection, ((thread, seq) for _, seq, thread in changes)),
        upto=changes[-1][0] if changes else since,
        more=len(changes) == limit,
    )


def threads_of(connection: Connection, changes: Iterable[tuple[ThreadId, int]]) -> tuple[ThreadView, ...]:
    """The threads of these messages (thread, seq), with them marked as new, in the order of first appearance."""
    grouped: dict[ThreadId, set[int]] = {}
    for thread_id, seq in changes:
        grouped.setdefault(thread_id, set()).add(seq)
    views = (memory_store.thread_view(connection, thread_id, new=seqs) for thread_id, seqs in grouped.items())
    return tuple(view for view in views if view is not None)


def own_identities(connection: Connection) -> frozenset[str]:
    """The person's own addresses."""
    return frozenset(
        own.address for own in sources_store.own_addresses(connection) if own.origin != "refused"
    )
