"""The rows of items, their evidence and their history."""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone

from heedful.actionables.item import Actionable, Direction, Draft, Evidence, ItemSource, Priority, State
from heedful.actionables.life import Actor, Change, Verb
from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import ActionableId, ChunkId, MessageId, SourceId, ThreadId
from heedful.storage import Connection, Row, Value

_COLUMNS = (
    "id, title, description, source, priority, actionable, requires_confirmation, has_complex_action, source_label, "
    "state, due_at, due_zone_offset_min, due_text, direction, people, created_at, updated_at, last_seen_at, "
    "snoozed_until, expires_at, found_by, prompt, confidence, reasons"
)
_RANK = "CASE priority WHEN 'critical' THEN 0 WHEN 'important' THEN 1 ELSE 2 END"
_DIRECTIONS: dict[str, Direction] = {"mine": "mine", "theirs": "theirs", "unknown": "unknown"}
_ACTORS: dict[str, Actor] = {"person": "person", "loop": "loop", "time": "time"}


def items(connection: Connection, states: Iterable[State], *, limit: int = 20_000) -> tuple[Actionable, ...]:
    """Items in these states: the most urgent first, then the earliest due, then the newest."""
    wanted = [state.value for state in states]
    marks = ", ".join("?" * len(wanted))
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM actionables WHERE state IN ({marks}) "
        f"ORDER BY {_RANK}, due_at IS NULL, due_at, created_at DESC, id LIMIT ?",
        [*wanted, limit],
    )
    return _whole(connection, rows)


def has_looked(connection: Connection) -> bool:
    """Whether anybody ever looked for items; the looks' own room is not loaded for that."""
    return connection.value("SELECT 1 FROM ticks LIMIT 1") is not None


def item(connection: Connection, item_id: ActionableId) -> Actionable | None:
    """One item, or None."""
    rows = connection.rows(f"SELECT {_COLUMNS} FROM actionables WHERE id = ?", (item_id,))
    return _whole(connection, rows)[0] if rows else None


def of_messages(connection: Connection, message_ids: Iterable[MessageId]) -> tuple[Actionable, ...]:
    """Items, in whatever state, that any of these messages is evidence of."""
    wanted = sorted(set(message_ids))
    found: list[Row] = []
    for begin in range(0, len(wanted), 500):
        part = wanted[begin : begin + 500]
        marks = ", ".join("?" * len(part))
        found += connection.rows(
            f"SELECT {_COLUMNS} FROM actionables WHERE id IN "
            f"(SELECT actionable_id FROM actionable_evidence WHERE message_id IN ({marks}))",
            part,
        )
    return _whole(connection, found)


def write(connection: Connection, kept: Actionable) -> None:
    """Inserts or replaces an item with its evidence; history is written beside it by `note`."""
    draft = kept.draft
    values: tuple[Value, ...] = (
        kept.id, draft.title, draft.description, draft.source.value, draft.priority.value, int(draft.actionable),
        int(draft.requires_confirmation), int(draft.has_complex_action), draft.source_label, kept.state.value,
        _millis(draft.due), _offset(draft.due), draft.due_text, draft.direction, json.dumps(draft.people),
        to_millis(kept.created_at), to_millis(kept.updated_at), to_millis(kept.last_seen_at),
        _millis(kept.snoozed_until), _millis(draft.expires_at), draft.found_by, draft.prompt, draft.confidence,
        json.dumps(draft.reasons, ensure_ascii=False),
    )  # fmt: skip
    names = _COLUMNS.split(", ")
    updates = ", ".join(f"{name} = excluded.{name}" for name in names if name not in ("id", "created_at"))
    connection.execute(
        f"INSERT INTO actionables ({_COLUMNS}) VALUES ({', '.join('?' * len(names))}) "
        f"ON CONFLICT (id) DO UPDATE SET {updates}",
        values,
    )
    connection.execute("DELETE FROM actionable_evidence WHERE actionable_id = ?", (kept.id,))
    roles = [("found", evidence) for evidence in draft.evidence]
    if draft.done_by is not None:
        roles.append(("done", draft.done_by))
    connection.execute_many(
        "INSERT INTO actionable_evidence (actionable_id, place, role, chunk_id, message_id, source_id, thread_id, "
        "quote, start, finish, said_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (kept.id, place, role, e.chunk_id, e.message_id, e.source_id, e.thread_id, e.quote, e.start, e.end,
             to_millis(e.said_at))
            for place, (role, e) in enumerate(roles)
        ],
    )  # fmt: skip


def note(connection: Connection, item_id: ActionableId, change: Change) -> None:
    """Adds a step to an item's history."""
    connection.execute(
        "INSERT INTO actionable_history (actionable_id, at, actor, verb, before_state, after_state, "
        "snoozed_until_before) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            item_id,
            to_millis(change.at),
            change.actor,
            change.verb.value,
            None if change.before is None else change.before.value,
            change.after.value,
            _millis(change.snoozed_until_before),
        ),
    )


