"""The rows of what was shown as a notification and what was held back."""

from dataclasses import dataclass
from datetime import datetime

from heedful.attention.policy import Interruption, Shown
from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import ActionableId
from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class InterruptionRow:
    """One decision: shown, or held back, and why."""

    item_id: ActionableId
    at: datetime
    shown: bool
    reason: str


def shown_before(connection: Connection, item_id: ActionableId, start_of_day: datetime) -> Shown:
    """How many notifications were shown since the day began, and when this item's last one was."""
    today = connection.value(
        "SELECT count(*) FROM interruptions WHERE outcome = 'shown' AND at >= ?", (to_millis(start_of_day),)
    )
    last = connection.value(
        "SELECT max(at) FROM interruptions WHERE outcome = 'shown' AND actionable_id = ?", (item_id,)
    )
    return Shown(int(today or 0), None if last is None else from_millis(int(last)))


def note(connection: Connection, item_id: ActionableId, decision: Interruption, now: datetime) -> None:
    """Keeps a decision; holding an item back for the same reason as the last time adds nothing."""
    outcome = "shown" if decision.show else "held"
    last = connection.row(
        "SELECT outcome, reason FROM interruptions WHERE actionable_id = ? ORDER BY id DESC LIMIT 1",
        (item_id,),
    )
    if last == ("held", decision.reason) and not decision.show:
        return
    connection.execute(
        "INSERT INTO interruptions (actionable_id, at, outcome, reason) VALUES (?, ?, ?, ?)",
        (item_id, to_millis(now), outcome, decision.reason),
    )


def of_item(connection: Connection, item_id: ActionableId) -> tuple[InterruptionRow, ...]:
    """What was decided about an item, newest first."""
    return tuple(
        InterruptionRow(item_id, from_millis(int(at or 0)), outcome == "shown", str(reason))
        for at, outcome, reason in connection.rows(
            "SELECT at, outcome, reason FROM interruptions WHERE actionable_id = ? ORDER BY id DESC",
            (item_id,),
        )
    )
