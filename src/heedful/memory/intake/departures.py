"""What no source holds any more leaves the memory with all that was made of it, as if it were forgotten.

A message that its last source gave up is only noted first: a mail that was moved from one folder to another is gone
from the one before the other is read. `let_go` removes what nobody brought again, after a round of reading or by the
job that was asked for in the same transaction. Unlike what a person has forgotten, it may come back.

Its items go with it, for there is no item without evidence. A decided one keeps its state and its history without a
word of what it said, so that what was dismissed stays dismissed when the message comes back. A note that was renamed
leaves its items to the same text under its new name.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import to_millis
from heedful.core.events import ActionablesChanged, Event, SourcesChanged
from heedful.core.ids import ActionableId, MessageId, SourceId
from heedful.memory.queue.asking import enqueue
from heedful.storage import Connection

RECONCILE = "reconcile"
DEPARTED = "departed"
AT_ONCE = 200
NEWEST = 5000
"""Among how many of the newest messages a renamed note is looked for."""


@dataclass(frozen=True, slots=True)
class Departed:
    """How many messages left, and which items went or changed with them; `is_more` when others wait to leave."""

    messages: int
    items: tuple[ActionableId, ...]
    is_more: bool

    @property
    def news(self) -> list[Event]:
        """What to publish of it."""
        items = [ActionablesChanged(self.items)] if self.items else []
        return [*items, SourcesChanged(SourceId(""))] if self.messages else []


def give_up(
    connection: Connection, source_id: SourceId, external_ids: Sequence[str], *, now: datetime
) -> int:
    """Notes that a source no longer holds these; returns how many messages have no source now.

    What another source holds is that one's from here on.
    """
    seqs = json.dumps(
        [
            int(seq or 0)
            for (seq,) in connection.rows(
                "SELECT DISTINCT o.message_seq FROM origins o JOIN json_each(?) j ON j.value = o.external_id "
                "WHERE o.source_id = ?",
                (json.dumps(external_ids), source_id),
            )
        ]
    )
    connection.execute(
        "DELETE FROM origins WHERE source_id = ? AND external_id IN (SELECT value FROM json_each(?))",
        (source_id, json.dumps(external_ids)),
    )
    connection.execute(
        "UPDATE messages SET (source_id, external_id) = (SELECT o.source_id, o.external_id FROM origins o "
        "WHERE o.message_seq = messages.seq ORDER BY o.source_id, o.external_id LIMIT 1) "
        "WHERE seq IN (SELECT value FROM json_each(?)) AND source_id = ? "
        "AND EXISTS (SELECT 1 FROM origins o WHERE o.message_seq = messages.seq)",
        (seqs, source_id),
    )
    connection.execute(
        "INSERT OR IGNORE INTO departures (message_seq, noted_at) SELECT m.seq, ? FROM messages m "
        "JOIN json_each(?) j ON j.value = m.seq "
        "WHERE NOT EXISTS (SELECT 1 FROM origins o WHERE o.message_seq = m.seq)",
        (to_millis(now), seqs),
    )
    left = int(connection.value("SELECT changes()") or 0)
    if left:
        enqueue(connection, RECONCILE, DEPARTED, now=now)
    return left


def are_there(connection: Connection, message_ids: Iterable[MessageId]) -> bool:
    """Whether all of these messages are still there: one may have left, or been forgotten, while it was looked at."""
    return all(
        connection.value("SELECT 1 FROM messages WHERE id = ?", (each,)) is not None for each in message_ids
    )


def is_any_waiting(connection: Connection) -> bool:
    """Whether a message waits to leave."""
    return connection.value("SELECT 1 FROM departures LIMIT 1") is not None


def let_go(connection: Connection, *, now: datetime, holder: str = "") -> Departed:
    """Removes what was given up and not brought again, a few hundred messages at most.

    `holder` keeps its lease; other running jobs begin anew, for they may have read what is gone.
    """
    from heedful.memory.forget.forgetting import remove_messages  # brings the tree and the registry in

    connection.execute(
        "DELETE FROM departures WHERE EXISTS (SELECT 1 FROM origins o WHERE o.message_seq = departures.message_seq)"
    )
    seqs = [
        int(seq or 0)
        for (seq,) in connection.rows(
            "SELECT message_seq FROM departures ORDER BY message_seq LIMIT ?", (AT_ONCE,)
        )
    ]
    if not seqs:
        return Departed(0, (), is_more=False)
    moved = _hand_on(connection, json.dumps(seqs))
    done = remove_messages(connection, seqs, now=now, keeps_decided=True, holder=holder)
    return Departed(
        done.counts.messages,
        (*moved, *done.items),
        is_more=is_any_waiting(connection),
    )


def _hand_on(connection: Connection, seqs: str) -> list[ActionableId]:
    """Lets evidence in a text that came again under another name stand there; returns the items it supports."""
    rows = connection.rows(
        "SELECT g.id, h.id, h.source_id, h.thread_id, e.actionable_id, e.place, "
        "(SELECT c.id FROM chunks c JOIN chunks w ON w.start = c.start "
        "WHERE c.message_seq = h.seq AND w.id = e.chunk_id) "
        "FROM messages g JOIN json_each(?) j ON j.value = g.seq JOIN actionable_evidence e ON e.message_id = g.id "
        "JOIN messages h ON h.seq > max(g.seq, (SELECT max(seq) FROM messages) - ?) AND h.source_id = g.source_id "
        "AND h.kind = 'note' AND h.text = g.text AND EXISTS (SELECT 1 FROM origins o WHERE o.message_seq = h.seq) "
        "WHERE g.kind = 'note' AND g.text <> '' GROUP BY e.actionable_id, e.place",
        (seqs, NEWEST),
    )
    for _, heir, source_id, thread_id, item_id, place, chunk_id in rows:
        if chunk_id is not None:
            connection.execute(
                "UPDATE actionable_evidence SET message_id = ?, source_id = ?, thread_id = ?, chunk_id = ? "
                "WHERE actionable_id = ? AND place = ?",
                (heir, source_id, thread_id, chunk_id, item_id, place),
            )
    return [ActionableId(str(row[4])) for row in rows]
