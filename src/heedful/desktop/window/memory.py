"""The Memory tab."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from heedful.core.ids import ChunkId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.heat_map import HeatMap, YearTable
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.reading_pane import Reading, ReadingPane
from heedful.desktop.widgets.relation_picture import RelationPicture
from heedful.desktop.widgets.result_list import ResultList
from heedful.desktop.widgets.sections import SectionHead
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.ways import Way, WayList
from heedful.presenters.memory_views import (
    EntityScope,
    HomeView,
    MemoryView,
    PlaceView,
    RelationView,
    ResultsView,
    Scope,
)
from heedful.presenters.memory_year import day_scope


def way_to(desk: Desk, place: PlaceView) -> Way:
    """The row that opens a place."""
    return Way(str(place.scope), place.name, place.note, lambda: desk.memory.open_scope(place.scope))


class PlaceSection(QWidget):
    """A heading and the places below it; not there while there are none."""

    def __init__(self, desk: Desk, title: str) -> None:
        super().__init__()
        self._desk = desk
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        layout.addWidget(SectionHead(desk.theme, title, "", self))
        self.list = WayList(desk.theme, self)
        layout.addWidget(self.list)

    def say(self, places: Sequence[PlaceView]) -> None:
        """Shows other places."""
        self.setVisible(bool(places))
        self.list.show_ways([way_to(self._desk, place) for place in places])


class YearSection(QWidget):
    """The year's picture, or its table."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        theme = desk.theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        self._head = SectionHead(theme, "The year", "", self)
        layout.addWidget(self._head)

        def opened(day: date) -> None:
            desk.memory.open_scope(day_scope(day))

        self.picture = HeatMap(theme, opened, self)
        self.table = YearTable(theme, opened, self)
        self.table.hide()
        layout.addWidget(self.picture)
        layout.addWidget(self.table)
        layout.addSpacing(4)
        self.turn = Button(theme, "As a table", weight=Weight.LINK, parent=self)
        self.turn.clicked.connect(self._turn)
        layout.addWidget(self.turn, 0, Qt.AlignmentFlag.AlignLeft)

    def say(self, home: HomeView) -> None:
        """Shows another year."""
        self._head.say("The year", f"{home.total} in all")
        self.picture.show_cells(home.cells)
        self.table.show_cells(home.cells)

    def _turn(self) -> None:
        is_table = self.table.isHidden()
        self.table.setVisible(is_table)
        self.picture.setVisible(not is_table)
        self.turn.say("As a picture" if is_table else "As a table")


class HomePage(QWidget):
    """The navigator; or a state in words."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._stack = QStackedLayout(self)
        self.area = ScrollColumn(self)
        self._stack.addWidget(self.area)
        self.year = YearSection(desk)
        self.sources = PlaceSection(desk, "Sources")
        self.people = PlaceSection(desk, "People")
        self.things = PlaceSection(desk, "Projects and topics")
        self.days = PlaceSection(desk, "Lately")
        self.area.column.setContentsMargins(12, 4, 12, 24)
        for part in (self.days, self.year, self.people, self.things, self.sources):
            self.area.column.addWidget(part)
        self.area.column.addStretch(1)
        words = QWidget()
        self._words = QVBoxLayout(words)
        self._words.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(words)
        self._states: Kept[HomeView, QWidget] = Kept(
            self._words, lambda home: (home.stage, home.trouble), self._state
        )

    def say(self, home: HomeView) -> None:
        """Shows another state of the navigator."""
        is_ready = home.stage == "ready"
        self._states.show([] if is_ready else [home])
        self._stack.setCurrentIndex(0 if is_ready else 1)
        if is_ready:
            self.year.say(home)
            self.sources.say(home.sources)
            self.people.say(home.people)
            self.things.say(home.things)
            self.days.say(home.days)

    def _state(self, home: HomeView) -> QWidget:
        theme = self._desk.theme
        if home.trouble is not None:
            return EmptyState(
                theme,
                home.trouble.headline,
                home.trouble.advice,
                glyph="close",
                button="Try again",
                act=self._desk.memory.refresh,
            )
        if home.stage == "loading":
            return EmptyState(theme, "Loading")
        return EmptyState(
            theme,
            "Nothing remembered yet",
            "What a mailbox, a calendar or a chat export brings in can be looked up here, on this computer alone.",
            glyph="memory",
            button="Add a source",
            act=lambda: self._desk.open_tab("sources"),
        )


class Surroundings(QWidget):
    """What a person or thing is related to, as a picture or as a list."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(2)
        self.picture = RelationPicture(desk.theme, self._open, self)
        self.list = ScrollColumn(self)
        self.list.column.setContentsMargins(0, 0, 0, 0)
        self.ways = WayList(desk.theme)
        self.list.column.addWidget(self.ways)
        self.list.column.addStretch(1)
        self.list.setFixedHeight(self.picture.height())
        self.list.hide()
        layout.addWidget(self.picture)
        layout.addWidget(self.list)
        self.turn = Button(desk.theme, "As a list", weight=Weight.LINK, parent=self)
        self.turn.clicked.connect(self._turn)
        layout.addWidget(self.turn, 0, Qt.AlignmentFlag.AlignLeft)

    def say(self, centre: str, relations: tuple[RelationView, ...]) -> None:
        """Shows others; hides where there is nobody around."""
        self.setVisible(bool(relations))
        self.picture.show_around(centre, relations)
        self.ways.show_ways([self._way(one) for one in relations])

    def _way(self, one: RelationView) -> Way:
        return Way(one.words, one.words, one.note, lambda: self._open(one.entity_id, one.name))

    def _open(self, entity_id: str, name: str) -> None:
        self._desk.memory.open_scope(EntityScope(entity_id, name))

    def _turn(self) -> None:
        is_list = self.list.isHidden()
        self.list.setVisible(is_list)
        self.picture.setVisible(not is_list)
        self.turn.say("As a picture" if is_list else "As a list")


