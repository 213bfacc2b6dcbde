"""The state in words, for header and tray."""

from datetime import timedelta

import pytest

from heedful.actionables import Priority, State
from heedful.core.bus import Bus
from heedful.core.events import (
    ConsciousLoopCompleted,
    ConsciousLoopFailed,
    ConsciousLoopStarted,
    SourceProgressed,
    SourcesChanged,
    StoreStateChanged,
)
from heedful.core.ids import RunId, SourceId
from heedful.core.supervise import Supervisor
from heedful.presenters.frame import FramePresenter
from heedful.presenters.moods import Mood
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.toasts import Toasts
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeActivity, FakeDecisions, FakeLibrary, FakeLoop, source_row
from tests.presenters.turns import turns


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.bus = bus
        self.loop = FakeLoop(next_look_at=samples.local(24, 10, 35))
        self.decisions, self.library, self.activity = (
            FakeDecisions(bus, clock),
            FakeLibrary(bus, clock),
            FakeActivity(),
        )
        self.open_items = OpenItemsPresenter(
            self.decisions, Toasts(), bus, clock=clock, supervisor=supervisor
        )
        self.frame = FramePresenter(
            self.open_items,
            self.library,
            self.loop,
            self.activity,
            bus=bus,
            clock=clock,
            supervisor=supervisor,
        )

    async def load(self) -> None:
        await self.open_items.load()
        await self.frame.load()

    @property
    def words(self) -> tuple[Mood, str]:
        return self.frame.view.value.mood, self.frame.view.value.words


@pytest.fixture
def house(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> House:
    return House(bus, clock, supervisor)


async def test_a_quiet_state_names_the_next_look(house: House) -> None:
    await house.load()
    assert house.words == (Mood.QUIET, "Quiet · next look 10:35")


async def test_what_waits_is_counted_and_the_three_most_urgent_are_in_the_menu(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    assert house.words == (Mood.NEEDS_YOU, "3 need you · next look 10:35")
    assert [entry.title for entry in house.frame.view.value.top] == [
        "Pay invoice HW-20931 (€ 84.20) before midnight",
        "Send comments on the slides to Ana",
        "Confirm the condominium meeting to Marta",
    ]


async def test_the_menu_names_what_needs_a_decision_before_what_waits_for_others(house: House) -> None:
    promised = samples.item(
        "Peter promised the quote", direction="theirs", priority=Priority.IMPORTANT, people=("Peter",)
    )
    signed = samples.item("Return the signed estimate", state=State.AWAITING, requires_confirmation=True)
    house.decisions.put(promised, signed)
    await house.load()
    assert [entry.title for entry in house.frame.view.value.top] == [
        "Return the signed estimate",
        "Peter promised the quote",
    ]


async def test_a_look_on_its_way_is_said_and_its_end_too(house: House) -> None:
    await house.load()
    house.bus.publish([ConsciousLoopStarted(RunId("r"), samples.NOW, ())])
    assert house.words == (Mood.WORKING, "Looking")
    house.bus.publish([ConsciousLoopCompleted(RunId("r"), 0, 12)])
    assert house.words[0] is Mood.QUIET


async def test_a_failed_look_is_a_problem_until_one_succeeds(house: House) -> None:
    await house.load()
    house.bus.publish([ConsciousLoopFailed(RunId("r"), "The model server did not answer. Try later.", "X")])
    assert house.words == (Mood.PROBLEM, "The model server did not answer · next look 10:35")
    house.bus.publish([ConsciousLoopCompleted(RunId("r2"), 0, 12)])
    assert house.words[0] is Mood.QUIET


async def test_reading_names_the_source(house: House) -> None:
    row = source_row("Inbox.mbox")
    house.library.rows[row.id] = row
    await house.load()
    house.bus.publish([SourceProgressed(SourceId("Inbox.mbox"), 10, 100, 0)])
    assert house.words == (Mood.WORKING, "Reading Inbox.mbox")
    house.bus.publish([SourcesChanged(SourceId("Inbox.mbox"))])
    await turns()
    assert house.words[0] is Mood.QUIET


async def test_a_pause_names_its_end_and_can_be_ended(house: House) -> None:
    await house.frame.pause_for(timedelta(hours=1))
    assert house.words == (Mood.PAUSED, "Paused until 11:32")
    await house.frame.resume()
    assert house.words[0] is Mood.QUIET
    await house.frame.pause_until_tomorrow()
    assert house.words == (Mood.PAUSED, "Paused until tomorrow 00:00")
    assert house.loop.until == samples.local(25, 0)


async def test_a_damaged_store_goes_before_everything(house: House) -> None:
    await house.load()
    house.bus.publish([StoreStateChanged("damaged")])
    assert house.words == (Mood.PROBLEM, "The store takes no changes")


async def test_a_look_on_request_is_a_manual_one(house: House) -> None:
    house.frame.look_now()
    assert house.loop.requests == ["manual"]


async def test_a_source_that_was_removed_while_it_was_read_is_not_read_any_more(house: House) -> None:
    row = source_row("Inbox.mbox")
    house.library.rows[row.id] = row
    await house.load()
    house.bus.publish([SourceProgressed(SourceId("Inbox.mbox"), 10, 100, 0)])
    del house.library.rows[row.id]
    house.bus.publish([SourcesChanged(SourceId(""))])
    await house.load()
    assert house.words[0] is Mood.QUIET
