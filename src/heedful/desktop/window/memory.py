"""The Memory tab."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from heedful.core.ids import ChunkId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.fields import line
from heedful.desktop.widgets.forget_panel import Answers, ForgetPanel
from heedful.desktop.widgets.reading_pane import Reading, ReadingPane
from heedful.desktop.widgets.result_list import Choices, ResultList
from heedful.desktop.widgets.segments import Segments
from heedful.desktop.window.memory_home import HomePage
from heedful.desktop.window.memory_results import ResultsPage
from heedful.presenters.memory_views import EntityScope, ForgetView, MemoryView, ResultsView, Scope

BUILT_AHEAD_MS = 150


class MemoryTab(QWidget):
    """The words to look up, and below them the navigator, a list, or a letter."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._shown: MemoryView | None = None
        self._listed: ResultsView | None = None
        theme = desk.theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._question())
        layout.addSpacing(10)
        self.forgetting = ForgetPanel(
            theme,
            Answers(
                really=lambda: desk.slots.start("forget", desk.memory.forgetting.really),
                keep=lambda: desk.slots.call(desk.memory.forgetting.keep),
            ),
        )
        self._asking = QWidget(self)
        asking = QVBoxLayout(self._asking)
        asking.setContentsMargins(12, 0, 12, 10)
        asking.addWidget(self.forgetting)
        layout.addWidget(self._asking)
        self._pages = QStackedLayout()
        layout.addLayout(self._pages, 1)
        self.home = HomePage(desk)
        self._pages.addWidget(self.home)
        self._rows: ResultList | None = None
        self._results: ResultsPage | None = None
        self._letter: ReadingPane | None = None
        QShortcut(QKeySequence.StandardKey.Find, self, self._to_words)
        QShortcut(QKeySequence.StandardKey.Back, self, lambda: desk.slots.call(desk.memory.back))
        QShortcut(QKeySequence(Qt.Key.Key_Down), self.words, lambda: self.results.list.enter())
        desk.watches.append(desk.memory.view.watch(self._show))
        desk.watches.append(desk.memory.forgetting.view.watch(self._say_forgetting))
        desk.memory.refresh()
        # The list has a turn to itself: the first table of a process takes Qt half a frame.
        ahead = (self._build_list, self._build_results, self._build_letter)
        for turn, build in enumerate(ahead, start=1):
            QTimer.singleShot(turn * BUILT_AHEAD_MS, self, build)

    @property
    def results(self) -> ResultsPage:
        """The page of lists; built before it is wanted, but after what is seen first."""
        return self._results or self._build_results()

    @property
    def letter(self) -> ReadingPane:
        """The page of a letter, built as that of lists."""
        return self._letter or self._build_letter()

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
        was, self._shown = self._shown, view
        self.mode.settle(view.mode)
        if was is None or view.home is not was.home:
            self.home.say(view.home)
        if view.page != "home" and view.results is not self._listed:
            self._listed = view.results
            self.results.say(view.results)
        if view.letter is not None:
            self.letter.say(view.letter, back_to=_way_back(view))
        match view.page:
            case "home":
                self._turn(self.home)
            case "results":
                self._turn(self.results)
            case "letter":
                self._turn(self.letter)

    def _turn(self, page: QWidget) -> None:
        before = self._pages.currentWidget()
        if page is before:
            return
        held = before is not None and before.isAncestorOf(self.focusWidget())
        self._pages.setCurrentWidget(page)
        if not held:
            return
        self._enter(page)

    def _enter(self, page: QWidget | None) -> None:
        """Whoever walks by keyboard goes on where they arrived, not at the window's beginning."""
        if page is self._letter is not None:
            self._letter.enter()
        elif page is self._results is not None:
            self._results.enter()
        else:
            self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_forgetting(self, view: ForgetView | None) -> None:
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


def _way_back(view: MemoryView) -> str:
    if view.results.stage != "found":
        return "Memory"
    return view.results.title


TAB = Tab("memory", "Memory", "memory", 30, MemoryTab)
