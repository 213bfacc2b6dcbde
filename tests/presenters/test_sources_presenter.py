"""The Sources tab."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.events import SourceProgressed
from heedful.core.ids import SourceId
from heedful.core.supervise import Supervisor
from heedful.presenters.sources import SourcesPresenter, SourceView, progress_words
from heedful.presenters.toasts import Toasts
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeLibrary, FakeLoop
from tests.presenters.turns import turns


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.bus = bus
        self.library, self.loop, self.toasts = FakeLibrary(bus, clock), FakeLoop(), Toasts()
        self.sources = SourcesPresenter(
            self.library, self.loop, self.toasts, bus=bus, clock=clock, supervisor=supervisor
        )

    async def fill(self) -> None:
        self.library.rows = {row.id: row for row in samples.shelves_of_sources()}
        self.library.addresses = {own.address: own for own in samples.ADDRESSES}
        self.library.rejected[SourceId("Inbox.mbox")] = samples.REJECTS
        await self.sources.load()

    def one(self, name: str) -> SourceView:
        return next(source for source in self.sources.view.value.sources if source.name == name)

    def last_words(self) -> str:
        return self.toasts.last.value.text if self.toasts.last.value else ""


@pytest.fixture
def house(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> House:
    return House(bus, clock, supervisor)


async def test_each_source_says_how_it_stands(house: House) -> None:
    await house.fill()
    assert house.one("Inbox.mbox").status == "up to date"
    assert house.one("Inbox.mbox").detail == "3,980 messages · read 4 min ago"
    assert house.one("Vizinhos, Família, 6 more").stays_here
    assert house.one("work.ics").status == "needs you"
    assert "Choose it again" in house.one("work.ics").trouble


async def test_dropped_files_are_added_read_and_looked_at(house: House) -> None:
    await house.sources.load()
    await house.sources.add([Path("/mail/Inbox.mbox"), Path("/mail/work.ics")])
    assert house.library.synced == ["Inbox.mbox", "work.ics"]
    assert house.loop.requests == ["manual"]


async def test_one_file_that_is_nothing_known_does_not_keep_the_next_out(house: House) -> None:
    await house.sources.load()
    house.library.failures["photo.jpg"] = RejectedError("Heedful can't tell what photo.jpg is")
    await house.sources.add([Path("/x/photo.jpg"), Path("/mail/work.ics")])
    assert house.last_words() == "Heedful can't tell what photo.jpg is."
    assert house.library.synced == ["work.ics"]


async def test_of_several_files_that_are_nothing_known_each_is_told(house: House) -> None:
    await house.sources.load()
    names = ["a.png", "b.png", "c.png", "d.png", "e.png"]
    for name in names:
        house.library.failures[name] = RejectedError(f"Heedful can't tell what {name} is", "It reads mail.")
    await house.sources.add([Path("/x") / name for name in names[:2]])
    assert house.last_words() == (
        "Heedful can't tell what a.png is. Heedful can't tell what b.png is. It reads mail."
    )
    await house.sources.add([Path("/x") / name for name in names])
    assert house.last_words().endswith("what c.png is. 2 more could not be added either. It reads mail.")


async def test_reading_now_lets_go_of_what_was_deleted_without_waiting_for_background_work(
    house: House, clock: FakeClock
) -> None:
    await house.fill()
    inbox = SourceId("Inbox.mbox")
    house.library.rows[inbox] = replace(house.library.rows[inbox], comparing_at=clock.now())
    await house.sources.load()
    assert house.one("Inbox.mbox").status == "comparing"
    assert "what was deleted there goes next" in house.one("Inbox.mbox").detail
    await house.sources.sync(inbox)
    assert house.library.compared == [inbox]
    assert house.one("Inbox.mbox").status == "up to date"
    await house.sources.sync(inbox)
    assert house.library.compared == [inbox]


async def test_progress_is_told_with_its_rate_and_what_is_left(house: House, clock: FakeClock) -> None:
    await house.fill()
    house.library.gate = asyncio.Event()
    work = asyncio.ensure_future(house.sources.sync(SourceId("Inbox.mbox")))
    await turns()
    house.bus.publish([SourceProgressed(SourceId("Inbox.mbox"), 0, 3_980, 0)])
    clock.advance(timedelta(seconds=2))
    house.bus.publish([SourceProgressed(SourceId("Inbox.mbox"), 1_204, 3_980, 1)])
    reading = house.one("Inbox.mbox")
    assert reading.status == "reading"
    assert reading.detail == "1,204 of 3,980 · 602/s · 5 s left"
    assert reading.progress == pytest.approx(1_204 / 3_980)
    house.library.gate.set()
    await work
    await turns()
    assert house.one("Inbox.mbox").status == "up to date"


def test_an_end_that_nobody_knows_is_not_promised() -> None:
    assert progress_words(512, None, 0.0) == "512 so far"
    assert progress_words(0, None, 0.0) == "just begun"


async def test_what_could_not_be_read_is_listed_with_its_reasons(house: House) -> None:
    await house.fill()
    assert house.one("Inbox.mbox").rejected_words == "2 could not be read"
    await house.sources.toggle_rejects(SourceId("Inbox.mbox"))
    assert house.one("Inbox.mbox").rejects == samples.REJECTS
    await house.sources.toggle_rejects(SourceId("Inbox.mbox"))
    assert house.one("Inbox.mbox").rejects is None


async def test_a_switch_that_could_not_be_kept_springs_back_and_says_so(house: House) -> None:
    await house.fill()
    house.library.failures["set_egress"] = UserCanFixError("The store takes no changes")
    await house.sources.keep_here(SourceId("Inbox.mbox"), stays_here=True)
    assert not house.one("Inbox.mbox").stays_here
    assert house.last_words() == "The store takes no changes."


async def test_a_kept_switch_stays(house: House) -> None:
    await house.fill()
    await house.sources.keep_here(SourceId("Inbox.mbox"), stays_here=True)
    assert house.one("Inbox.mbox").stays_here


async def test_a_moved_file_is_chosen_again_and_read(house: House) -> None:
    await house.fill()
    await house.sources.relocate(SourceId("work.ics"), Path("/new/work.ics"))
    assert house.one("work.ics").status == "up to date"
    assert house.one("work.ics").path == "/new/work.ics"


async def test_pausing_resuming_and_removing_are_shown(house: House) -> None:
    await house.fill()
    await house.sources.pause(SourceId("Inbox.mbox"))
    assert house.one("Inbox.mbox").status == "paused"
    await house.sources.resume(SourceId("Inbox.mbox"))
    assert house.one("Inbox.mbox").status == "up to date"
    await house.sources.remove(SourceId("Inbox.mbox"))
    assert [source.name for source in house.sources.view.value.sources] == [
        "Vizinhos, Família, 6 more",
        "work.ics",
    ]
    assert house.last_words() == "“Inbox.mbox” and what it brought in are gone"


async def test_own_addresses_can_be_added_and_refused(house: House) -> None:
    await house.fill()
    await house.sources.add_address(" rui@work.example ")
    await house.sources.refuse_address("rui@prado.example")
    shown = {own.address: own.origin for own in house.sources.view.value.addresses}
    assert shown == {"rui.prado@posteo.example": "you said so", "rui@work.example": "you said so"}