class ResultsPage(QWidget):
    """A list of passages with its heading; or a state in words."""

    def __init__(self, desk: Desk, opened: Callable[[ChunkId], None]) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 0, 12, 12)
        layout.setSpacing(0)
        top = QHBoxLayout()
        top.setSpacing(4)
        self.back = Button(theme, "Memory", weight=Weight.LINK, icon="left", parent=self)
        self.back.setAccessibleName("Back to the whole memory")
        self.back.clicked.connect(lambda: desk.slots.call(desk.memory.back))
        self._head = SectionHead(theme, "", "", self)
        top.addWidget(self.back)
        layout.addLayout(top)
        layout.addSpacing(4)
        layout.addWidget(self._head)
        self.advice = Paragraph(theme, META, lines=2)
        layout.addWidget(self.advice)
        self._gap = QWidget(self)
        self._gap.setFixedHeight(8)
        layout.addWidget(self._gap)
        self.around = Surroundings(desk)
        layout.addWidget(self.around)
        self._named = QWidget(self)
        named = QVBoxLayout(self._named)
        named.setContentsMargins(0, 0, 0, 8)
        self.named = WayList(theme, self._named)
        named.addWidget(self.named)
        layout.addWidget(self._named)
        self._ground = Surface(theme, margins=(1, 2, 1, 3))
        self.list = ResultList(theme, opened, self._ground)
        self.list.near_end.connect(lambda: desk.slots.start("more passages", desk.memory.show_more))
        self._ground.column.addWidget(self.list)
        layout.addWidget(self._ground, 1)
        self._words = QVBoxLayout()
        layout.addLayout(self._words)
        layout.addStretch()
        self._states: Kept[ResultsView, QWidget] = Kept(
            self._words, lambda view: (view.stage, view.trouble, view.advice), self._state
        )

    def say(self, results: ResultsView) -> None:
        """Shows another list."""
        is_found = results.stage == "found"
        scope = "" if results.scope is None else results.scope.name
        title = results.title if scope in ("", results.title) else f"{results.title} in {scope}"
        self._head.say(title, results.note)
        self._head.setVisible(is_found)
        self.advice.say(results.advice if is_found else "")
        for part in (self.advice, self._gap):
            part.setVisible(is_found and bool(results.advice))
        self.around.say(scope, results.relations)
        self._named.setVisible(bool(results.named))
        self.named.show_ways([way_to(self._desk, place) for place in results.named])
        self._ground.setVisible(is_found)
        self.list.show_groups(results.groups)
        self._ground.setMaximumHeight(self.list.height_of_rows() + 5)
        self._states.show([] if is_found else [results])

    def _state(self, results: ResultsView) -> QWidget:
        theme = self._desk.theme
        if results.trouble is not None:
            return EmptyState(theme, results.trouble.headline, results.trouble.advice, glyph="close")
        if results.stage == "searching":
            return EmptyState(theme, "Looking")
        return EmptyState(theme, results.title, results.advice, glyph="memory")


