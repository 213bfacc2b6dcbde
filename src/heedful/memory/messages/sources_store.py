"""The rows of sources: what they are, how far they were read, and how the last reading ended."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from heedful.core.clock import from_millis, to_millis
from heedful.core.errors import RejectedError
from heedful.core.ids import SourceId
from heedful.memory.messages import rejects_store
from heedful.sources import source_kinds
from heedful.sources.items import FOLDER_END
from heedful.storage import Connection, Row, Value

SourceState = Literal["active", "paused", "error"]
Egress = Literal["allowed", "local-only"]

StopReason = Literal["cancelled", "paused", "cut off", "error", "busy"]

_STATES: dict[str, SourceState] = {"active": "active", "paused": "paused", "error": "error"}
_STOPS: dict[str, StopReason] = {
    "cancelled": "cancelled", "paused": "paused", "cut off": "cut off", "error": "error", "busy": "busy",
}  # fmt: skip
_EGRESS: dict[str, Egress] = {"allowed": "allowed", "local-only": "local-only"}


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the last reading of a source ended before its end: after so many messages of about `total`, where known."""

    reason: StopReason
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source as the person sees it; `label` is its kind in words, `error` one sentence with a remedy or None.

    `last_sync_at` is when it was last read to its end, `stop` why the last reading did not get there, None when it
    did. `last_new_at` is when something last came in, whatever its own date. `reading_at` is the last sign of a
    reading that goes on, in whichever process. `pending` messages wait for the memory's work. `missing` ones were not
    met where they should be, and are kept. `unread` are the folders in it that could not be read, by their paths
    within it. `keep_days` is how long its messages are kept, None for ever. `comparing_at` is from when on a
    comparison with its place is asked for and not done: until then what was deleted there counts as held.
    """

    id: SourceId
    kind: str
    label: str
    name: str
    path: Path
    state: SourceState
    egress: Egress
    watched: bool
    messages: int
    rejected: int
    last_sync_at: datetime | None
    error: str | None
    last_new_at: datetime | None = None
    reading_at: datetime | None = None
    stop: Stop | None = None
    missing: int = 0
    unread: tuple[str, ...] = ()
    pending: int = 0
    keep_days: int | None = None
    comparing_at: datetime | None = None


_COMPARISON = "reconcile"
"""The work that holds a source against its place; there is at most one of it a source."""

_COLUMNS = (
    "s.id, s.kind, s.name, s.path, s.state, s.egress, s.watched, s.last_sync_at, s.error, "
    "(SELECT count(*) FROM origins o WHERE o.source_id = s.id), "
    "(SELECT count(*) FROM rejects r WHERE r.source_id = s.id), "
    "s.last_new_at, s.reading_since, s.stop, s.stop_done, s.stop_total, s.missing, "
    "(SELECT days FROM retentions k WHERE k.source_id = s.id), "
    f"(SELECT json_group_array(place) FROM {rejects_store.FOLDERS} AND r.source_id = s.id), "
    "(SELECT available_at FROM jobs j "
    f"WHERE j.kind = '{_COMPARISON}' AND j.dedupe_key = s.id AND j.state IN ('ready', 'running'))"
)
_WORK_ON_NEW = "seal"
"""The stage that everything new passes; where no job of it waits, nothing is pending."""


def sources(connection: Connection, *, with_pending: bool = True) -> tuple[SourceRow, ...]:
    """All sources in the order in which they were added; `pending` takes its time to count while much waits."""
    waiting = _pending(connection) if with_pending else {}
    return tuple(
        _row(row, waiting)
        for row in connection.rows(f"SELECT {_COLUMNS} FROM sources s ORDER BY s.created_at, s.id")
    )


def looked_at(connection: Connection) -> tuple[SourceId, ...]:
    """The sources that are not paused, in the order in which they were added; nothing of theirs is counted."""
    rows = connection.rows("SELECT id FROM sources WHERE state <> 'paused' ORDER BY created_at, id")
    return tuple(SourceId(str(source_id)) for (source_id,) in rows)


def source(connection: Connection, source_id: SourceId) -> SourceRow:
    """One source; its `pending` is not counted.

    Raises:
        RejectedError: There is none of that id.
    """
    row = connection.row(f"SELECT {_COLUMNS} FROM sources s WHERE s.id = ?", (source_id,))
    if row is None:
        raise _unknown()
    return _row(row, {})


def state_of(connection: Connection, source_id: SourceId) -> SourceState:
    """Whether a source is read, paused, or needs the person.

    Raises:
        RejectedError: There is none of that id.
    """
    state = connection.value("SELECT state FROM sources WHERE id = ?", (source_id,))
    if state is None:
        raise _unknown()
    return _STATES[str(state)]


def add_source(
    connection: Connection,
    source_id: SourceId,
    *,
    kind: str,
    name: str,
    path: Path,
    watched: bool,
    now: datetime,
) -> None:
    """Adds a source, or does nothing where one of that id is there already, but for watching it from now on."""
    connection.execute(
        "INSERT INTO sources (id, kind, name, path, watched, created_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET watched = max(watched, excluded.watched)",
        (source_id, kind, name, str(path), int(watched), to_millis(now)),
    )


def cursor_of(connection: Connection, source_id: SourceId) -> str:
    """How far the source was read; empty for not at all."""
    return str(connection.value("SELECT cursor FROM sources WHERE id = ?", (source_id,)) or "")


def set_state(connection: Connection, source_id: SourceId, state: SourceState) -> None:
    """Pauses, resumes or marks a source."""
    connection.execute("UPDATE sources SET state = ? WHERE id = ?", (state, source_id))


def set_egress(connection: Connection, source_id: SourceId, egress: Egress) -> None:
    """Decides whether anything of the source may leave this machine."""
    connection.execute("UPDATE sources SET egress = ? WHERE id = ?", (egress, source_id))


def set_path(connection: Connection, source_id: SourceId, path: Path) -> None:
    """Points a source at the place it was moved to; its cursor stays, for the content is the same."""
    connection.execute(
        "UPDATE sources SET path = ?, state = 'active', error = NULL WHERE id = ?", (str(path), source_id)
    )


def begin_reading(connection: Connection, source_id: SourceId, now: datetime) -> None:
    """Notes that a source is being read, or still is."""
    connection.execute("UPDATE sources SET reading_since = ? WHERE id = ?", (to_millis(now), source_id))


def set_missing(connection: Connection, source_id: SourceId, missing: int) -> None:
    """Notes how many messages of a source were not met where they should be."""
    connection.execute("UPDATE sources SET missing = ? WHERE id = ?", (missing, source_id))


def synced(connection: Connection, source_id: SourceId, now: datetime) -> None:
    """Notes a sync that went through, which ends an earlier error and whatever stopped the one before."""
    connection.execute(
        "UPDATE sources SET last_sync_at = ?, error = NULL, reading_since = NULL, stop = NULL, "
        "state = CASE state WHEN 'error' THEN 'active' ELSE state END WHERE id = ?",
        (to_millis(now), source_id),
    )


def stopped(connection: Connection, source_id: SourceId, reason: StopReason, *, share: float | None) -> None:
    """Notes why a sync ended early; `share` is how much of the source it got through, from 0 to 1, where known."""
    connection.execute(
        "UPDATE sources SET reading_since = NULL, stop = :reason, stop_done = o.held, "
        "stop_total = CASE WHEN :share > 0 THEN max(o.held, CAST(round(o.held / :share) AS INTEGER)) END "
        "FROM (SELECT count(*) AS held FROM origins WHERE source_id = :id) AS o WHERE id = :id",
        {"reason": reason, "share": share, "id": source_id},
    )


def note_cut_off(connection: Connection, still: Iterable[SourceId]) -> int:
    """Notes the sources over which a process died: they were being read, and nobody does now but of `still`."""
    alive = frozenset(still)
    dead = [
        SourceId(str(source_id))
        for (source_id,) in connection.rows("SELECT id FROM sources WHERE reading_since IS NOT NULL")
        if source_id not in alive
    ]
    for source_id in dead:
        stopped(connection, source_id, "cut off", share=None)
    return len(dead)


def failed(connection: Connection, source_id: SourceId, sentence: str) -> None:
    """Notes why a sync could not go through; a paused source stays paused."""
    connection.execute(
        "UPDATE sources SET error = ?, state = CASE state WHEN 'paused' THEN state ELSE 'error' END WHERE id = ?",
        (sentence, source_id),
    )


def remove(connection: Connection, source_id: SourceId) -> None:
    """Removes a source whose own messages are gone already; what another source holds too becomes that one's."""
    connection.execute("DELETE FROM origins WHERE source_id = ?", (source_id,))
    _hand_over(connection, source_id)
    connection.execute("DELETE FROM sources WHERE id = ?", (source_id,))


