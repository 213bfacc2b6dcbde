"""Decisions on a real store: kept, told, found again after a restart, taken back."""

import asyncio
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from heedful.actionables import Actionable, Decisions, Draft, Priority, State
from heedful.core.bus import Bus
from heedful.core.errors import RejectedError
from heedful.core.events import ActionablesChanged
from heedful.core.ids import ActionableId
from heedful.core.paths import Home, home_at
from heedful.storage import Key, KeyKind, Store
from tests.actionables.drafts import BEGIN, draft, evidence, find
from tests.fakes.clock import FakeClock

HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(BEGIN)


@pytest.fixture
def decisions(store: Store, clock: FakeClock) -> Decisions:
    return Decisions(store, clock)


async def kept(store: Store, found: Draft | None = None) -> ActionableId:
    return (await find(store, found or draft(), BEGIN)).item.id


async def test_each_decision_is_kept_told_and_remembered(
    store: Store, decisions: Decisions, bus: Bus
) -> None:
    told: list[ActionablesChanged] = []
    bus.subscribe(ActionablesChanged, told.append)
    item_id = await kept(store)
    assert (await decisions.complete(item_id)).state is State.COMPLETED
    assert (await decisions.undo(item_id)).state is State.ACTIVE
    assert (await decisions.dismiss(item_id)).state is State.DISMISSED
    assert told == [ActionablesChanged((item_id,))] * 3
    verbs = [(change.actor, change.verb.value) for change in await decisions.history(item_id)]
    assert verbs == [("loop", "find"), ("person", "complete"), ("person", "undo"), ("person", "dismiss")]


async def test_only_what_waits_for_the_person_is_listed_unless_asked_for(
    store: Store, decisions: Decisions
) -> None:
    ids = [await kept(store, draft(f"Item {word}")) for word in ("one", "two", "three")]
    asks = await kept(store, draft("Approve it", requires_confirmation=True))
    await decisions.dismiss(ids[0])
    await decisions.snooze(ids[1], BEGIN + HOUR)
    assert {item.id for item in await decisions.items()} == {ids[2], asks}
    assert {item.id for item in await decisions.items(states=[State.DISMISSED])} == {ids[0]}
    assert len(await decisions.items(states=State)) == 4
    assert await decisions.items(states=()) == ()


async def test_the_most_urgent_comes_first_then_the_earliest_due_then_the_newest(
    store: Store, decisions: Decisions
) -> None:
    for title, priority, due in (
        ("normal", Priority.NORMAL, None),
        ("late", Priority.IMPORTANT, BEGIN + 9 * HOUR),
        ("soon", Priority.IMPORTANT, BEGIN + 2 * HOUR),
        ("some day", Priority.IMPORTANT, None),
        ("critical", Priority.CRITICAL, None),
    ):
        await kept(store, draft(title, priority=priority, due=due))
    titles = [item.draft.title for item in await decisions.items()]
    assert titles == ["critical", "soon", "late", "some day", "normal"]


async def test_every_field_of_an_item_comes_back_as_it_was(store: Store, decisions: Decisions) -> None:
    found = draft(
        "Pay the invoice ✓",
        actionable=False,
        requires_confirmation=True,
        has_complex_action=True,
        due=datetime.fromisoformat("2026-12-04T17:00:00-03:00"),
        due_text="by 5pm on Friday",
        direction="theirs",
        people=("Ana", "Rui ✓"),
        expires_at=BEGIN + timedelta(days=9),
        done_by=None,
        found_by="openai/gpt",
        prompt="conscious_loop@3",
        reasons=("It asks you.", "Não é automático."),
        evidence=(evidence(1), evidence(2, said_at=BEGIN)),
    )
    item_id = await kept(store, found)
    item = await decisions.item(item_id)
    assert item.draft == found
    assert item.draft.due is not None
    assert item.draft.due.isoformat() == "2026-12-04T17:00:00-03:00"
    assert item.state is State.AWAITING


