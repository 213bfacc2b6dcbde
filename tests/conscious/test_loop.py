"""What a look does, whatever comes of it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from heedful.actionables import State
from heedful.conscious import ModelReport, TickRow, activity_store
from heedful.core.errors import PassingError
from heedful.core.events import ConsciousLoopCompleted, ConsciousLoopFailed, ConsciousLoopStarted, Event
from heedful.core.ids import RunId
from heedful.judgement import BuiltinFinder, Judged
from heedful.memory import ThreadView
from heedful.memory.forget.at_once import forget_now
from heedful.storage import Connection
from tests.conscious.house import NOON, House, letter, open_house

ASK = "Could you please send me the October sales report by tomorrow?"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    opened = open_house(tmp_path)
    yield opened
    await opened.close()


class SlowModel:
    """Blocks on its first call until cancelled, and tells that it was."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.cancelled = 0
        self.runs = 0

    async def run(self, run_id: RunId, report: ModelReport, *, room: int) -> None:
        self.runs += 1
        self.began.set()
        if self.runs > 1:
            return
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


class FailingModel:
    """Fails until it is well again."""

    def __init__(self) -> None:
        self.well = False

    async def run(self, run_id: RunId, report: ModelReport, *, room: int) -> None:
        if not self.well:
            raise PassingError("The model server did not answer", "It was tried 3 times.")


async def test_a_look_turns_a_request_into_an_item_with_the_sentence_it_came_from(house: House) -> None:
    await house.receive(letter(1, f"Hi Rui,\n\n{ASK}\n\nThanks, Ana"))
    row = await house.loop.tick("manual")
    (item,) = await house.decisions.items()
    assert (row.outcome, row.new, row.messages) == ("completed", 1, 1)
    assert item.state is State.ACTIVE
    assert item.draft.evidence[0].quote == ASK


async def test_a_look_names_the_sources_that_are_not_paused(house: House) -> None:
    first = await house.receive(letter(1, ASK), source="Mail")
    second = await house.receive(letter(2, ASK), source="Chat")
    assert set((await house.loop.tick("manual")).namespaces) == {first, second}
    await house.library.pause(first)
    assert (await house.loop.tick("manual")).namespaces == (second,)


async def test_a_quiet_look_counts_nobodys_messages(house: House) -> None:
    await house.receive(letter(1, ASK))
    await house.loop.tick("manual")
    await house.store.write(lambda c: (c.execute("ALTER TABLE origins RENAME TO uncountable"), []))
    assert (await house.loop.tick("timer")).outcome == "quiet"


async def test_a_look_with_nothing_new_is_quiet_and_says_since_when(house: House) -> None:
    await house.receive(letter(1, ASK))
    await house.loop.tick("manual")
    row = await house.loop.tick("timer")
    assert (row.outcome, row.model_calls, row.new) == ("quiet", 0, 0)
    assert row.notes == ("Nothing new since 12:00.",)


async def test_what_comes_after_the_newest_message_was_forgotten_is_looked_at(house: House) -> None:
    await house.receive(letter(1, "The sun shines."), letter(2, "It rains."))
    await house.loop.tick("manual")
    newest = await house.store.read(lambda c: c.value("SELECT id FROM messages ORDER BY changed DESC"))
    await forget_now(house.store, house.clock, [str(newest)])
    await house.receive(letter(3, ASK))
    row = await house.loop.tick("manual")
    assert (row.outcome, row.new, row.messages) == ("completed", 1, 1)


async def test_no_sources_at_all_is_a_quiet_look_and_no_error(house: House) -> None:
    row = await house.loop.tick("manual")
    assert row.outcome == "quiet"
    assert [type(e) for e in house.heard if isinstance(e, ConsciousLoopCompleted)] == [ConsciousLoopCompleted]


async def test_the_events_carry_exactly_the_payloads_of_the_protocol(house: House) -> None:
    source = await house.receive(letter(1, ASK))
    row = await house.loop.tick("manual")
    told = [e for e in house.heard if isinstance(e, ConsciousLoopStarted | ConsciousLoopCompleted)]
    assert told == [
        ConsciousLoopStarted(row.run_id, NOON, (source,)),
        ConsciousLoopCompleted(row.run_id, 1, row.duration_ms),
    ]