def _hand_over(connection: Connection, source_id: SourceId) -> None:
    """Gives a message that another source holds too to that one, and a thread to whoever has a message in it."""
    held = (
        "(SELECT o.source_id FROM origins o JOIN messages h ON h.seq = o.message_seq WHERE {} "
        "ORDER BY o.message_seq, o.source_id LIMIT 1)"
    )
    for table, in_it in (("messages", "h.seq = messages.seq"), ("threads", "h.thread_id = threads.id")):
        connection.execute(
            f"UPDATE {table} SET source_id = coalesce({held.format(in_it)}, source_id) WHERE source_id = ?",
            (source_id,),
        )


def _pending(connection: Connection) -> dict[SourceId, int]:
    """How many messages of each source the memory has not worked on yet; none where no job waits to do it."""
    job = connection.value(
        "SELECT 1 FROM jobs WHERE kind = ? AND state IN ('ready', 'running') LIMIT 1", (_WORK_ON_NEW,)
    )
    if job is None:
        return {}
    return {
        SourceId(str(source_id)): int(count or 0)
        for source_id, count in connection.rows(
            "SELECT m.source_id, count(DISTINCT m.seq) FROM chunks c JOIN messages m ON m.seq = c.message_seq "
            "WHERE c.seq > coalesce((SELECT place FROM stage_cursors WHERE stage = ?), 0) GROUP BY m.source_id",
            (_WORK_ON_NEW,),
        )
    }


