"""When calendar entries take place: those of some days, which each day has, and the time to tell of an entry.

An entry is remembered under the moment it was written (decision 0005); a person looks for it where it takes place.
What was cancelled takes place nowhere.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from heedful.core.clock import from_millis, local_day, start_of_day, to_millis
from heedful.core.ids import MessageId
from heedful.memory.search.browsing import Leaf, Range, leaves
from heedful.memory.search.days import FIRST_PASSAGE
from heedful.storage import Connection, Row


@dataclass(frozen=True, slots=True)
class Slot:
    """A time at which an entry takes place, aware; an all-day one ends at a local midnight, exclusive."""

    starts_at: datetime
    ends_at: datetime
    all_day: bool
    is_cancelled: bool = False


_TAKES_PLACE = (
    "o.starts_at < :until AND (o.ends_at > :since OR o.starts_at >= :since) AND o.status <> 'cancelled'"
)


def agenda(connection: Connection, among: Range, *, limit: int) -> list[tuple[Leaf, Slot]]:
    """The first passages of at most `limit` entries that take place between two moments, in order; `until` is in it.

    A series stands there once, at its first time.
    """
    if among.since is None or among.until is None:
        return []
    rows = connection.rows(
        f"SELECT min(o.starts_at), o.ends_at, o.all_day, {FIRST_PASSAGE} AS passage "
        f"FROM occurrences o JOIN messages m ON m.seq = o.message_seq WHERE {_TAKES_PLACE} "
        "AND m.source_id IN (SELECT value FROM json_each(:sources)) "
        "GROUP BY m.seq HAVING passage IS NOT NULL ORDER BY 1, m.seq LIMIT :limit",
        {
            "since": to_millis(among.since),
            "until": to_millis(among.until) + 1,
            "sources": json.dumps(sorted(among.sources)),
            "limit": limit,
        },
    )
    found = leaves(connection, [int(row[3] or 0) for row in rows])
    return [(leaf, _slot(row)) for leaf, row in zip(found, rows, strict=True)]


def days_taken(connection: Connection, days: Sequence[date], zone: tzinfo) -> dict[date, frozenset[int]]:
    """The days, which follow each other, with the entries that take place on each, by number; empty days are absent."""
    first, last = days[0], days[-1]
    rows = connection.rows(
        "SELECT o.message_seq, o.starts_at, o.ends_at FROM occurrences o INDEXED BY occurrences_by_start "
        f"WHERE {_TAKES_PLACE}",
        {
            "since": to_millis(start_of_day(first, zone)),
            "until": to_millis(start_of_day(last + timedelta(days=1), zone)),
        },
    )
    found = defaultdict[date, set[int]](set)
    for seq, starts_at, ends_at in rows:
        begin, end = int(starts_at or 0), int(ends_at or 0)
        day = max(first, local_day(from_millis(begin), zone))
        until = min(last, local_day(from_millis(max(begin, end - 1)), zone))
        for ahead in range((until - day).days + 1):
            found[day + timedelta(days=ahead)].add(int(seq or 0))
    return {day: frozenset(entries) for day, entries in found.items()}


def slots(connection: Connection, messages: Iterable[MessageId], *, now: datetime) -> dict[MessageId, Slot]:
    """Of these messages those that are calendar entries, each with its next time, or its last where none is ahead.

    One that takes place no more has the time at which it would have.
    """
    rows = connection.rows(
        "SELECT o.starts_at, o.ends_at, o.all_day, m.id, o.status FROM json_each(:messages) j "
        "JOIN messages m ON m.id = j.value JOIN occurrences o ON o.message_seq = m.seq AND o.occurrence = ("
        "SELECT x.occurrence FROM occurrences x WHERE x.message_seq = m.seq ORDER BY x.status = 'cancelled', "
        "x.ends_at < :now, abs(x.starts_at - :now) LIMIT 1)",
        {"messages": json.dumps(sorted(set(messages))), "now": to_millis(now)},
    )
    return {MessageId(str(row[3])): replace(_slot(row), is_cancelled=row[4] == "cancelled") for row in rows}


def _slot(row: Row) -> Slot:
    return Slot(from_millis(int(row[0] or 0)), from_millis(int(row[1] or 0)), bool(row[2]))
