"""How many messages each of a run of days holds; counted along the sources' own indexes, whatever is remembered."""

import json
from collections.abc import Sequence
from datetime import date, timedelta, tzinfo

from heedful.core.clock import start_of_day, to_millis
from heedful.storage import Connection


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
