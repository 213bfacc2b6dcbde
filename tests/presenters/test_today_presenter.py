"""The Today tab and the open items: loading, deciding, rolling back, hearing news."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from heedful.actionables import State
from heedful.core.bus import Bus
from heedful.core.errors import DamageError, UserCanFixError
from heedful.core.events import ActionablesChanged
from heedful.core.supervise import Supervisor
from heedful.presenters.empty import UsefulAction
from heedful.presenters.items import Verb
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.toasts import Toasts
from heedful.presenters.today import PAGE, Shelf, TodayPresenter
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeActivity, FakeDecisions, FakeLibrary, source_row
from tests.presenters.turns import turns

FULL = DamageError("The disk is full", "The decision was not kept.", "Free some space.")


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.bus = bus
        self.decisions = FakeDecisions(bus, clock)
        self.library = FakeLibrary(bus, clock)
        self.activity = FakeActivity()
        self.toasts = Toasts()
        self.open_items = OpenItemsPresenter(
            self.decisions, self.toasts, bus, clock=clock, supervisor=supervisor
        )
        self.today = TodayPresenter(
            self.open_items, self.decisions, self.library, self.activity,
            bus=bus, clock=clock, supervisor=supervisor,
        )  # fmt: skip

    async def load(self) -> None:
        self.today.refresh()
        await turns()

    def titles(self) -> list[str]:
        view = self.today.view.value
        cards = view.cards.rows if view.cards else ()
        return [row.title for row in (*cards, *(row for section in view.sections for row in section.rows))]

    def last_words(self) -> str:
        return self.toasts.last.value.text if self.toasts.last.value else ""


@pytest.fixture
def house(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> House:
    return House(bus, clock, supervisor)


async def test_what_matters_stands_in_cards_and_the_rest_in_groups(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    view = house.today.view.value
    assert view.cards is not None
    assert view.cards.note == "3 of 7"
    assert [card.tag for card in view.cards.rows] == ["Critical", "Important", "Important"]
    assert [(section.title, section.note) for section in view.sections] == [
        ("Today", "2"), ("Yesterday", "1"), ("Waiting for others", "1"),
    ]  # fmt: skip


async def test_a_decision_shows_before_it_is_kept(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    house.decisions.gate = asyncio.Event()
    ana = samples.morning()[1]
    work = asyncio.ensure_future(house.today.decide(ana.id, Verb.DONE))
    await turns()
    assert ana.draft.title not in house.titles()
    assert house.last_words() == ""
    house.decisions.gate.set()
    await work
    assert house.last_words() == "“Send comments on the slides to Ana” done"
    assert house.decisions.kept[ana.id].state is State.COMPLETED


async def test_a_decision_that_could_not_be_kept_is_taken_back_and_told(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    house.decisions.failure = FULL
    ana = samples.morning()[1]
    await house.today.decide(ana.id, Verb.DISMISS)
    await turns()
    assert ana.draft.title in house.titles()
    assert house.toasts.last.value is not None
    assert house.toasts.last.value.tone == "failed"
    assert house.last_words() == "The disk is full. The decision was not kept. Free some space."


async def test_undo_brings_an_item_back(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    ana = samples.morning()[1]
    await house.today.decide(ana.id, Verb.DONE)
    toast = house.toasts.last.value
    assert toast is not None
    assert toast.undo == ana.id
    await house.today.decide(ana.id, Verb.UNDO)
    assert ana.draft.title in house.titles()


async def test_a_snooze_says_when_the_item_comes_back(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    await house.today.decide(samples.morning()[1].id, Verb.SNOOZE, lasts=timedelta(hours=24))
    assert house.last_words().endswith("snoozed until tomorrow 10:32")


async def test_a_second_press_while_the_first_is_under_way_decides_once(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    house.decisions.gate = asyncio.Event()
    ana = samples.morning()[1]
    both = asyncio.gather(house.today.decide(ana.id, Verb.DONE), house.today.decide(ana.id, Verb.DISMISS))
    await turns()
    house.decisions.gate.set()
    await both
    assert house.decisions.kept[ana.id].state is State.COMPLETED


async def test_news_of_changed_items_is_shown_without_being_asked(house: House) -> None:
    await house.load()
    new = samples.item("Call the landlord")
    house.decisions.put(new)
    house.bus.publish([ActionablesChanged((new.id,))])
    await turns()
    assert house.titles() == ["Call the landlord"]


async def test_ten_changes_during_one_load_lead_to_one_more(house: House) -> None:
    await house.load()
    before = house.decisions.loads
    house.bus.publish([ActionablesChanged(()) for _ in range(10)])
    await turns()
    assert house.decisions.loads - before <= 2


async def test_a_closed_presenter_hears_nothing(house: House) -> None:
    await house.load()
    house.today.close()
    house.open_items.close()
    before = house.decisions.loads
    house.decisions.put(samples.item("Call the landlord"))
    house.bus.publish([ActionablesChanged(())])
    await turns()
    assert house.decisions.loads == before
    assert house.titles() == []


async def test_without_a_source_the_one_useful_action_is_to_add_one(house: House) -> None:
    await house.load()
    empty = house.today.view.value.empty
    assert empty is not None
    assert empty.action is UsefulAction.ADD_SOURCE


async def test_before_the_first_look_the_useful_action_is_to_look(house: House) -> None:
    row = source_row("Inbox.mbox", messages=1_204)
    house.library.rows[row.id] = row
    await house.load()
    empty = house.today.view.value.empty
    assert empty is not None
    assert (empty.headline, empty.action) == ("Heedful has not looked yet", UsefulAction.LOOK_NOW)
    assert "1,204 messages" in empty.explanation


async def test_after_a_look_that_found_nothing_it_says_that_nothing_needs_you(house: House) -> None:
    row = source_row("Inbox.mbox", messages=12)
    house.library.rows[row.id] = row
    house.activity.rows = list(samples.looks())
    await house.load()
    empty = house.today.view.value.empty
    assert empty is not None
    assert empty.headline == "Nothing needs you"


async def test_a_store_that_can_not_be_read_is_told_in_its_own_words(house: House) -> None:
    house.decisions.load_failure = UserCanFixError("The store can't be read", "It was moved.", "Put it back.")
    await house.load()
    view = house.today.view.value
    assert view.stage == "trouble"
    assert view.trouble is not None
    assert (view.trouble.headline, view.trouble.advice) == (
        "The store can't be read",
        "It was moved. Put it back.",
    )


async def test_what_was_put_aside_is_one_press_away(house: House) -> None:
    house.decisions.put(*samples.morning(), *samples.set_aside())
    await house.load()
    await house.today.toggle(Shelf.SNOOZED)
    await house.today.toggle(Shelf.DECIDED)
    snoozed, decided = house.today.view.value.shelves
    assert [row.title for row in snoozed.rows] == ["Renew passport"]
    assert {row.tag for row in decided.rows} == {"Done", "Dismissed"}
    await house.today.toggle(Shelf.SNOOZED)
    assert not house.today.view.value.shelves[0].is_open


async def test_an_empty_shelf_says_so(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    await house.today.toggle(Shelf.SNOOZED)
    assert house.today.view.value.shelves[0].empty == "Nothing is snoozed."


async def test_of_ten_thousand_items_only_a_page_is_put_into_words(house: House) -> None:
    house.decisions.put(*samples.many(10_000))
    await house.load()
    shown = len(house.titles())
    assert shown == PAGE
    house.today.show_more()
    assert len(house.titles()) == 2 * PAGE
    assert sum(section.hidden for section in house.today.view.value.sections) > 0


async def test_ages_grow_while_nothing_else_happens(house: House, clock: FakeClock) -> None:
    house.decisions.put(samples.item("Call the landlord", ago=timedelta(minutes=4)))
    await house.load()
    clock.advance(timedelta(minutes=30))
    house.today.tick()
    assert house.today.view.value.sections[0].rows[0].age == "34 min"


async def test_an_item_that_woke_elsewhere_is_shown_again(house: House) -> None:
    snoozed = samples.set_aside()[0]
    house.decisions.put(snoozed)
    await house.load()
    house.decisions.put(replace(snoozed, state=State.ACTIVE, snoozed_until=None))
    house.bus.publish([ActionablesChanged((snoozed.id,))])
    await turns()
    assert house.titles() == ["Renew passport"]


async def test_the_filter_shows_what_holds_every_word_in_title_people_quotes_or_source(house: House) -> None:
    house.decisions.put(*samples.morning())
    await house.load()
    await house.today.seek("invoice HW-20931")
    assert house.titles() == [samples.morning()[0].draft.title]
    view = house.today.view.value
    assert (view.sought, view.found) == ("invoice HW-20931", "1 of 7")
    await house.today.seek("ANA slides")
    assert house.titles() == [samples.morning()[1].draft.title]
    await house.today.seek("  ")
    assert len(house.titles()) == 7
    assert house.today.view.value.found == ""


async def test_the_filter_knows_no_case_and_no_accents(house: House) -> None:
    item = samples.morning()[0]
    house.decisions.put(replace(item, draft=replace(item.draft, title="Enviar a declaração à Câmara")))
    await house.load()
    for typed in ("DECLARACAO", "camara", "declaração"):
        await house.today.seek(typed)
        assert house.titles() == ["Enviar a declaração à Câmara"]


async def test_a_filter_that_finds_nothing_says_so_and_keeps_the_shelves(house: House) -> None:
    house.decisions.put(*samples.morning(), *samples.set_aside())
    await house.load()
    await house.today.toggle(Shelf.SNOOZED)
    await house.today.seek("giraffe")
    view = house.today.view.value
    assert (view.stage, view.cards, view.sections) == ("items", None, ())
    assert view.found == "Nothing open holds “giraffe”."
    assert (view.shelves[0].rows, view.shelves[0].empty) == ((), "Nothing here holds “giraffe”.")


async def test_what_arrives_while_the_filter_is_on_is_shown_only_if_it_fits(house: House) -> None:
    first, second = samples.morning()[:2]
    house.decisions.put(first)
    await house.load()
    await house.today.seek("slides")
    assert house.titles() == []
    house.decisions.put(second)
    house.bus.publish([ActionablesChanged((second.id,))])
    await turns()
    assert house.titles() == [second.draft.title]


async def test_an_item_far_down_is_brought_up_and_the_filter_lifted(house: House) -> None:
    items = samples.many(PAGE * 3)
    house.decisions.put(*items)
    await house.load()
    await house.today.seek("giraffe")
    last = house.open_items.open.value.items
    assert last is not None
    assert await house.today.bring_up(last[-1].id)
    assert last[-1].draft.title in house.titles()
    assert house.today.view.value.sought == ""


async def test_an_item_that_was_put_aside_is_brought_up_on_its_shelf(house: House) -> None:
    snoozed = samples.set_aside()[0]
    house.decisions.put(*samples.morning(), *samples.set_aside())
    assert await house.today.bring_up(snoozed.id)
    shelf = next(shelf for shelf in house.today.view.value.shelves if shelf.shelf is Shelf.SNOOZED)
    assert shelf.is_open
    assert snoozed.draft.title in [row.title for row in shelf.rows]


async def test_what_is_not_there_or_over_is_not_brought_up(house: House) -> None:
    over = replace(samples.morning()[0], state=State.EXPIRED)
    house.decisions.put(over)
    assert not await house.today.bring_up(over.id)
    assert not await house.today.bring_up(samples.morning()[1].id)
