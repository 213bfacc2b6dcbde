"""What happens when a finder meets a finding: a new item, the same item again, or one the person has done with.

not known                         → a new item, open (or completed, when it is already done)
known, open or snoozed            → seen again: `last_seen_at`, wording and evidence follow, the state stays
known, approved                   → seen again; newer evidence reopens it
known, completed or expired       → reopened only by evidence newer than its end
known, dismissed                  → seen again, never returns
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from heedful.actionables.item import Actionable, Draft, Evidence, State
from heedful.actionables.life import Change, Verb, open_state

Outcome = Literal["new", "updated", "same", "kept away"]

_FINAL = frozenset({State.COMPLETED, State.EXPIRED, State.APPROVED})


@dataclass(frozen=True, slots=True)
class Meeting:
    """What to write: the item as it stands now, the step of its life if there was one, and what to call it."""

    item: Actionable
    change: Change | None
    outcome: Outcome


def meet(draft: Draft, known: Actionable | None, now: datetime) -> Meeting:
    """Decides by the table above; pure."""
    if known is None:
        return _first(draft, now)
    if known.state is State.DISMISSED:
        return Meeting(replace(known, last_seen_at=now), None, "kept away")
    merged = replace(draft, evidence=_union(known.draft.evidence, draft.evidence))
    if draft.done_by is not None and known.state not in _FINAL:
        return _finish(known, merged, now)
    if known.state in _FINAL:
        return _again(known, merged, draft, now)
    seen = replace(known, last_seen_at=now)
    if _same(known.draft, merged):
        return Meeting(seen, None, "same")
    waiting = open_state(requires_confirmation=merged.requires_confirmation)
    state = known.state if known.state is State.SNOOZED else waiting
    return Meeting(replace(seen, draft=merged, state=state, updated_at=now), None, "updated")


def _first(draft: Draft, now: datetime) -> Meeting:
    state = open_state(requires_confirmation=draft.requires_confirmation)
    if draft.done_by is not None:
        state = State.COMPLETED
    item = Actionable(draft.id, draft, state, created_at=now, updated_at=now, last_seen_at=now)
    return Meeting(item, Change(now, "loop", Verb.FIND, None, state), "new")


def _finish(known: Actionable, merged: Draft, now: datetime) -> Meeting:
    item = replace(
        known, draft=merged, state=State.COMPLETED, updated_at=now, last_seen_at=now, snoozed_until=None
    )
    change = Change(now, "loop", Verb.COMPLETE, known.state, State.COMPLETED, known.snoozed_until)
    return Meeting(item, change, "updated")


def _again(known: Actionable, merged: Draft, draft: Draft, now: datetime) -> Meeting:
    newest = max((evidence.said_at for evidence in draft.evidence), default=None)
    if draft.done_by is not None or newest is None or newest <= known.updated_at or _known(draft, known):
        return Meeting(replace(known, last_seen_at=now), None, "same")
    state = open_state(requires_confirmation=draft.requires_confirmation)
    item = replace(known, draft=merged, state=state, updated_at=now, last_seen_at=now, snoozed_until=None)
    return Meeting(item, Change(now, "loop", Verb.REOPEN, known.state, state), "updated")


def _known(draft: Draft, known: Actionable) -> bool:
    before = {evidence.message_id for evidence in known.draft.evidence}
    return all(evidence.message_id in before for evidence in draft.evidence)


def _union(before: tuple[Evidence, ...], fresh: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    kept = {(evidence.message_id, evidence.start): evidence for evidence in (*fresh, *before)}
    return tuple(sorted(kept.values(), key=lambda evidence: (evidence.said_at, evidence.start)))


def _same(before: Draft, fresh: Draft) -> bool:
    return replace(before, confidence=0.0, found_by="", prompt="") == replace(
        fresh, confidence=0.0, found_by="", prompt="", due=fresh.due, evidence=fresh.evidence
    )
