"""The Memory tab."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedLayout, QToolButton, QVBoxLayout, QWidget

from heedful.core.ids import ChunkId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.by_turns import ByTurns
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.forget_panel import Answers, ForgetPanel
from heedful.desktop.widgets.reading_pane import Reading, ReadingPane
from heedful.desktop.widgets.result_list import Choices, ResultList
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.window.memory_home import HomePage
from heedful.desktop.window.memory_results import ResultsPage
from heedful.desktop.window.memory_state import HomeState
from heedful.presenters.memory_views import EntityScope, ForgetView, HomeView, MemoryView, ResultsView, Scope

BUILT_AHEAD_MS = 150
HINT = "Words, a name, a number"


class _Rest(QWidget):
    """Makes do with what is left, so that a low window takes from the page, not from what is asked above it."""

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return False


class MemoryTab(QWidget):
    """The words to look up, and below them the navigator, a list, or a letter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown: MemoryView | None = None
        self._listed: ResultsView | None = None
        self._turns = ByTurns(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._question())
        layout.addSpacing(10)
        self._asking = QWidget(self)
        self._asking.hide()
        layout.addWidget(self._asking)
        ground = _Rest(self)
        ground.setMinimumHeight(1)
        self._pages = QStackedLayout(ground)
        layout.addWidget(ground, 1)
        self._state = HomeState(desk)
        self._pages.addWidget(self._state)
        self._forgetting: ForgetPanel | None = None
        self._home: HomePage | None = None
        self._is_home_filled = False
        self._rows: ResultList | None = None
        self._results: ResultsPage | None = None
        self._letter: ReadingPane | None = None
        QShortcut(QKeySequence.StandardKey.Find, self, self._to_words)
        QShortcut(QKeySequence.StandardKey.Back, self, lambda: desk.slots.call(desk.memory.back))
        QShortcut(QKeySequence(Qt.Key.Key_Down), self.words, lambda: self.results.list.enter())
        desk.watches.append(desk.memory.view.watch(self._show))
        desk.watches.append(desk.memory.forgetting.view.watch(self._say_forgetting))
        desk.memory.refresh()
        ahead = (self._build_home, self._build_list, self._build_results, self._build_letter)
        for turn, build in enumerate(ahead, start=1):
            QTimer.singleShot(turn * BUILT_AHEAD_MS, self, build)

    @property
    def forgetting(self) -> ForgetPanel:
        """The question before something is forgotten; built when it is first asked."""
        return self._forgetting or self._build_forgetting()

    @property
    def home(self) -> HomePage:
        """The page of the navigator; built before it is wanted, but after what is seen first."""
        return self._home or self._build_home()

    @property
    def results(self) -> ResultsPage:
        """The page of lists, built as that of the navigator."""
        return self._results or self._build_results()

    @property
    def letter(self) -> ReadingPane:
        """The page of a letter, built as the others."""
        return self._letter or self._build_letter()

    def _build_forgetting(self) -> ForgetPanel:
        memory, slots = self._desk.memory.forgetting, self._desk.slots
        answers = Answers(
            really=lambda: slots.start("forget", memory.really), keep=lambda: slots.call(memory.keep)
        )
        panel = self._forgetting = ForgetPanel(self._desk.theme, answers)
        asking = QVBoxLayout(self._asking)
        asking.setContentsMargins(12, 0, 12, 10)
        asking.addWidget(panel)
        return panel

    def _build_home(self) -> HomePage:
        if self._home is None:
            self._home = HomePage(self._desk, self._turns)
            self._pages.addWidget(self._home)
        return self._home

    def _build_list(self) -> ResultList:
        if self._rows is None:
            memory = self._desk.memory
            choices = Choices(
                open=self._open_letter,
                forget_message=lambda row: self._ask(
                    lambda: memory.ask_to_forget_row(row, whole_thread=False)
                ),
                forget_thread=lambda row: self._ask(lambda: memory.ask_to_forget_row(row, whole_thread=True)),
            )
            self._rows = ResultList(self._desk.theme, choices, self)
        return self._rows

    def _build_results(self) -> ResultsPage:
        if self._results is None:
            self._results = ResultsPage(self._desk, self._build_list())
            self._pages.addWidget(self._results)
        return self._results

    def _build_letter(self) -> ReadingPane:
        if self._letter is None:
            memory, slots = self._desk.memory, self._desk.slots
            reading = Reading(
                back=lambda: slots.call(memory.back),
                unfold_earlier=lambda: memory.unfold(earlier=True),
                unfold_later=lambda: memory.unfold(earlier=False),
                open_entity=lambda entity_id, name: self._open_scope(EntityScope(entity_id, name)),
                forget_message=lambda: self._ask(lambda: memory.ask_to_forget_letter(whole_thread=False)),
                forget_thread=lambda: self._ask(lambda: memory.ask_to_forget_letter(whole_thread=True)),
            )
            self._letter = ReadingPane(self._desk.theme, reading)
            self._pages.addWidget(self._letter)
        return self._letter

    def _question(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(12, 0, 12, 0)
        column.setSpacing(6)
        self.words = line("Words to look up", hint=HINT)
        self.words.setClearButtonEnabled(True)
        for clearing in self.words.findChildren(QToolButton):
            clearing.setAccessibleName("Clear the words")
        self.words.textEdited.connect(lambda text: self._desk.slots.call(lambda: self._desk.memory.ask(text)))
        self.words.textChanged.connect(self._emptied)
        self.words.returnPressed.connect(self._to_list)
        column.addWidget(self.words)
        self.mode = Segments(self._desk.theme, {"exact": "Exact", "meaning": "By meaning"}, self)
        self.mode.button("exact").setToolTip('Every word as it is written; "quoted words" stay together')
        self.mode.button("meaning").setToolTip("What comes near, the best first")
        self.mode.chosen.connect(self._choose)
        column.addWidget(self.mode, 0, Qt.AlignmentFlag.AlignLeft)
        return column

    def _emptied(self, text: str) -> None:
        if not text and self._desk.memory.view.value.text:
            self._desk.memory.ask("")

    def _choose(self, mode: str) -> None:
        self._desk.memory.choose("meaning" if mode == "meaning" else "exact")

    def _show(self, view: MemoryView) -> None:
        if self.words.text().strip() != view.text:
            self.words.setText(view.text)
        self.words.setPlaceholderText(_hint(view.results.scope))
        was, self._shown = self._shown, view
        self.mode.settle(view.mode)
        if was is None or view.home is not was.home:
            self._say_home(view.home)
        if view.page != "home" and view.results is not self._listed:
            self._listed = view.results
            self._say_results(view.results)
        if view.letter is not None:
            self.letter.say(view.letter, back_to=_way_back(view))
        self._to_front()

    def _say_results(self, results: ResultsView) -> None:
        """Another list; where the keyboard was on what goes, it is handed on within the page."""
        page = self.results
        held = page.isVisible() and page.isAncestorOf(self.focusWidget())
        page.say(results)
        here = self.focusWidget()
        if held and not (here.isVisible() and page.isAncestorOf(here)):
            page.enter()

    def _say_home(self, home: HomeView) -> None:
        if home.stage != "ready":
            self._state.say(home)
            return
        self._turns.ask("build", self._build_home)
        self._turns.ask("days", lambda: self._fill_home(home))
        self._turns.ask("front", self._to_front)

    def _fill_home(self, home: HomeView) -> None:
        self._is_home_filled = True
        self.home.say(home)

    def _to_front(self) -> None:
        view = self._desk.memory.view.value
        match view.page:
            case "home":
                is_there = view.home.stage == "ready" and self._is_home_filled
                self._turn(self.home if is_there else self._state)
            case "results":
                self._turn(self.results)
            case "letter":
                self._turn(self.letter)

    def _turn(self, page: QWidget) -> None:
        before = self._pages.currentWidget()
        if page is before:
            return
        held = before is not None and before.isAncestorOf(self.focusWidget())
        if page is self._letter is not None:
            self._letter.begin()
        self._pages.setCurrentWidget(page)
        if not held:
            return
        self._enter(page)

    def step_back(self) -> bool:
        """From a letter to its list, from a list to the navigator, and from there nowhere."""
        if self._desk.memory.view.value.page == "home":
            return False
        self._desk.slots.call(self._desk.memory.back)
        return True

    def _enter(self, page: QWidget | None) -> None:
        """Whoever walks by keyboard goes on where they arrived, not at the window's beginning."""
        if page is self._letter is not None:
            self._letter.enter()
        elif page is self._results is not None:
            self._results.enter()
        else:
            self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_forgetting(self, view: ForgetView | None) -> None:
        if view is None and self._forgetting is None:
            return
        held = view is None and self._asking.isAncestorOf(self.focusWidget())
        self._asking.setVisible(view is not None)
        self.forgetting.say(view)
        if held:
            self._enter(self._pages.currentWidget())

    def _ask(self, asking: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._desk.slots.start("forget", asking)

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


def _hint(scope: Scope | None) -> str:
    return HINT if scope is None else f"Words within {scope.name}"


def _way_back(view: MemoryView) -> str:
    if view.results.stage != "found":
        return "Memory"
    return view.results.title


TAB = Tab("memory", "Memory", "memory", 30, MemoryTab)