async def test_a_request_returns_its_run_id_at_once_and_the_row_follows(house: House) -> None:
    run_id = house.loop.request("manual")
    row = await house.loop.tick("manual")
    ids = [tick.run_id for tick in await house.activity.ticks()]
    assert {run_id, row.run_id} == set(ids)


async def test_ten_requests_in_a_row_leave_one_look_and_nine_superseded_rows(house: House) -> None:
    for _ in range(9):
        house.loop.request("manual")
    row = await house.loop.tick("manual")
    outcomes = sorted(tick.outcome for tick in await house.activity.ticks())
    assert row.outcome == "quiet"
    assert outcomes == ["quiet", *["superseded"] * 9]


async def test_a_newer_request_takes_over_and_the_older_look_is_cancelled(tmp_path: Path) -> None:
    model = SlowModel()
    house = open_house(tmp_path, model=model)
    first = house.loop.request("timer")
    await model.began.wait()
    second = await house.loop.tick("manual")
    rows = {tick.run_id: tick.outcome for tick in await house.activity.ticks()}
    await house.close()
    assert model.cancelled == 1
    assert rows == {first: "superseded", second.run_id: "quiet"}


async def test_a_failing_model_raises_the_error_event_and_leaves_the_builtin_findings(
    tmp_path: Path, expected_logs: list[str]
) -> None:
    model = FailingModel()
    house = open_house(tmp_path, model=model)
    await house.receive(letter(1, ASK))
    row = await house.loop.tick("manual")
    titles = await house.titles()
    failed = [e for e in house.heard if isinstance(e, ConsciousLoopFailed)]
    await house.close()
    assert row.outcome == "error"
    assert len(titles) == 1
    assert len(expected_logs) == 1
    assert failed == [
        ConsciousLoopFailed(
            row.run_id, "The model server did not answer. It was tried 3 times.", "PassingError"
        )
    ]


