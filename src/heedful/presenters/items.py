"""One item as a card or a row shows it: words, shape, evidence, and what the person may decide about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Literal

from heedful.actionables import Actionable, ItemSource, Priority, State
from heedful.core.ids import ActionableId
from heedful.presenters import times
from heedful.presenters.beside import beside
from heedful.presenters.quotations import Quotation, quotation

Shape = Literal["critical", "important", "normal", "waiting", "done", "dismissed", "snoozed"]

APPROVAL_NOTE = "Approving records your decision; Heedful does not act on it."
QUOTES_SHOWN = 3


class Verb(StrEnum):
    """What the person can do with an item: decide about it, or read the message it came from."""

    APPROVE = "approve"
    DONE = "done"
    SNOOZE = "snooze"
    DISMISS = "dismiss"
    UNDO = "undo"
    READ = "read"


@dataclass(frozen=True, slots=True)
class SnoozeChoice:
    """One entry of the snooze menu."""

    words: str
    lasts: timedelta


SNOOZES = (
    SnoozeChoice("For 1 hour", timedelta(hours=1)),
    SnoozeChoice("For 6 hours", timedelta(hours=6)),
    SnoozeChoice("For 24 hours", timedelta(hours=24)),
)


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item in words. `verbs[0]` is the primary one; `note` says honestly what a decision does, or nothing.

    `tag` names the shape for the ear and the eye: «Critical». `meta` is «Mail · Ana Lopes · 3 h ago», `detail` the
    row's second line, `due` the due moment or nothing, `age` short. `reasons` answer «Why this?». `repeats_quote`
    says that the description adds nothing where the first quotation is shown, `can_be_read` that there is a message.
    """

    id: ActionableId
    shape: Shape
    tag: str
    meta: str
    title: str
    description: str
    detail: str
    due: str
    age: str
    quotes: tuple[Quotation, ...]
    reasons: tuple[str, ...]
    verbs: tuple[Verb, ...]
    note: str = ""
    repeats_quote: bool = False
    can_be_read: bool = False


def said_at(item: Actionable) -> datetime:
    """When the last evidence was said; when the item was made, where it has none.

    An entry of a calendar was written at any time before; what counts is when it came up.
    """
    evidence = item.draft.evidence
    if item.draft.source is ItemSource.CALENDAR:
        return item.created_at
    if len(evidence) == 1:
        return evidence[0].said_at
    return max((one.said_at for one in evidence), default=item.created_at)


_RANKS = {priority: priority.rank for priority in Priority}
_NEVER = float("inf")


def by_urgency(item: Actionable) -> tuple[int, bool, float, float]:
    """Sorts the most urgent first: critical, then what waits for a word, then by due, then newest."""
    due = item.draft.due.timestamp() if item.draft.due is not None else _NEVER
    return (_RANKS[item.draft.priority], item.state is not State.AWAITING, due, -said_at(item).timestamp())


def matters_now(item: Actionable) -> bool:
    """Whether it deserves a card: a decision that is waited for, or something that can't wait long."""
    return item.draft.direction != "theirs" and (
        item.state is State.AWAITING or item.draft.priority is not Priority.NORMAL
    )


def item_view(item: Actionable, *, now: datetime, zone: tzinfo) -> ItemView:
    """The item in words, as of now."""
    draft = item.draft
    due = times.due_words(draft.due, now, zone) if draft.due is not None else ""
    said = said_at(item)
    waiting = draft.direction == "theirs" and item.state in (State.ACTIVE, State.AWAITING)
    quotes = tuple(dict.fromkeys(quotation(evidence, draft) for evidence in draft.evidence[:QUOTES_SHOWN]))
    return ItemView(
        id=item.id,
        shape=_shape(item, waiting=waiting),
        tag=_tag(item, waiting=waiting),
        meta=beside(draft.source_label, *draft.people[:1], times.ago_words(said, now)),
        title=draft.title,
        description=draft.description,
        detail=_detail(item, due, now=now, zone=zone, waiting=waiting),
        due=due,
        age=times.age_words(said, now),
        quotes=quotes,
        reasons=_reasons(item),
        verbs=_verbs(item.state),
        note=APPROVAL_NOTE if item.state is State.AWAITING else "",
        repeats_quote=any(_within(draft.description, quote.text) for quote in quotes),
        can_be_read=bool(draft.evidence),
    )


def _within(description: str, quote: str) -> bool:
    """Whether a description says no more than a quote does."""
    said = " ".join(description.split()).rstrip(".").casefold()
    return bool(said) and said in quote.casefold()


def _shape(item: Actionable, *, waiting: bool) -> Shape:
    match item.state:
        case State.COMPLETED | State.APPROVED:
            return "done"
        case State.DISMISSED | State.EXPIRED:
            return "dismissed"
        case State.SNOOZED:
            return "snoozed"
        case State.ACTIVE | State.AWAITING:
            return "waiting" if waiting else _PRIORITY_SHAPES[item.draft.priority]


_PRIORITY_SHAPES: dict[Priority, Shape] = {
    Priority.CRITICAL: "critical",
    Priority.IMPORTANT: "important",
    Priority.NORMAL: "normal",
}

_TAGS: dict[State, str] = {
    State.COMPLETED: "Done",
    State.APPROVED: "Approved",
    State.DISMISSED: "Dismissed",
    State.EXPIRED: "Over",
    State.SNOOZED: "Snoozed",
}


def _tag(item: Actionable, *, waiting: bool) -> str:
    if waiting:
        return "Waiting for others"
    return _TAGS.get(item.state, item.draft.priority.value.capitalize())


def _detail(item: Actionable, due: str, *, now: datetime, zone: tzinfo, waiting: bool) -> str:
    if item.state is State.SNOOZED and item.snoozed_until is not None:
        return f"until {times.moment_words(item.snoozed_until, now, zone)}"
    if item.state in _TAGS:
        return beside(_TAGS[item.state].lower(), times.moment_words(item.updated_at, now, zone))
    if waiting:
        return beside(times.since_words(said_at(item), now, zone), item.draft.source_label)
    return beside(due, item.draft.source_label)


def _reasons(item: Actionable) -> tuple[str, ...]:
    done = item.draft.done_by
    found = f"Found by {item.draft.finder}."
    if done is None:
        return (*item.draft.reasons, found)
    return (*item.draft.reasons, f"Already done: “{' '.join(done.quote.split())}”", found)


def _verbs(state: State) -> tuple[Verb, ...]:
    match state:
        case State.ACTIVE:
            return (Verb.DONE, Verb.SNOOZE, Verb.DISMISS)
        case State.AWAITING:
            return (Verb.APPROVE, Verb.DISMISS)
        case State.EXPIRED:
            return ()
        case State.APPROVED | State.COMPLETED | State.DISMISSED | State.SNOOZED:
            return (Verb.UNDO,)


def most_urgent_first(items: Sequence[Actionable]) -> list[Actionable]:
    """A new list in the order in which the person should see them."""
    return sorted(items, key=by_urgency)
