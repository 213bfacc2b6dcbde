"""What a finding does to what is known already."""

from dataclasses import replace
from datetime import timedelta

import pytest

from heedful.actionables import Actionable, Draft, Priority, State, Verb, meet
from tests.actionables.drafts import BEGIN, draft, evidence

LATER = BEGIN + timedelta(hours=2)
NEWER = evidence(2, said_at=BEGIN + timedelta(hours=1))
OLDER = evidence(2, said_at=BEGIN - timedelta(hours=3))


def known(state: State, found: Draft | None = None) -> Actionable:
    until = LATER + timedelta(hours=1) if state is State.SNOOZED else None
    made = found or draft()
    return Actionable(made.id, made, state, BEGIN, BEGIN, BEGIN, until)


def test_what_is_not_known_is_a_new_item_from_now_on() -> None:
    met = meet(draft(), None, BEGIN)
    assert met.outcome == "new"
    assert met.item.state is State.ACTIVE
    assert met.item.created_at == met.item.updated_at == met.item.last_seen_at == BEGIN
    assert met.change is not None
    assert (met.change.verb, met.change.before, met.change.after) == (Verb.FIND, None, State.ACTIVE)


def test_what_needs_a_yes_awaits_it_and_what_is_done_already_is_kept_as_done() -> None:
    assert meet(draft(requires_confirmation=True), None, BEGIN).item.state is State.AWAITING
    assert meet(draft(done_by=NEWER), None, BEGIN).item.state is State.COMPLETED


@pytest.mark.parametrize("state", State)
def test_seeing_the_very_same_again_moves_only_when_it_was_last_seen(state: State) -> None:
    item = known(state)
    met = meet(draft(), item, LATER)
    assert met.item == replace(item, last_seen_at=LATER)
    assert met.change is None
    assert met.outcome == ("kept away" if state is State.DISMISSED else "same")


@pytest.mark.parametrize("state", [State.ACTIVE, State.SNOOZED])
def test_new_words_and_evidence_follow_while_it_is_open(state: State) -> None:
    met = meet(draft(priority=Priority.CRITICAL, evidence=(NEWER,)), known(state), LATER)
    assert met.outcome == "updated"
    assert met.item.state is state
    assert met.item.draft.priority is Priority.CRITICAL
    assert [e.message_id for e in met.item.draft.evidence] == ["m1", "m2"]
    assert met.item.created_at == BEGIN
    assert met.item.snoozed_until == known(state).snoozed_until


@pytest.mark.parametrize("found", [draft(evidence=(NEWER,)), draft(done_by=NEWER), draft(evidence=(OLDER,))])
def test_a_dismissed_item_never_returns_whatever_is_found(found: Draft) -> None:
    item = known(State.DISMISSED)
    assert meet(found, item, LATER).item == replace(item, last_seen_at=LATER)


@pytest.mark.parametrize("state", [State.COMPLETED, State.EXPIRED, State.APPROVED])
def test_what_is_over_is_reopened_by_newer_evidence_only(state: State) -> None:
    again = meet(draft(evidence=(NEWER,)), known(state), LATER)
    assert again.item.state is State.ACTIVE
    assert again.change is not None
    assert again.change.verb is Verb.REOPEN
    for found in (
        draft(evidence=(OLDER,)),
        draft(evidence=()),
        draft(evidence=(NEWER,), done_by=NEWER),
        draft(),
    ):
        met = meet(found, known(state), LATER)
        assert met.item.state is state
        assert met.change is None


@pytest.mark.parametrize("state", [State.ACTIVE, State.AWAITING, State.SNOOZED])
def test_what_turns_out_to_be_done_is_completed_with_that_evidence(state: State) -> None:
    met = meet(draft(done_by=NEWER), known(state), LATER)
    assert met.item.state is State.COMPLETED
    assert met.item.draft.done_by == NEWER
    assert met.item.snoozed_until is None
    assert met.change is not None
    assert (met.change.actor, met.change.verb) == ("loop", Verb.COMPLETE)


def test_an_item_that_comes_to_need_a_yes_awaits_it() -> None:
    met = meet(draft(requires_confirmation=True), known(State.ACTIVE), LATER)
    assert met.item.state is State.AWAITING


def test_a_finder_that_is_surer_or_another_one_is_no_change_worth_telling() -> None:
    assert (
        meet(draft(confidence=0.9, found_by="x/y", prompt="p@2"), known(State.ACTIVE), LATER).outcome
        == "same"
    )


def test_the_id_follows_the_title_and_the_source_alone() -> None:
    assert draft().id == draft(description="other", confidence=0.1).id
    assert draft().id == draft("  send THE report to ana ").id
    assert draft().id != draft("Send the reports to Ana").id
