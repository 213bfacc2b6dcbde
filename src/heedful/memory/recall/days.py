"""The passages of the days that a question names, where it names a day or asks of nothing but the days."""

from datetime import timedelta

from heedful.core.clock import to_millis
from heedful.memory.search.question import Question
from heedful.memory.search.terms import UNFILTERED, Filters, narrowed
from heedful.storage import Connection

SHORT = timedelta(days=2)


def on_the_day(
    connection: Connection, question: Question, *, limit: int, filters: Filters = UNFILTERED
) -> list[int]:
    """The chunks of the days named that the filters let through, the newest first, at most `limit`.

    None where more than a day or two are named, unless nothing else is asked for: words then lead closer.
    """
    where, bindings = narrowed(filters)
    found: list[int] = []
    is_one = len(question.periods) == 1 and question.periods[0][1] - question.periods[0][0] <= SHORT
    for begin, end in question.periods if is_one or question.is_only_of_days else ():
        rows = connection.rows(
            "SELECT c.seq FROM sources s CROSS JOIN messages m ON m.source_id = s.id AND m.sent_at >= :begin "
            f"AND m.sent_at < :end JOIN chunks c ON c.message_seq = m.seq WHERE {where} "
            "ORDER BY m.sent_at DESC LIMIT :limit",
            {**bindings, "begin": to_millis(begin), "end": to_millis(end), "limit": limit - len(found)},
        )
        found += [int(seq or 0) for (seq,) in rows]
    return found