async def test_a_dead_process_leaves_no_look_running_after_the_next_start(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    run_id = RunId("cut off")
    died = TickRow(run_id, "timer", "running", NOON)

    def leave_running(connection: Connection) -> tuple[None, list[Event]]:
        activity_store.write_tick(connection, died)
        return None, []

    await house.store.write(leave_running)
    await house.close()
    house = open_house(tmp_path)
    await house.loop.start(first_after_s=3600)
    rows = {tick.run_id: tick.outcome for tick in await house.activity.ticks()}
    await house.close()
    assert rows[run_id] == "interrupted"


async def test_a_dismissed_item_stays_dismissed_after_a_restart_and_a_new_look(tmp_path: Path) -> None:
    house = open_house(tmp_path)
    await house.receive(letter(1, ASK))
    await house.loop.tick("manual")
    (item,) = await house.decisions.items()
    await house.decisions.dismiss(item.id)
    await house.close()
    house = open_house(tmp_path)
    await house.receive(letter(2, "Just a reminder: " + ASK, thread="t1"))
    await house.loop.tick("manual")
    titles = await house.titles()
    again = await house.decisions.item(item.id)
    await house.close()
    assert titles == []
    assert again.state is State.DISMISSED


async def test_an_answer_of_the_persons_later_in_the_thread_completes_the_item(house: House) -> None:
    await house.receive(letter(1, ASK, thread="report"))
    await house.loop.tick("manual")
    (item,) = await house.decisions.items()
    answer = letter(
        2,
        "Here is the October sales report, attached.",
        thread="report",
        from_me=True,
        ago=timedelta(hours=1),
    )
    await house.receive(answer)
    await house.loop.tick("timer")
    done = await house.decisions.item(item.id)
    assert done.state is State.COMPLETED
    assert done.draft.done_by is not None
    assert "October sales report" in done.draft.done_by.quote
    assert await house.titles() == []


async def test_the_same_finding_in_two_looks_is_one_item_with_one_birthday(house: House) -> None:
    await house.receive(letter(1, ASK))
    await house.loop.tick("manual")
    (first,) = await house.decisions.items()
    house.clock.advance(timedelta(hours=1))
    await house.receive(letter(2, ASK, thread="t1", ago=timedelta(minutes=5)))
    await house.loop.tick("timer")
    (second,) = await house.decisions.items()
    assert second.id == first.id
    assert second.created_at == first.created_at
    assert second.last_seen_at > first.last_seen_at


async def test_twenty_five_findings_keep_the_twenty_most_urgent_and_name_the_rest(house: House) -> None:
    asked_for = "abcdefghijklmnopqrstuvwxy"
    rows = [
        letter(
            n,
            f"Could you please send me the {letter_ * 5} report by tomorrow?",
            subject=f"{letter_ * 5} report",
        )
        for n, letter_ in enumerate(asked_for)
    ]
    await house.receive(*rows)
    row = await house.loop.tick("manual")
    assert len(await house.decisions.items()) == 20
    assert len(row.rejected) == 5
    assert all("more urgent items came first" in sentence for sentence in row.rejected)


async def test_why_answers_for_an_item_and_for_a_message_that_stayed_silent(house: House) -> None:
    await house.receive(letter(1, ASK), letter(2, "hahaha, what a goal last night", subject="Goal"))
    await house.loop.tick("manual")
    (item,) = await house.decisions.items()
    why_item = await house.activity.why(item.id)
    why_silent = await house.activity.why("goal last night")
    assert why_item.verdict == "item"
    assert why_item.reasons
    assert why_silent.verdict == "silent"
    assert why_silent.reasons


async def test_a_paused_loop_lets_the_timer_pass_until_the_pause_ends(house: House) -> None:
    await house.loop.pause(NOON + timedelta(hours=1))
    paused = await house.loop.paused()
    house.clock.advance(timedelta(hours=2))
    after = await house.loop.paused()
    assert paused == (True, NOON + timedelta(hours=1))
    assert after == (False, None)


async def test_a_time_in_which_the_store_was_locked_leaves_a_row_that_says_so(house: House) -> None:
    house.clock.advance(timedelta(minutes=12))
    await house.loop.tell_locked(NOON)
    (row,) = await house.activity.ticks()
    assert (row.outcome, row.started_at, row.duration_ms) == ("skipped", NOON, 720_000)
    assert row.notes == ("The store was locked until 12:12; nothing was looked at.",)


class StumblingFinder(BuiltinFinder):
    """Has a bug that the threads of one title meet."""

    def find(self, thread: ThreadView, *, now: datetime, zone: tzinfo, own: frozenset[str]) -> Judged:
        if thread.title == "Stumble":
            raise ZeroDivisionError
        return super().find(thread, now=now, zone=zone, own=own)


async def test_a_thread_that_meets_a_bug_ends_no_look_and_its_silence_is_explained(
    tmp_path: Path, expected_logs: list[str]
) -> None:
    house = open_house(tmp_path, finder=StumblingFinder())
    await house.receive(letter(1, f"Hi Rui,\n\n{ASK}", subject="Stumble"), letter(2, f"Hi Rui,\n\n{ASK}"))
    row = await house.loop.tick("manual")
    again = await house.loop.tick("timer")
    titles = await house.titles()
    reasons = await house.store.read(lambda c: c.rows("SELECT verdict, reasons FROM verdicts"))
    await house.close()
    assert (row.outcome, again.outcome) == ("completed", "quiet")
    assert len(titles) == 1
    assert any(verdict == "silent" and "a fault of its own" in str(reason) for verdict, reason in reasons)
    assert len(expected_logs) == 1


async def test_an_event_of_the_next_day_is_counted_once_and_is_no_new_message_when_it_comes_into_sight(
    house: House,
) -> None:
    await house.receive(*(letter(n, f"hahaha, goal number {n}", subject=f"Goal {n}") for n in range(210)))
    await house.receive_calendar("Dentist", starts=house.clock.now() + timedelta(hours=5))
    await house.receive_calendar("Rehearsal", starts=house.clock.now() + timedelta(hours=30))
    first = await house.loop.tick("manual")
    assert first.messages == 212
    house.clock.advance(timedelta(hours=12))
    second = await house.loop.tick("timer")
    assert (second.messages, second.outcome, second.new) == (0, "completed", 1)
    assert not any("new message" in note for note in second.notes)
    assert (await house.loop.tick("timer")).outcome == "quiet"
