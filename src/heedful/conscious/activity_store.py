"""The rows of Activity: every look whatever came of it, why a message spoke or not, how far each finder has got."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import MessageId, RunId
from heedful.judgement import Verdict
from heedful.storage import Connection, Row

Cause = Literal["timer", "manual", "command"]
Outcome = Literal["running", "completed", "quiet", "skipped", "superseded", "error", "interrupted"]

_CAUSES: dict[str, Cause] = {"timer": "timer", "manual": "manual", "command": "command"}
_OUTCOMES: dict[str, Outcome] = {
    "running": "running",
    "completed": "completed",
    "quiet": "quiet",
    "skipped": "skipped",
    "superseded": "superseded",
    "error": "error",
    "interrupted": "interrupted",
}


@dataclass(frozen=True, slots=True)
class TickRow:
    """One look.

    `namespaces` are source ids; `messages` counts what was new to it; `notes` are sentences on what happened or
    why nothing did; `rejected` are sentences on items that were not taken; tokens are the provider's own count.
    """

    run_id: RunId
    cause: Cause
    outcome: Outcome
    started_at: datetime
    duration_ms: int = 0
    provider: str = ""
    model: str = ""
    namespaces: tuple[str, ...] = ()
    messages: int = 0
    actionable_count: int = 0
    new: int = 0
    updated: int = 0
    rejected: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    error_type: str | None = None
    error: str | None = None


_COLUMNS = (
    "run_id, cause, outcome, started_at, duration_ms, provider, model, namespaces, messages, actionable_count, new, "
    "updated, rejected, notes, input_tokens, output_tokens, model_calls, error_type, error"
)


def write_tick(connection: Connection, tick: TickRow) -> None:
    """Inserts a look's row, or brings it up to date."""
    values = (
        tick.run_id, tick.cause, tick.outcome, to_millis(tick.started_at), tick.duration_ms, tick.provider, tick.model,
        json.dumps(tick.namespaces), tick.messages, tick.actionable_count, tick.new, tick.updated,
        json.dumps(tick.rejected, ensure_ascii=False), json.dumps(tick.notes, ensure_ascii=False), tick.input_tokens,
        tick.output_tokens, tick.model_calls, tick.error_type, tick.error,
    )  # fmt: skip
    names = _COLUMNS.split(", ")
    updates = ", ".join(f"{name} = excluded.{name}" for name in names if name != "run_id")
    connection.execute(
        f"INSERT INTO ticks ({_COLUMNS}) VALUES ({', '.join('?' * len(names))}) "
        f"ON CONFLICT (run_id) DO UPDATE SET {updates}",
        values,
    )


def ticks(connection: Connection, *, limit: int, before: datetime | None = None) -> tuple[TickRow, ...]:
    """Looks, newest first, those that began before a moment where one is given."""
    millis = to_millis(before) if before is not None else 1 << 62
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM ticks WHERE started_at < ? ORDER BY started_at DESC, rowid DESC LIMIT ?",
        (millis, limit),
    )
    return tuple(_tick(row) for row in rows)


def close_interrupted(connection: Connection) -> int:
    """Ends the rows of looks that a dead process left running; returns how many there were."""
    return connection.execute("UPDATE ticks SET outcome = 'interrupted' WHERE outcome = 'running'")


def last_success(connection: Connection) -> datetime | None:
    """When the newest look that went through began; None when none has."""
    millis = connection.value("SELECT max(started_at) FROM ticks WHERE outcome IN ('completed', 'quiet')")
    return None if millis is None else from_millis(int(millis))


def forget_ticks(connection: Connection, before: datetime) -> int:
    """Removes the rows of looks older than a moment; returns how many."""
    return connection.execute("DELETE FROM ticks WHERE started_at < ?", (to_millis(before),))


@dataclass(frozen=True, slots=True)
class DayCount:
    """What a day's looks came to: looks, model calls and tokens."""

    looks: int
    model_calls: int
    tokens: int


