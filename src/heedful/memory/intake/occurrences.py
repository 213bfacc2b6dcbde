"""When a calendar's entry takes place: its occurrences as far ahead as the horizon, and what of them was moved."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from heedful.core.clock import to_millis
from heedful.sources import Incoming, Occurrence
from heedful.storage import Connection

HORIZON = timedelta(days=400)
"""How far ahead a source unfolds a calendar's series."""

DENSE = 100
"""A series with more occurrences within the horizon may have been cut short before it."""


def keep_occurrences(connection: Connection, seq: int, item: Incoming, *, now: datetime) -> None:
    """Writes when a message takes place that is a calendar's entry, in place of what was known of that."""
    if item.kind != "event":
        return
    before = {
        str(key): int(start or 0)
        for key, start in connection.rows(
            "SELECT occurrence, starts_at FROM occurrences WHERE message_seq = ?", (seq,)
        )
    }
    connection.execute("DELETE FROM occurrences WHERE message_seq = ?", (seq,))
    write_occurrences(connection, seq, item.occurrences, before)
    connection.execute(
        "INSERT INTO calendar_series (message_seq, raw, unfolded_until) VALUES (?, ?, ?) "
        "ON CONFLICT (message_seq) DO UPDATE SET raw = excluded.raw, unfolded_until = excluded.unfolded_until",
        (seq, item.raw, to_millis(reached(item.occurrences, now + HORIZON))),
    )


def reached(occurrences: Sequence[Occurrence], horizon: datetime) -> datetime:
    """Up to when a series is unfolded once these occurrences are known."""
    return occurrences[-1].starts_at if len(occurrences) >= DENSE else horizon


def write_occurrences(
    connection: Connection, seq: int, occurrences: Sequence[Occurrence], before: dict[str, int]
) -> None:
    """Writes when a series takes place; a start that differs from `before` (by key) is remembered as moved."""
    rows = []
    for o in occurrences:
        start = to_millis(o.starts_at)
        moved_from = to_millis(o.moved_from) if o.moved_from is not None else None
        if moved_from is None and before.get(o.key, start) != start:
            moved_from = before[o.key]
        rows.append((seq, o.key, start, to_millis(o.ends_at), int(o.all_day), o.status, moved_from))
    connection.execute_many(
        "INSERT OR REPLACE INTO occurrences "
        "(message_seq, occurrence, starts_at, ends_at, all_day, status, moved_from) VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
