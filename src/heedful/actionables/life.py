"""The life of an item as a table: which verb leads from which state where, and who may say it. No clock, no store.

active     → completed, dismissed, snoozed, expired
awaiting   → approved, dismissed, snoozed, expired      (needs a confirmation)
snoozed    → active or awaiting (wakes by itself), completed, approved, dismissed, expired
completed, dismissed, approved → back by undo, for 30 days
completed, expired → active or awaiting again, only by newer evidence
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal

from heedful.actionables.item import State
from heedful.core.errors import RejectedError

UNDO_WITHIN = timedelta(days=30)
LONGEST_SNOOZE = timedelta(days=366)

Actor = Literal["person", "loop", "time"]


class Verb(StrEnum):
    """What can happen to an item."""

    APPROVE = "approve"
    COMPLETE = "complete"
    DISMISS = "dismiss"
    SNOOZE = "snooze"
    WAKE = "wake"
    EXPIRE = "expire"
    REOPEN = "reopen"
    UNDO = "undo"
    FIND = "find"


OPEN = frozenset({State.ACTIVE, State.AWAITING})
DECIDED = frozenset({State.APPROVED, State.COMPLETED, State.DISMISSED, State.SNOOZED})

_ALLOWED: dict[Verb, tuple[frozenset[State], State | None]] = {
    Verb.APPROVE: (frozenset({State.AWAITING, State.SNOOZED}), State.APPROVED),
    Verb.COMPLETE: (
        frozenset({State.ACTIVE, State.AWAITING, State.SNOOZED, State.APPROVED}),
        State.COMPLETED,
    ),
    Verb.DISMISS: (frozenset({State.ACTIVE, State.AWAITING, State.SNOOZED, State.APPROVED}), State.DISMISSED),
    Verb.SNOOZE: (frozenset({State.ACTIVE, State.AWAITING, State.SNOOZED}), State.SNOOZED),
    Verb.WAKE: (frozenset({State.SNOOZED}), None),
    Verb.EXPIRE: (frozenset({State.ACTIVE, State.AWAITING, State.SNOOZED}), State.EXPIRED),
    Verb.REOPEN: (frozenset({State.COMPLETED, State.EXPIRED, State.APPROVED}), None),
}


@dataclass(frozen=True, slots=True)
class Change:
    """One step of an item's life; `before` is None for the first. `snoozed_until_before` is for undo."""

    at: datetime
    actor: Actor
    verb: Verb
    before: State | None
    after: State
    snoozed_until_before: datetime | None = None


def open_state(*, requires_confirmation: bool) -> State:
    """Where an item stands while it waits for the person."""
    return State.AWAITING if requires_confirmation else State.ACTIVE


def after(verb: Verb, state: State, *, requires_confirmation: bool) -> State:
    """Where `verb` leads from `state`.

    Raises:
        RejectedError: It leads nowhere from there, in words for the person.
    """
    if verb not in _ALLOWED:
        raise RejectedError(f"An item can't be changed by {verb.value} alone")
    allowed, target = _ALLOWED[verb]
    if verb is Verb.APPROVE and not requires_confirmation:
        raise RejectedError("This item needs no approval", "", "Mark it done or dismiss it.")
    if state not in allowed:
        raise RejectedError(
            f"An item that is {state.value} can't be changed that way", "", "Undo its last change first."
        )
    return target if target is not None else open_state(requires_confirmation=requires_confirmation)


def check_snooze(until: datetime, now: datetime) -> None:
    """Lets pass a moment to snooze until.

    Raises:
        RejectedError: It is not in the future, or over a year away.
    """
    if until <= now:
        raise RejectedError("That time has passed already", "", "Choose a later one.")
    if until - now > LONGEST_SNOOZE:
        raise RejectedError("That is over a year away", "", "Choose an earlier time, or dismiss the item.")


def undone(history: tuple[Change, ...], state: State, now: datetime) -> Change:
    """The person's last decision that undo takes back.

    Raises:
        RejectedError: There is none, it is older than 30 days, or the item has moved on since.
    """
    last = history[-1] if history else None
    if (
        last is None
        or last.actor != "person"
        or last.verb is Verb.UNDO
        or last.before is None
        or last.after != state
    ):
        raise RejectedError(
            "There is nothing to undo here", "", "Only your own last decision can be taken back."
        )
    if now - last.at > UNDO_WITHIN:
        raise RejectedError("That decision is over 30 days old", "It stands.", "")
    return last
