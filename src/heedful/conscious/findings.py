"""Puts what finders found into the store, one item at a time: one that fails does not stop the rest."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from heedful.actionables import Actionable, Draft, State, actionables_store, meet
from heedful.core.errors import DamageError, HeedfulError
from heedful.core.ids import ActionableId
from heedful.judgement import merge, most_urgent, twin_of
from heedful.memory.intake.departures import are_there
from heedful.storage import Connection

log = logging.getLogger(__name__)

_LIVE = (State.ACTIVE, State.AWAITING, State.SNOOZED)


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of a set of drafts: ids by outcome, and sentences on those that were not kept."""

    new: tuple[ActionableId, ...] = ()
    updated: tuple[ActionableId, ...] = ()
    seen: tuple[ActionableId, ...] = ()
    rejected: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[ActionableId, ...]:
        return (*self.new, *self.updated)

    def __add__(self, other: "Stored") -> "Stored":
        return Stored(
            self.new + other.new,
            self.updated + tuple(i for i in other.updated if i not in self.new + self.updated),
            self.seen + other.seen,
            self.rejected + other.rejected,
        )


def store_drafts(connection: Connection, drafts: Iterable[Draft], *, now: datetime, room: int) -> Stored:
    """Merges twins, keeps the `room` most urgent, and lets each meet what is known of it.

    Runs inside the caller's transaction; each item in a savepoint of its own.

    Raises:
        DamageError: The disk or the store failed: then nothing of the transaction may stand.
    """
    still_true = [draft for draft in drafts if _is_still_said(connection, draft)]
    kept, dropped = most_urgent(merge(still_true), limit=max(room, 0))
    outcome = Stored(rejected=tuple(f"“{draft.title}”: more urgent items came first." for draft in dropped))
    live = list(actionables_store.items(connection, _LIVE))
    for draft in kept:
        try:
            with connection.savepoint("one_item"):
                outcome += _store_one(connection, draft, live, now=now)
        except DamageError:
            raise
        except HeedfulError as exc:
            log.warning("an item could not be stored: %s", type(exc).__name__)
            outcome += Stored(rejected=(f"“{draft.title}” could not be saved: {exc.title}.",))
    return outcome


def _is_still_said(connection: Connection, draft: Draft) -> bool:
    """Whether all that this was found in is still there: it may have been forgotten, or have gone, meanwhile."""
    return are_there(connection, {evidence.message_id for evidence in draft.evidence})


def _store_one(connection: Connection, draft: Draft, live: list[Actionable], *, now: datetime) -> Stored:
    known = _known(connection, draft, live)
    if known is not None:
        draft = _worded(draft, known)
    meeting = meet(draft, known, now)
    actionables_store.write(connection, meeting.item)
    if meeting.change is not None:
        actionables_store.note(connection, meeting.item.id, meeting.change)
    match meeting.outcome:
        case "new":
            live.append(meeting.item)
            return Stored(new=(meeting.item.id,))
        case "updated":
            return Stored(updated=(meeting.item.id,))
        case "same" | "kept away":
            return Stored(seen=(meeting.item.id,))


def _worded(draft: Draft, known: Actionable) -> Draft:
    """The draft in the words the item keeps: a model's over the built-in finder's, else those it has."""
    before = known.draft
    if not before.evidence:
        return draft  # what it was said in is gone from its source, and its words with it
    if before.is_builtin and not draft.is_builtin:
        return draft
    if draft.is_builtin and not before.is_builtin:
        return replace(
            draft,
            title=before.title,
            description=before.description,
            found_by=before.found_by,
            prompt=before.prompt,
        )
    return replace(draft, title=before.title)


def _known(connection: Connection, draft: Draft, live: list[Actionable]) -> Actionable | None:
    """The item this is: of the same id, a live twin, or one in any state that shares its evidence."""
    same = actionables_store.item(connection, draft.id)
    if same is not None:
        return same
    of_evidence = actionables_store.of_messages(
        connection, [evidence.message_id for evidence in draft.evidence]
    )
    candidates = {item.id: item for item in (*live, *of_evidence)}
    twin = twin_of(draft, [item.draft for item in candidates.values()])
    return None if twin is None else candidates.get(twin.id)