def history(connection: Connection, item_id: ActionableId) -> tuple[Change, ...]:
    """An item's life so far, oldest first."""
    return tuple(
        Change(
            at=from_millis(int(at or 0)),
            actor=_ACTORS[str(actor)],
            verb=Verb(str(verb)),
            before=None if before is None else State(str(before)),
            after=State(str(after)),
            snoozed_until_before=_moment(until),
        )
        for at, actor, verb, before, after, until in connection.rows(
            "SELECT at, actor, verb, before_state, after_state, snoozed_until_before FROM actionable_history "
            "WHERE actionable_id = ? ORDER BY id",
            (item_id,),
        )
    )


def due_by_clock(connection: Connection, now: datetime) -> tuple[Actionable, ...]:
    """Snoozed items whose time has come, and open ones that stopped mattering."""
    millis = to_millis(now)
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM actionables WHERE (state = 'snoozed' AND snoozed_until <= ?) "
        "OR (state IN ('active', 'awaiting', 'snoozed') AND expires_at IS NOT NULL AND expires_at <= ?)",
        (millis, millis),
    )
    return _whole(connection, rows)


def next_wake(connection: Connection) -> datetime | None:
    """The earliest moment at which an item changes by itself; None when none does."""
    return _moment(
        connection.value(
            "SELECT min(at) FROM (SELECT min(snoozed_until) AS at FROM actionables WHERE state = 'snoozed' "
            "UNION ALL SELECT min(expires_at) FROM actionables WHERE state IN ('active', 'awaiting', 'snoozed'))"
        )
    )


def _whole(connection: Connection, rows: list[Row]) -> tuple[Actionable, ...]:
    ids = [str(row[0]) for row in rows]
    evidence: dict[str, list[tuple[str, Evidence]]] = {}
    for begin in range(0, len(ids), 500):
        part = ids[begin : begin + 500]
        for row in connection.rows(
            "SELECT actionable_id, role, chunk_id, message_id, source_id, thread_id, quote, start, finish, said_at "
            f"FROM actionable_evidence WHERE actionable_id IN ({', '.join('?' * len(part))}) "
            "ORDER BY actionable_id, place",
            part,
        ):
            evidence.setdefault(str(row[0]), []).append((str(row[1]), _evidence(row)))
    return tuple(_actionable(row, evidence.get(str(row[0]), [])) for row in rows)


def _evidence(row: Row) -> Evidence:
    return Evidence(
        chunk_id=ChunkId(str(row[2])),
        message_id=MessageId(str(row[3])),
        source_id=SourceId(str(row[4])),
        thread_id=ThreadId(str(row[5])),
        quote=str(row[6]),
        start=int(row[7] or 0),
        end=int(row[8] or 0),
        said_at=from_millis(int(row[9] or 0)),
    )


def _actionable(row: Row, evidence: list[tuple[str, Evidence]]) -> Actionable:
    due = _moment(row[10])
    if due is not None:
        due = due.astimezone(timezone(timedelta(minutes=int(row[11] or 0))))
    draft = Draft(
        title=str(row[1]),
        description=str(row[2]),
        source=ItemSource(str(row[3])),
        priority=Priority(str(row[4])),
        actionable=bool(row[5]),
        requires_confirmation=bool(row[6]),
        has_complex_action=bool(row[7]),
        source_label=str(row[8]),
        due=due,
        due_text=None if row[12] is None else str(row[12]),
        direction=_DIRECTIONS[str(row[13])],
        people=tuple(json.loads(str(row[14]))),
        expires_at=_moment(row[19]),
        evidence=tuple(e for role, e in evidence if role == "found"),
        done_by=next((e for role, e in evidence if role == "done"), None),
        found_by=str(row[20]),
        prompt=str(row[21]),
        confidence=float(row[22] or 0.0),
        reasons=tuple(json.loads(str(row[23]))),
    )
    return Actionable(
        id=ActionableId(str(row[0])),
        draft=draft,
        state=State(str(row[9])),
        created_at=from_millis(int(row[15] or 0)),
        updated_at=from_millis(int(row[16] or 0)),
        last_seen_at=from_millis(int(row[17] or 0)),
        snoozed_until=_moment(row[18]),
    )


def _millis(moment: datetime | None) -> int | None:
    return None if moment is None else to_millis(moment)


def _moment(value: Value) -> datetime | None:
    return None if value is None else from_millis(int(value))


def _offset(moment: datetime | None) -> int | None:
    offset = None if moment is None else moment.utcoffset()
    return None if offset is None else round(offset.total_seconds() / 60)