async def test_the_evidence_of_being_done_comes_back_apart(store: Store, decisions: Decisions) -> None:
    done = evidence(2, said_at=BEGIN)
    item = await decisions.item(await kept(store, draft(done_by=done)))
    assert item.draft.done_by == done
    assert item.draft.evidence == (evidence(1),)


async def test_a_snoozed_item_wakes_by_itself_after_a_restart(
    home: Home, key: Key, store: Store, decisions: Decisions, clock: FakeClock
) -> None:
    plain, asks = await kept(store), await kept(store, draft("Approve it", requires_confirmation=True))
    for item_id in (plain, asks):
        await decisions.snooze(item_id, BEGIN + HOUR)
    assert await decisions.let_time_pass() == BEGIN + HOUR
    store.close()
    clock.advance(HOUR)
    again = Store.open(home, key, Bus())
    decisions = Decisions(again, clock)
    assert await decisions.let_time_pass() is None
    states = {item.id: item.state for item in await decisions.items()}
    again.close()
    assert states == {plain: State.ACTIVE, asks: State.AWAITING}


async def test_time_tells_what_it_changed_and_nothing_when_it_changed_nothing(
    store: Store, decisions: Decisions, clock: FakeClock, bus: Bus
) -> None:
    told: list[ActionablesChanged] = []
    bus.subscribe(ActionablesChanged, told.append)
    item_id = await kept(store, draft(expires_at=BEGIN + HOUR))
    assert await decisions.let_time_pass() == BEGIN + HOUR
    assert told == []
    clock.advance(HOUR)
    assert await decisions.let_time_pass() is None
    assert told == [ActionablesChanged((item_id,))]
    assert (await decisions.item(item_id)).state is State.EXPIRED


async def test_undoing_a_snooze_of_a_snooze_restores_the_first_end_unless_it_has_passed(
    store: Store, decisions: Decisions, clock: FakeClock
) -> None:
    item_id = await kept(store)
    await decisions.snooze(item_id, BEGIN + HOUR)
    await decisions.snooze(item_id, BEGIN + 5 * HOUR)
    assert (await decisions.undo(item_id)).snoozed_until == BEGIN + HOUR
    await decisions.snooze(item_id, BEGIN + 5 * HOUR)
    clock.advance(2 * HOUR)
    back = await decisions.undo(item_id)
    assert (back.state, back.snoozed_until) == (State.ACTIVE, None)


async def test_an_unknown_item_is_told_in_a_sentence(decisions: Decisions) -> None:
    gone = ActionableId("gone")
    for call in (decisions.item, decisions.approve, decisions.complete, decisions.dismiss, decisions.undo):
        with pytest.raises(RejectedError, match="no such item"):
            await call(gone)
    with pytest.raises(RejectedError, match="no such item"):
        await decisions.snooze(gone, BEGIN + HOUR)
    assert await decisions.history(gone) == ()


