"""The Memory tab's navigator: days, people, things and sources, each leading to what it holds."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.by_turns import ByTurns
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.same_person import Judgements, SamePersonCard
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.widgets.ways import Way, WayList, WayRow
from heedful.desktop.window.memory_year import YearSection
from heedful.presenters.memory_views import (
    EntityScope,
    HomeView,
    PlaceView,
    QuestionView,
    SourceScope,
    ThingsView,
)

FIRST_SHOWN = 6


def way_to(desk: Desk, place: PlaceView, *, is_person: bool = False) -> Way:
    """The row that opens a place; what can be forgotten as a whole says so in its menu."""
    scope = place.scope
    forget = None
    if isinstance(scope, SourceScope) or (is_person and isinstance(scope, EntityScope)):
        forget = partial(ask_to_forget, desk, scope)
    return Way(str(scope), place.name, place.note, lambda: desk.memory.open_scope(scope), forget)


def ask_to_forget(desk: Desk, scope: SourceScope | EntityScope) -> None:
    """Asks whether a source or a person is to be forgotten."""
    desk.slots.start("forget", lambda: desk.memory.ask_to_forget_scope(scope))


class PlaceList(QWidget):
    """Places, the first few in sight and the rest behind a word."""

    def __init__(self, desk: Desk, *, are_people: bool = False) -> None:
        super().__init__()
        self._desk = desk
        self._are_people = are_people
        self._places: Sequence[PlaceView] = ()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.ways = WayList(desk.theme, self)
        layout.addWidget(self.ways)
        self.more = Button(desk.theme, "", weight=Weight.LINK, icon="down", parent=self)
        self.more.setCheckable(True)
        self.more.toggled.connect(self._show)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def rows(self) -> list[WayRow]:
        """The rows in sight."""
        return self.ways.rows

    def say(self, places: Sequence[PlaceView]) -> None:
        """Shows other places."""
        self._places = places
        self.more.setVisible(len(places) > FIRST_SHOWN)
        self._show()

    def _show(self) -> None:
        is_open = self.more.isChecked()
        shown = self._places if is_open else self._places[:FIRST_SHOWN]
        self.more.say("Fewer" if is_open else f"{len(self._places) - FIRST_SHOWN} more")
        self.more.point("up" if is_open else "down")
        self.ways.show_ways([way_to(self._desk, place, is_person=self._are_people) for place in shown])


class PlaceSection(QWidget):
    """A heading and the places below it; not there while there are none."""

    def __init__(self, desk: Desk, title: str, *, are_people: bool = False) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        layout.addWidget(SectionHead(desk.theme, title, "", self))
        self.list = PlaceList(desk, are_people=are_people)
        layout.addWidget(self.list)
        self.hide()

    def say(self, places: Sequence[PlaceView]) -> None:
        """Shows other places."""
        self.setVisible(bool(places))
        self.list.say(places)


class ThingsSection(QWidget):
    """Organisations, projects, places …: one kind at a time, chosen by its word."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._things: tuple[ThingsView, ...] = ()
        self._chosen = ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        layout.addWidget(SectionHead(desk.theme, "What is talked about", "", self))
        self._words = QVBoxLayout()
        self._words.setContentsMargins(0, 0, 0, 6)
        layout.addLayout(self._words)
        self.kinds: Segments | None = None
        self.list = PlaceList(desk)
        layout.addWidget(self.list)
        self.hide()

    def say(self, things: tuple[ThingsView, ...]) -> None:
        """Shows other things; the kind that was chosen stays where there is any of it."""
        self.setVisible(bool(things))
        if [one.name for one in things] != [one.name for one in self._things]:
            self._offer([one.name for one in things])
        self._things = things
        if things:
            names = [one.name for one in things]
            self._choose(self._chosen if self._chosen in names else names[0])

    def _offer(self, names: list[str]) -> None:
        if self.kinds is not None:
            self._words.removeWidget(self.kinds)
            self.kinds.hide()
            self.kinds.deleteLater()
            self.kinds = None
        if names:
            self.kinds = Segments(self._desk.theme, {name: name for name in names}, self)
            self.kinds.chosen.connect(self._choose)
            self._words.addWidget(self.kinds, 0, Qt.AlignmentFlag.AlignLeft)

    def _choose(self, name: str) -> None:
        self._chosen = name
        if self.kinds is not None:
            self.kinds.settle(name)
        places = next((one.places for one in self._things if one.name == name), ())
        self.list.say(places)


class HomePage(ScrollColumn):
    """The navigator."""

    def __init__(self, desk: Desk, turns: ByTurns) -> None:
        super().__init__()
        self._desk = desk
        self._turns = turns
        self.year = YearSection(desk)
        self.year.hide()
        self.sources = PlaceSection(desk, "Sources")
        self.people = PlaceSection(desk, "People", are_people=True)
        self.same = SamePersonCard(desk.theme, self._judgements())
        self._is_asking = False
        self._same = QWidget(self)
        self._same.hide()
        same = QVBoxLayout(self._same)
        same.setContentsMargins(0, 0, 0, 14)
        same.addWidget(self.same)
        self.things = ThingsSection(desk)
        self.days = PlaceSection(desk, "Days")
        self.column.setContentsMargins(12, 4, 12, 24)
        for part in (self.days, self.year, self.people, self._same, self.things, self.sources):
            self.column.addWidget(part)
        self.column.addStretch(1)

    def _judgements(self) -> Judgements:
        people, slots = self._desk.memory.people, self._desk.slots
        return Judgements(
            same=lambda: slots.start("same person", people.say_same),
            different=lambda: slots.start("same person", people.say_different),
            not_sure=lambda: slots.start("same person", people.not_sure),
            open=lambda one: self._desk.memory.open_scope(EntityScope(one.id, one.name)),
        )

    def _begin_to_ask(self) -> None:
        if not self._is_asking:
            self._is_asking = True
            self._desk.watches.append(self._desk.memory.people.view.watch(self._ask))

    def _ask(self, question: QuestionView | None) -> None:
        self._same.setVisible(question is not None)
        self.same.say(question)

    def say(self, home: HomeView) -> None:
        """Shows what is remembered now: the days at once, what stands below them in the next turns."""
        self.days.say(home.days)
        self._turns.ask("year", self.year.show)
        self._turns.ask("people", lambda: self.people.say(home.people))
        self._turns.ask("same", self._begin_to_ask)
        self._turns.ask("things", lambda: self.things.say(home.things))
        self._turns.ask("sources", lambda: self.sources.say(home.sources))
