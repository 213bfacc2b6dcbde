"""Keeps recurring events unfolded ahead of time, as days go by."""

from datetime import datetime, timedelta, tzinfo

from heedful.core.clock import from_millis, to_millis
from heedful.memory.intake.occurrences import HORIZON, reached, write_occurrences
from heedful.storage import Connection

RENEW_WITHIN = timedelta(days=300)
SERIES_AT_ONCE = 50


def unfold_further(connection: Connection, *, now: datetime, zone: tzinfo) -> int:
    """Unfolds the series that are known for less than `RENEW_WITHIN` ahead; returns how many it touched.

    One without repetition is looked at until the day comes into sight. Each is then known up to the horizon and not
    touched again until that has come nearer.
    """
    rows = connection.rows(
        "SELECT s.message_seq, s.raw, s.unfolded_until FROM calendar_series s WHERE s.unfolded_until < ? "
        "AND (s.raw LIKE '%RRULE%' OR s.raw LIKE '%RDATE%' "
        "OR NOT EXISTS (SELECT 1 FROM occurrences o WHERE o.message_seq = s.message_seq)) LIMIT ?",
        (to_millis(now + RENEW_WITHIN), SERIES_AT_ONCE),
    )
    if not rows:
        return 0
    from heedful.sources.ics import unfold  # what reads calendars is loaded for those who have one

    for seq, raw, until in rows:
        begin = max(from_millis(int(until or 0)) + timedelta(milliseconds=1), now)
        found = unfold(str(raw), begin, now + HORIZON, zone=zone)
        write_occurrences(connection, int(seq or 0), found, {})
        connection.execute(
            "UPDATE calendar_series SET unfolded_until = ? WHERE message_seq = ?",
            (to_millis(reached(found, now + HORIZON)), int(seq or 0)),
        )
    return len(rows)
