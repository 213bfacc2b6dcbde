"""How many messages each of a run of days holds, and which years hold any; read along the sources' own indexes."""

import json
from collections.abc import Sequence
from datetime import date, timedelta, tzinfo

from heedful.core.clock import from_millis, start_of_day, to_millis
from heedful.storage import Connection

EARLIEST_YEAR = 1900


def day_counts(connection: Connection, days: Sequence[date], zone: tzinfo) -> dict[date, int]:
    """The days, which follow each other, with the number of messages sent in each; a day without any is absent."""
    bounds = [
        [to_millis(start_of_day(day, zone)), to_millis(start_of_day(day + timedelta(days=1), zone))]
        for day in days
    ]
    rows = connection.rows(
        "SELECT d.key, sum((SELECT count(*) FROM messages m WHERE m.source_id = s.id "
        "AND m.sent_at >= d.value ->> 0 AND m.sent_at < d.value ->> 1)) AS messages "
        "FROM json_each(?) d CROSS JOIN sources s GROUP BY d.key HAVING messages > 0",
        (json.dumps(bounds),),
    )
    return {days[int(place or 0)]: int(messages or 0) for place, messages in rows}


def years_before(connection: Connection, day: date, zone: tzinfo) -> tuple[int, ...]:
    """The years of messages sent before a day, the newest first; one look into each source's index for each."""
    years: list[int] = []
    until = start_of_day(day, zone)
    while until.year > EARLIEST_YEAR:
        row = connection.row(
            "SELECT max((SELECT max(m.sent_at) FROM messages m WHERE m.source_id = s.id AND m.sent_at < ?)) "
            "FROM sources s",
            (to_millis(until),),
        )
        if row is None or row[0] is None:
            break
        years.append(from_millis(int(row[0])).astimezone(zone).year)
        until = start_of_day(date(years[-1], 1, 1), zone)
    return tuple(years)