def _row(row: Row, pending: Mapping[SourceId, int]) -> SourceRow:
    kind = str(row[1])
    known = source_kinds().get(kind)
    return SourceRow(
        id=SourceId(str(row[0])),
        kind=kind,
        label=known.label if known is not None else kind,
        name=str(row[2]),
        path=Path(str(row[3])),
        state=_STATES[str(row[4])],
        egress=_EGRESS[str(row[5])],
        watched=bool(row[6]),
        messages=int(row[9] or 0),
        rejected=int(row[10] or 0),
        last_sync_at=_moment(row[7]),
        error=None if row[8] is None else str(row[8]),
        last_new_at=_moment(row[11]),
        reading_at=_moment(row[12]),
        stop=None if row[13] is None else Stop(_STOPS[str(row[13])], int(row[14] or 0), _number(row[15])),
        missing=int(row[16] or 0),
        unread=tuple(sorted(str(place).removesuffix(FOLDER_END) for place in json.loads(str(row[18])))),
        pending=pending.get(SourceId(str(row[0])), 0),
        keep_days=_number(row[17]),
        comparing_at=_moment(row[19]),
    )


def _unknown() -> RejectedError:
    return RejectedError("There is no such source", "", "List them with `heedful sources`.")


def _moment(value: Value) -> datetime | None:
    return None if value is None else from_millis(int(value))


def _number(value: Value) -> int | None:
    return None if value is None else int(value)
