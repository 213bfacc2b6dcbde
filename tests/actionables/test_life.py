"""The table of an item's life: every verb from every state, and what undo may take back."""

from datetime import timedelta

import pytest

from heedful.actionables import Change, State, Verb
from heedful.actionables.life import LONGEST_SNOOZE, Actor, after, check_snooze, open_state, undone
from heedful.core.errors import RejectedError
from tests.actionables.drafts import BEGIN

OPENED = "active or awaiting"

TABLE: dict[Verb, dict[str, str]] = {
    Verb.APPROVE: {"awaiting": "approved", "snoozed": "approved"},
    Verb.COMPLETE: {
        "active": "completed",
        "awaiting": "completed",
        "snoozed": "completed",
        "approved": "completed",
    },
    Verb.DISMISS: {
        "active": "dismissed",
        "awaiting": "dismissed",
        "snoozed": "dismissed",
        "approved": "dismissed",
    },
    Verb.SNOOZE: {"active": "snoozed", "awaiting": "snoozed", "snoozed": "snoozed"},
    Verb.WAKE: {"snoozed": OPENED},
    Verb.EXPIRE: {"active": "expired", "awaiting": "expired", "snoozed": "expired"},
    Verb.REOPEN: {"completed": OPENED, "expired": OPENED, "approved": OPENED},
    Verb.UNDO: {},
    Verb.FIND: {},
}


@pytest.mark.parametrize("verb", Verb)
@pytest.mark.parametrize("state", State)
@pytest.mark.parametrize("asks", [True, False])
def test_a_verb_leads_where_the_table_says_and_nowhere_else(verb: Verb, state: State, *, asks: bool) -> None:
    target = TABLE[verb].get(state.value)
    if target is None or (verb is Verb.APPROVE and not asks):
        with pytest.raises(RejectedError) as caught:
            after(verb, state, requires_confirmation=asks)
        assert caught.value.title
        return
    wanted = open_state(requires_confirmation=asks) if target == OPENED else State(target)
    assert after(verb, state, requires_confirmation=asks) is wanted


def test_nothing_but_an_undo_leads_out_of_dismissed() -> None:
    assert not [verb for verb, states in TABLE.items() if "dismissed" in states]


@pytest.mark.parametrize(
    ("ahead", "passes"),
    [
        (timedelta(0), False),
        (-timedelta(seconds=1), False),
        (timedelta(seconds=1), True),
        (LONGEST_SNOOZE, True),
        (LONGEST_SNOOZE + timedelta(seconds=1), False),
    ],
)
def test_a_snooze_ends_in_the_future_and_within_a_year(ahead: timedelta, *, passes: bool) -> None:
    if passes:
        check_snooze(BEGIN + ahead, BEGIN)
    else:
        with pytest.raises(RejectedError):
            check_snooze(BEGIN + ahead, BEGIN)


def change(actor: Actor, verb: Verb, before: State | None, after_: State) -> Change:
    return Change(BEGIN, actor, verb, before, after_)


FOUND = change("loop", Verb.FIND, None, State.ACTIVE)
DISMISSED = change("person", Verb.DISMISS, State.ACTIVE, State.DISMISSED)


@pytest.mark.parametrize(
    ("history", "state"),
    [
        ((), State.ACTIVE),
        ((FOUND,), State.ACTIVE),
        ((FOUND, change("loop", Verb.COMPLETE, State.ACTIVE, State.COMPLETED)), State.COMPLETED),
        ((FOUND, change("time", Verb.EXPIRE, State.ACTIVE, State.EXPIRED)), State.EXPIRED),
        ((FOUND, DISMISSED, change("person", Verb.UNDO, State.DISMISSED, State.ACTIVE)), State.ACTIVE),
        ((FOUND, DISMISSED), State.ACTIVE),
    ],
)
def test_only_the_persons_own_last_decision_can_be_undone(history: tuple[Change, ...], state: State) -> None:
    with pytest.raises(RejectedError, match="nothing to undo"):
        undone(history, state, BEGIN)


def test_a_decision_can_be_undone_for_thirty_days() -> None:
    history = (FOUND, DISMISSED)
    assert undone(history, State.DISMISSED, BEGIN + timedelta(days=30)) == DISMISSED
    with pytest.raises(RejectedError, match="over 30 days old"):
        undone(history, State.DISMISSED, BEGIN + timedelta(days=30, seconds=1))