def count_since(connection: Connection, since: datetime) -> DayCount:
    """What the looks since a moment came to."""
    row = connection.row(
        "SELECT count(*), sum(model_calls), sum(input_tokens + output_tokens) FROM ticks WHERE started_at >= ?",
        (to_millis(since),),
    ) or (0, 0, 0)
    return DayCount(int(row[0] or 0), int(row[1] or 0), int(row[2] or 0))


def cursor(connection: Connection, finder: str) -> int:
    """Up to which change a finder has looked; 0 for not at all."""
    return int(connection.value("SELECT changed FROM finder_cursors WHERE finder = ?", (finder,)) or 0)


def advance(connection: Connection, finder: str, changed: int) -> None:
    """Notes that a finder has looked at everything up to a change; never moves back."""
    connection.execute(
        "INSERT INTO finder_cursors (finder, changed) VALUES (?, ?) "
        "ON CONFLICT (finder) DO UPDATE SET changed = max(changed, excluded.changed)",
        (finder, changed),
    )


def write_verdicts(connection: Connection, run_id: RunId, verdicts: Iterable[Verdict], now: datetime) -> None:
    """Keeps why messages spoke or stayed silent; a later judgement of the same message replaces it."""
    judged_at, written = to_millis(now), json.JSONEncoder(ensure_ascii=False).encode
    connection.execute_many(
        "INSERT OR REPLACE INTO verdicts (message_seq, run_id, verdict, reasons, judged_at) "
        "SELECT seq, ?, ?, ?, ? FROM messages WHERE id = ?",
        [(run_id, v.verdict, written(v.reasons), judged_at, v.message_id) for v in verdicts],
    )


def verdict_of(connection: Connection, message_id: MessageId) -> tuple[str, tuple[str, ...]] | None:
    """What was judged of a message and why; None while no look has met it."""
    row = connection.row(
        "SELECT v.verdict, v.reasons FROM verdicts v JOIN messages m ON m.seq = v.message_seq WHERE m.id = ?",
        (message_id,),
    )
    return None if row is None else (str(row[0]), tuple(json.loads(str(row[1]))))


def silent_seqs(connection: Connection, seqs: Sequence[int]) -> frozenset[int]:
    """Those of the messages about which the last judgement was silence."""
    marks = ", ".join("?" * len(seqs))
    rows = connection.rows(
        f"SELECT message_seq FROM verdicts WHERE verdict = 'silent' AND message_seq IN ({marks})", list(seqs)
    )
    return frozenset(int(seq or 0) for (seq,) in rows)


def pause_until(connection: Connection, name: str) -> tuple[bool, datetime | None]:
    """Whether the loop of that name is paused, and until when (None: until resumed)."""
    row = connection.row("SELECT until_at FROM pauses WHERE name = ?", (name,))
    if row is None:
        return False, None
    return True, None if row[0] is None else from_millis(int(row[0]))


def set_pause(connection: Connection, name: str, until: datetime | None) -> None:
    """Pauses a loop until a moment, or until it is resumed."""
    connection.execute(
        "INSERT OR REPLACE INTO pauses (name, until_at) VALUES (?, ?)",
        (name, None if until is None else to_millis(until)),
    )


def clear_pause(connection: Connection, name: str) -> None:
    """Lets a loop run again."""
    connection.execute("DELETE FROM pauses WHERE name = ?", (name,))


def _tick(row: Row) -> TickRow:
    return TickRow(
        run_id=RunId(str(row[0])),
        cause=_CAUSES[str(row[1])],
        outcome=_OUTCOMES[str(row[2])],
        started_at=from_millis(int(row[3] or 0)),
        duration_ms=int(row[4] or 0),
        provider=str(row[5]),
        model=str(row[6]),
        namespaces=tuple(json.loads(str(row[7]))),
        messages=int(row[8] or 0),
        actionable_count=int(row[9] or 0),
        new=int(row[10] or 0),
        updated=int(row[11] or 0),
        rejected=tuple(json.loads(str(row[12]))),
        notes=tuple(json.loads(str(row[13]))),
        input_tokens=int(row[14] or 0),
        output_tokens=int(row[15] or 0),
        model_calls=int(row[16] or 0),
        error_type=None if row[17] is None else str(row[17]),
        error=None if row[18] is None else str(row[18]),
    )
