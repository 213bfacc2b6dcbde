"""One digest for each of the person's local days: what came that day, in the words of those who wrote it.

A day is known from its first message on, made once it is over, and made anew when something comes late. Days before
Heedful was there are filled in where something came; since then a quiet day says that there was nothing new, and
never repeats an older one. A day that was told keeps its bounds when the person moves to another time zone, and the
day after it begins where it ended: what came in between is told once.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, tzinfo
from itertools import takewhile

from heedful.core.clock import from_millis, local_day, start_of_day, to_millis
from heedful.core.ids import ChunkId, content_id
from heedful.memory.tree import tree_store
from heedful.memory.tree.summaries import Material, extractive
from heedful.memory.tree.tree_store import Node, Written
from heedful.storage import Connection

NOTHING_NEW = "Nothing new."
MOST_CHUNKS = 60


def note_changes(
    connection: Connection, *, after: int, judged: int, limit: int, now: datetime, zone: tzinfo
) -> int:
    """Marks the days of the changes behind `after` to be made; returns the last change seen.

    That is before the first one with a passage behind `judged`, of which nobody knows yet whether a day tells it.
    """
    rows = connection.rows(
        "SELECT m.changed, m.sent_at, EXISTS (SELECT 1 FROM chunks c WHERE c.message_seq = m.seq AND c.seq > ?) "
        "FROM messages m WHERE m.changed > ? ORDER BY m.changed LIMIT ?",
        (judged, after, limit),
    )
    told = list(takewhile(lambda row: not row[2], rows))
    note_moments(connection, [int(sent_at or 0) for _, sent_at, _ in told], now=now, zone=zone)
    return int(told[-1][0] or 0) if told else after


def note_moments(connection: Connection, moments: Sequence[int], *, now: datetime, zone: tzinfo) -> None:
    """Marks the days of these moments, in milliseconds, to be made."""
    for day in sorted(_days_of(connection, moments, zone=zone)):
        _note_day(connection, day, now=now, zone=zone)


def fill_quiet_days(connection: Connection, *, now: datetime, zone: tzinfo) -> int:
    """Adds the days without a message between the first import and yesterday; returns how many were missing."""
    begin = _first_day(connection, zone)
    if begin is None:
        return 0
    today = local_day(now, zone)
    known = {
        str(day)
        for (day,) in connection.rows(
            "SELECT scope_id FROM nodes WHERE scope = 'day' AND scope_id >= ?", (begin.isoformat(),)
        )
    }
    missing = [day for day in _days(begin, today) if day.isoformat() not in known]
    for day in missing:
        _note_day(connection, day, now=now, zone=zone)
    return len(missing)


def gather(connection: Connection, node: Node, *, zone: tzinfo) -> None:
    """Links a day's node to the admitted chunks of that day, the newest where there are too many."""
    begin, end = _bounds(connection, node, zone=zone)
    node_id = node.id
    rows = connection.rows(
        "SELECT c.id FROM sources s CROSS JOIN messages m ON m.source_id = s.id AND m.sent_at >= ? AND m.sent_at < ? "
        "JOIN chunks c ON c.message_seq = m.seq JOIN admissions d ON d.chunk_id = c.id AND d.admitted = 1 "
        "ORDER BY m.sent_at DESC, c.seq DESC LIMIT ?",
        (begin, end, MOST_CHUNKS),
    )
    wanted = {str(chunk_id) for (chunk_id,) in rows}
    linked = {str(chunk_id) for chunk_id in tree_store.chunk_ids(connection, node_id)}
    for chunk_id in sorted(linked - wanted):
        connection.execute("DELETE FROM node_chunks WHERE node_id = ? AND chunk_id = ?", (node_id, chunk_id))
    for chunk_id in sorted(wanted - linked):
        tree_store.attach(connection, node_id, ChunkId(chunk_id))
    connection.execute(
        "UPDATE nodes SET items = ?, begins_at = ?, ends_at = ? WHERE id = ?",
        (len(wanted), begin, end - 1, node_id),
    )


def digest_of(made_of: Material) -> Written:
    """The digest of a day without a model."""
    written = extractive(made_of)
    return written if written.text else Written(NOTHING_NEW, 3, "extractive", "quiet")


def is_since_the_first(connection: Connection, day: str, *, zone: tzinfo) -> bool:
    """Whether Heedful was there already on a local day (as ISO text), so that a quiet one is worth telling."""
    first = _first_day(connection, zone)
    return first is not None and day >= first.isoformat()


def _first_day(connection: Connection, zone: tzinfo) -> date | None:
    """The local day on which the first of the messages there are came in; None where there is none."""
    first = connection.value("SELECT ingested_at FROM messages ORDER BY seq LIMIT 1")
    return None if first is None else local_day(from_millis(int(first)), zone)


def _days_of(connection: Connection, moments: Sequence[int], *, zone: tzinfo) -> set[date]:
    """The days in which these moments are told, in milliseconds: a day that was told has the bounds it had then."""
    by_moment = {moment: local_day(from_millis(moment), zone) for moment in moments}
    told = _told(connection, set(by_moment.values()))
    return {
        day + timedelta(days=(moment > told[day][1]) - (moment < told[day][0])) if day in told else day
        for moment, day in by_moment.items()
    }


def _bounds(connection: Connection, node: Node, *, zone: tzinfo) -> tuple[int, int]:
    """Where a day begins and where the next one does, in milliseconds; between days that were told there is no gap."""
    if node.text:
        return to_millis(node.begins_at), to_millis(node.ends_at) + 1
    day = date.fromisoformat(node.scope_id)
    before, after = day - timedelta(days=1), day + timedelta(days=1)
    told = _told(connection, {before, after})
    begin, end = to_millis(start_of_day(day, zone)), to_millis(start_of_day(after, zone))
    return (
        told[before][1] + 1 if before in told else begin,
        told[after][0] if after in told else end,
    )


def _told(connection: Connection, days: Iterable[date]) -> dict[date, tuple[int, int]]:
    """The first and last moment of those of the days that have a digest."""
    rows = connection.rows(
        "SELECT scope_id, begins_at, ends_at FROM nodes JOIN json_each(?) j ON j.value = scope_id "
        "WHERE scope = 'day' AND text <> ''",
        (json.dumps([day.isoformat() for day in days]),),
    )
    return {date.fromisoformat(str(day)): (int(begin or 0), int(end or 0)) for day, begin, end in rows}


def _note_day(connection: Connection, day: date, *, now: datetime, zone: tzinfo) -> None:
    begin, end = start_of_day(day, zone), start_of_day(day + timedelta(days=1), zone)
    connection.execute(
        "INSERT INTO nodes (id, scope, scope_id, level, begins_at, ends_at, opened_at) "
        "VALUES (?, 'day', ?, 0, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET stale = stale + 1",
        (
            content_id("day", day.isoformat()),
            day.isoformat(),
            to_millis(begin),
            to_millis(end) - 1,
            to_millis(now),
        ),
    )


def _days(begin: date, end: date) -> Iterable[date]:
    while begin < end:
        yield begin
        begin += timedelta(days=1)
