"""The Memory tab's presenter on a real store: what the person says there holds everywhere."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

import pytest

from heedful.core.bus import Bus
from heedful.core.clock import local_day
from heedful.core.settings import EmbeddingSettings
from heedful.core.supervise import Supervisor
from heedful.memory import Meaning, search
from heedful.memory.forget.at_once import forget_now
from heedful.presenters import times
from heedful.presenters.memory import MemoryPresenter
from heedful.presenters.memory_reader import MemoryReader
from heedful.presenters.memory_views import DayScope, EntityScope, ResultRow, ResultsView, SourceScope
from heedful.presenters.toasts import Toasts
from heedful.reading import zones
from heedful.sources import Person
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.incoming import ANA, A, B, event, letter, take
from tests.memory.reading_along import mail, tell

BOAT = Person("A. Lopes", "boat@mar.example")
OTHER = Person("Ixchel Tamm", "it@ciclone.example")


@dataclass(frozen=True, slots=True)
class Tab:
    """The presenter with its toasts."""

    presenter: MemoryPresenter
    toasts: Toasts
    reader: MemoryReader

    def rows(self) -> list[ResultRow]:
        groups = self.presenter.view.value.results.groups
        return [row for group in groups for row in group.members]

    def titles(self) -> list[str]:
        return sorted(row.excerpt for row in self.rows())

    async def shown(self, is_so: Callable[[ResultsView], bool]) -> None:
        """Waits until the list is as it should be."""
        seen = asyncio.Event()
        unwatch = self.presenter.view.watch(lambda view: seen.set() if is_so(view.results) else None)
        async with asyncio.timeout(5):
            await seen.wait()
        unwatch()

    async def looked_up(self, scope: EntityScope) -> list[str]:
        self.presenter.open_scope(scope)
        await self.shown(lambda results: results.profile is not None)
        self.presenter.ask("anchor")
        await self.shown(lambda results: results.stage == "found" and results.profile is None)
        found = self.titles()
        self.presenter.back()
        return found


@pytest.fixture
async def tab(store: Store, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> AsyncIterator[Tab]:
    await tell(
        store, A, mail(1, "The anchor holds.", author=ANA, to=()), mail(2, "Which anchor?", author=BOAT, to=()),
        mail(3, "An anchor of my own.", author=OTHER, to=()),
    )  # fmt: skip
    await tell(store, B, mail(4, "An anchor ashore.", author=OTHER, to=()))
    reader = MemoryReader(store, Meaning(lambda: EmbeddingSettings(kind="none")), clock)
    toasts = Toasts()
    made = MemoryPresenter(
        reader, partial(forget_now, store, clock), toasts, bus=bus, clock=clock, supervisor=supervisor
    )
    await made.load()
    yield Tab(made, toasts, reader)
    made.close()


async def test_a_yes_holds_in_look_ups_and_undo_ends_it(tab: Tab) -> None:
    question = tab.presenter.people.view.value
    assert question is not None
    assert {question.first.name, question.second.name} == {"Ana Lopes", "A. Lopes"}
    ana = question.first if question.first.name == "Ana Lopes" else question.second
    scope = EntityScope(ana.id, ana.name)
    assert await tab.looked_up(scope) == ["The anchor holds."]
    await tab.presenter.people.say_same()
    assert await tab.looked_up(scope) == ["The anchor holds.", "Which anchor?"]
    toast = tab.toasts.last.value
    assert toast is not None
    assert toast.take_back is not None
    await toast.take_back()
    assert await tab.looked_up(scope) == ["The anchor holds."]


async def test_a_page_bears_the_name_that_its_person_has_now(tab: Tab) -> None:
    (ana,) = await tab.reader.named("Ana Lopes")
    tab.presenter.open_scope(EntityScope(ana.id, "Whoever she was one with"))
    await tab.shown(lambda results: results.profile is not None)
    results = tab.presenter.view.value.results
    assert results.title == "Ana Lopes"
    assert results.scope == EntityScope(ana.id, "Ana Lopes")


async def test_not_sure_holds_after_a_restart(
    tab: Tab, store: Store, bus: Bus, clock: FakeClock, supervisor: Supervisor
) -> None:
    await tab.presenter.people.not_sure()
    reader = MemoryReader(store, Meaning(lambda: EmbeddingSettings(kind="none")), clock)
    forget = partial(forget_now, store, clock)
    anew = MemoryPresenter(reader, forget, Toasts(), bus=bus, clock=clock, supervisor=supervisor)
    await anew.load()
    assert anew.people.view.value is None
    anew.close()


async def test_two_made_one_by_hand_are_looked_up_as_one_until_it_is_taken_back(tab: Tab) -> None:
    tab.presenter.ask("anchor")
    await tab.shown(lambda results: results.stage == "found")
    (tamm,) = await tab.reader.named("Ixchel Tamm")
    (ana,) = await tab.reader.named("Ana Lopes")
    scope = EntityScope(ana.id, ana.name)
    joining = tab.presenter.joining
    tab.presenter.open_scope(scope)
    joining.begin(scope)
    joining.ask("tamm")
    offered = asyncio.Event()
    unwatch = joining.view.watch(lambda view: offered.set() if view and view.others else None)
    async with asyncio.timeout(5):
        await offered.wait()
    unwatch()
    joining.choose(tamm.id)
    await joining.really()
    assert await tab.looked_up(scope) == ["An anchor ashore.", "An anchor of my own.", "The anchor holds."]
    toast = tab.toasts.last.value
    assert toast is not None
    assert toast.take_back is not None
    await toast.take_back()
    assert await tab.looked_up(scope) == ["The anchor holds."]


async def test_a_forgotten_source_is_found_nowhere(tab: Tab, store: Store) -> None:
    await tab.presenter.ask_to_forget_scope(SourceScope(B, "B"))
    asked = tab.presenter.forgetting.view.value
    assert asked is not None
    assert asked.goes == "1 message in 1 passage."
    await tab.presenter.forgetting.really()
    assert await store.read(lambda connection: search(connection, "ashore")) == []
    assert len(await store.read(lambda connection: search(connection, "anchor"))) == 3


async def test_a_letter_of_an_entry_tells_the_time_that_its_line_tells(
    tab: Tab, store: Store, clock: FakeClock
) -> None:
    under_way, next_one = clock.now() - timedelta(days=3), clock.now() + timedelta(hours=1)
    first, second = event(9, under_way, next_one).occurrences
    both = (replace(first, ends_at=clock.now() + timedelta(days=3)), second)
    await take(store, B, event(9, occurrences=both, subject="Regatta"))
    tab.presenter.ask("regatta")
    await tab.shown(lambda results: results.stage == "found")
    (row,) = tab.rows()
    assert row.when == f"today {next_one.astimezone(clock.zone):%H:%M}"
    await tab.presenter.open_letter(row.chunk_id)
    letter = tab.presenter.view.value.letter
    assert letter is not None
    assert letter.when.startswith(times.full_moment_words(next_one, clock.zone))


async def test_an_entry_of_a_day_is_found_there_by_words_that_much_else_has(
    tab: Tab, store: Store, clock: FakeClock
) -> None:
    begin = clock.now() + timedelta(days=2)
    await take(
        store, A, *[letter(number, "Regatta regatta.", subject="Regatta") for number in range(100, 210)]
    )
    words = "The club meets at the lake for its regatta, and everybody is asked to bring a boat and an oar."
    await take(store, B, event(9, begin, subject="The club", text=words, zones=zones(words)))
    await tab.presenter.load()
    day = local_day(begin, clock.zone)
    tab.presenter.open_scope(DayScope(day, day, "That day"))
    await tab.shown(lambda results: results.stage == "found")
    tab.presenter.ask("regatta")
    await tab.shown(lambda results: results.stage in ("found", "nothing") and results.title != "That day")
    assert [row.title for row in tab.rows()] == ["The club"]