class MemoryTab(QWidget):
    """The words to look up, and below them the navigator, a list, or a letter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        theme = desk.theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._question())
        layout.addSpacing(10)
        self._pages = QStackedLayout()
        layout.addLayout(self._pages, 1)
        self.home = HomePage(desk)
        self.results = ResultsPage(desk, self._open_letter)
        self.letter = ReadingPane(
            theme,
            Reading(
                back=lambda: desk.slots.call(desk.memory.back),
                unfold_earlier=lambda: desk.memory.unfold(earlier=True),
                unfold_later=lambda: desk.memory.unfold(earlier=False),
                open_entity=lambda entity_id, name: self._open_scope(EntityScope(entity_id, name)),
                forget=lambda: desk.slots.start("forget", desk.memory.forget),
            ),
        )
        self._by_name = {"home": self.home, "results": self.results, "letter": self.letter}
        for page in self._by_name.values():
            self._pages.addWidget(page)
        QShortcut(QKeySequence.StandardKey.Find, self, self._to_words)
        QShortcut(QKeySequence.StandardKey.Back, self, lambda: desk.slots.call(desk.memory.back))
        QShortcut(QKeySequence(Qt.Key.Key_Down), self.words, self.results.list.enter)
        desk.watches.append(desk.memory.view.watch(self._show))
        desk.memory.refresh()

    def _question(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(12, 0, 12, 0)
        column.setSpacing(6)
        self.words = line("Words to look up", hint="Words, a name, a number")
        self.words.setClearButtonEnabled(True)
        self.words.textEdited.connect(lambda text: self._desk.slots.call(lambda: self._desk.memory.ask(text)))
        self.words.textChanged.connect(lambda text: None if text else self._desk.memory.ask(""))
        self.words.returnPressed.connect(self._to_list)
        column.addWidget(self.words)
        self.mode = Segments(self._desk.theme, {"exact": "Exact", "meaning": "By meaning"}, self)
        self.mode.button("exact").setToolTip('Every word as it is written; "quoted words" stay together')
        self.mode.button("meaning").setToolTip("What comes near, the best first")
        self.mode.chosen.connect(self._choose)
        column.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignLeft)
        return column

    def _choose(self, mode: str) -> None:
        self._desk.memory.choose("meaning" if mode == "meaning" else "exact")

    def _show(self, view: MemoryView) -> None:
        if self.words.text().strip() != view.text:
            self.words.blockSignals(True)
            self.words.setText(view.text)
            self.words.blockSignals(False)
        self.mode.settle(view.mode)
        self.home.say(view.home)
        self.results.say(view.results)
        if view.letter is not None:
            self.letter.say(view.letter, back_to=_way_back(view))
        self._turn(self._by_name[view.page])

    def _turn(self, page: QWidget) -> None:
        before = self._pages.currentWidget()
        if page is before:
            return
        held = before is not None and before.isAncestorOf(self.focusWidget())
        self._pages.setCurrentWidget(page)
        if not held:
            return
        # Whoever walks by keyboard goes on where they arrived, not at the window's beginning.
        if page is self.letter:
            self.letter.enter()
        elif page is self.results:
            self.results.list.enter()
        else:
            self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open_letter(self, chunk_id: ChunkId) -> None:
        self._desk.slots.start(f"letter {chunk_id}", lambda: self._desk.memory.open_letter(chunk_id))

    def _open_scope(self, scope: Scope) -> None:
        self._desk.slots.call(lambda: self._desk.memory.open_scope(scope))

    def _to_words(self) -> None:
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.selectAll()

    def _to_list(self) -> None:
        if self._desk.memory.view.value.page == "results":
            self.results.list.enter()


def _way_back(view: MemoryView) -> str:
    if view.results.stage != "found":
        return "Memory"
    return view.results.title


TAB = Tab("memory", "Memory", "memory", 30, MemoryTab)
