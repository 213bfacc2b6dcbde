"""The Activity tab."""

from dataclasses import replace

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import DamageError
from heedful.core.events import TickRecorded
from heedful.core.ids import RunId
from heedful.core.supervise import Supervisor
from heedful.presenters.activity import ActivityPresenter
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeActivity, FakeLoop
from tests.presenters.turns import turns


@pytest.fixture
def record() -> FakeActivity:
    return FakeActivity(list(samples.looks()), samples.SUMMARY, {"season sale": samples.explanation()})


@pytest.fixture
def activity(record: FakeActivity, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> ActivityPresenter:
    return ActivityPresenter(record, FakeLoop(), bus=bus, clock=clock, supervisor=supervisor)


async def test_each_look_says_what_came_of_it_and_why_it_was_silent(activity: ActivityPresenter) -> None:
    await activity.load()
    day = activity.view.value.days[0]
    assert (day.title, day.note) == ("Today", "24 looks · 3 model calls · 1,912 tokens · $0.00")
    assert [(look.time, look.title, look.duration) for look in day.looks] == [
        ("10:30", "Quiet", "14 ms"),
        ("10:25", "2 new messages, 1 item", "3.1 s"),
        ("10:20", "1 new message, nothing for you", "22 ms"),
        ("10:15", "The model server did not answer", "120 s"),
        ("10:10", "A newer look took over", "400 ms"),
        ("10:05", "38 new messages, 6 items, 2 updated", "640 ms"),
    ]
    assert day.looks[0].detail == "Nothing new since 10:25 · no model call"
    assert day.looks[1].detail == "qwen2.5:1.5b, 1 call, 612 tokens"
    assert day.looks[3].detail.startswith("It was tried 3 times")


async def test_a_look_at_thousands_of_messages_counts_them_once(
    activity: ActivityPresenter, record: FakeActivity
) -> None:
    notes = ("7504 new messages, nothing for you.", "A newsletter of 7,000 was left out.")
    record.rows = [replace(record.rows[2], messages=7_504, notes=notes)]
    await activity.load()
    look = activity.view.value.days[0].looks[0]
    assert (look.title, look.detail) == (
        "7,504 new messages, nothing for you",
        "A newsletter of 7,000 was left out · built-in finder",
    )


async def test_an_item_without_a_new_message_is_not_nothing(
    activity: ActivityPresenter, record: FakeActivity
) -> None:
    record.rows = [replace(record.rows[1], messages=0, new=1, updated=0, notes=())]
    await activity.load()
    assert activity.view.value.days[0].looks[0].title == "1 item"


async def test_why_was_i_not_told_is_answered_with_reasons(activity: ActivityPresenter) -> None:
    await activity.ask_why("season sale")
    why = activity.view.value.why
    assert why is not None
    assert why.headline == "“Season sale ends Sunday” stayed silent"
    assert "It is bulk mail." in why.reasons


async def test_words_that_fit_nothing_are_answered_too(activity: ActivityPresenter) -> None:
    await activity.ask_why("giraffe")
    why = activity.view.value.why
    assert why is not None
    assert (why.headline, why.reasons) == (
        "Nothing fits that",
        ("Try other words of the message, or its sender.",),
    )
    await activity.ask_why("  ")
    assert activity.view.value.why is None


async def test_a_new_look_appears_by_itself(
    activity: ActivityPresenter, record: FakeActivity, bus: Bus
) -> None:
    record.rows = record.rows[1:]
    await activity.load()
    record.rows = list(samples.looks())
    bus.publish([TickRecorded(RunId("r30"))])
    await turns()
    assert activity.view.value.days[0].looks[0].time == "10:30"


async def test_no_look_yet_is_a_state_of_its_own(activity: ActivityPresenter, record: FakeActivity) -> None:
    record.rows = []
    await activity.load()
    assert activity.view.value.stage == "empty"


async def test_a_record_that_can_not_be_read_says_why(
    activity: ActivityPresenter, record: FakeActivity
) -> None:
    record.failure = DamageError("The store is damaged")
    await activity.load()
    assert activity.view.value.trouble is not None
    assert activity.view.value.trouble.headline == "The store is damaged"