async def test_two_decisions_at_once_are_one_after_the_other(store: Store, decisions: Decisions) -> None:
    item_id = await kept(store)
    outcomes = await asyncio.gather(
        decisions.dismiss(item_id), decisions.complete(item_id), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [Actionable, RejectedError]
    assert (await decisions.item(item_id)).state is State.DISMISSED


async def test_many_items_come_back_with_their_evidence(store: Store, decisions: Decisions) -> None:
    for number in range(600):
        await kept(store, draft("Item " + "x" * number, evidence=(evidence(number),)))
    items = await decisions.items()
    assert len(items) == 600
    assert all(len(item.draft.evidence) == 1 for item in items)


class Life(RuleBasedStateMachine):
    """One item through whatever a person, a finder and time can do to it, with restarts in between."""

    @initialize(asks=st.booleans(), expires=st.sampled_from([None, 20, 400]))
    def begin(self, *, asks: bool, expires: int | None) -> None:
        self.folder = TemporaryDirectory(prefix="life-")
        self.home = home_at(Path(self.folder.name))
        self.runner = asyncio.Runner()
        self.clock = FakeClock(BEGIN)
        self.said = 1
        expires_at = None if expires is None else BEGIN + expires * HOUR
        self.draft = draft(requires_confirmation=asks, expires_at=expires_at)
        self.open_store()
        self.runner.run(find(self.store, self.draft, BEGIN))
        self.undo_to: Actionable | None = None
        self.dismissed = False

    def open_store(self) -> None:
        self.store = Store.open(self.home, Key(KeyKind.UNENCRYPTED, None), Bus())
        self.decisions = Decisions(self.store, self.clock)

    @property
    def item(self) -> Actionable:
        return self.runner.run(self.decisions.item(self.draft.id))

    def decide(self, verb: str) -> None:
        before = self.item
        try:
            if verb == "snooze":
                after = self.runner.run(self.decisions.snooze(before.id, self.clock.now() + 5 * HOUR))
            else:
                after = self.runner.run(getattr(self.decisions, verb)(before.id))
        except RejectedError:
            assert self.item == before
            return
        assert after == self.item
        self.undo_to, self.dismissed = before, after.state is State.DISMISSED

    @rule(verb=st.sampled_from(["approve", "complete", "dismiss", "snooze"]))
    def the_person_decides(self, verb: str) -> None:
        self.decide(verb)

    @rule()
    def the_person_takes_it_back(self) -> None:
        before = self.item
        try:
            after = self.runner.run(self.decisions.undo(before.id))
        except RejectedError:
            assert self.item == before
            return
        assert self.undo_to is not None, "there was nothing to take back"
        wanted = self.undo_to
        if wanted.snoozed_until is not None and wanted.snoozed_until <= self.clock.now():
            assert (after.state, after.snoozed_until) == (self.waiting, None)
        else:
            assert (after.state, after.snoozed_until) == (wanted.state, wanted.snoozed_until)
        assert after.draft == before.draft
        self.undo_to, self.dismissed = None, False

    @property
    def waiting(self) -> State:
        return State.AWAITING if self.draft.requires_confirmation else State.ACTIVE

    @rule(hours=st.sampled_from([1, 6, 24, 24 * 29]))
    def time_passes(self, hours: int) -> None:
        self.clock.advance(hours * HOUR)
        before = self.item
        self.runner.run(self.decisions.let_time_pass())
        if self.item != before:
            self.undo_to = None

    @rule(newer=st.booleans(), done=st.booleans(), from_the_same=st.booleans())
    def a_finder_meets_it(self, *, newer: bool, done: bool, from_the_same: bool) -> None:
        before = self.item
        if not from_the_same:
            self.said += 1
        said_at = self.clock.now() if newer else BEGIN - 2 * HOUR
        seen = evidence(self.said, said_at=said_at)
        found = draft(
            requires_confirmation=self.draft.requires_confirmation,
            expires_at=self.draft.expires_at,
            evidence=(seen,),
            done_by=seen if done else None,
        )
        self.runner.run(find(self.store, found, self.clock.now()))
        after = self.item
        assert after.last_seen_at == self.clock.now()
        if before.state in (State.COMPLETED, State.EXPIRED, State.APPROVED) and not newer:
            assert after.state is before.state
        if after.state is not before.state:
            self.undo_to = None

    @rule()
    def the_program_starts_again(self) -> None:
        before = self.item
        self.store.close()
        self.open_store()
        assert self.item == before

    @invariant()
    def it_was_born_once_and_what_was_dismissed_stays_away(self) -> None:
        item = self.item
        assert item.created_at == BEGIN
        assert item.id == self.draft.id
        assert (item.snoozed_until is not None) == (item.state is State.SNOOZED)
        if self.dismissed:
            assert item.state is State.DISMISSED
            assert item not in self.runner.run(self.decisions.items())

    @invariant()
    def its_history_is_a_chain_that_ends_where_it_stands(self) -> None:
        history = self.runner.run(self.decisions.history(self.draft.id))
        for earlier, later in pairwise(history):
            assert later.before is earlier.after
            assert later.at >= earlier.at
        assert history[-1].after is self.item.state

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.runner.close()
            self.folder.cleanup()


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=15, stateful_step_count=25, deadline=None, derandomize=True)
