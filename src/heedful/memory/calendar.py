"""Keeps recurring events unfolded ahead of time, as days go by."""

from datetime import datetime, timedelta, tzinfo

from heedful.core.clock import from_millis, to_millis
from heedful.memory.intake import write_occurrences
from heedful.sources.ics import unfold
from heedful.storage import Connection

HORIZON = timedelta(days=400)
RENEW_WITHIN = timedelta(days=300)
SERIES_AT_ONCE = 50


def unfold_further(connection: Connection, *, now: datetime, zone: tzinfo) -> int:
    """Unfolds the series whose last known occurrence is nearer than `RENEW_WITHIN`; returns how many it touched.

    A series that has ended is marked as unfolded to the horizon and not touched again until then.
    """
    rows = connection.rows(
        "SELECT s.message_seq, s.raw, s.unfolded_until FROM calendar_series s "
        "WHERE s.unfolded_until < ? AND s.raw LIKE '%RRULE%' LIMIT ?",
        (to_millis(now + RENEW_WITHIN), SERIES_AT_ONCE),
    )
    for seq, raw, until in rows:
        begin = max(from_millis(int(until or 0)) + timedelta(milliseconds=1), now)
        found = unfold(str(raw), begin, now + HORIZON, zone=zone)
        write_occurrences(connection, int(seq or 0), found, {})
        connection.execute(
            "UPDATE calendar_series SET unfolded_until = ? WHERE message_seq = ?",
            (to_millis(now + HORIZON), int(seq or 0)),
        )
    return len(rows)
