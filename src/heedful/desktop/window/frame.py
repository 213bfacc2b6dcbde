"""The Intelligence window: header, rail, the tab in front, and the toast at the foot.

Closing it hides it where a tray icon brings it back. Where there is no tray it is never hidden: it is put into
the task bar instead, and says why.
"""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeySequence,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from heedful.core.bus import Unsubscribe
from heedful.desktop.tabs import Desk, StepsBack, Tab, tabs
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.drop_zone import dropped_files, take_a_copy
from heedful.desktop.widgets.reading_order import walk_on
from heedful.desktop.widgets.toast import ToastBar
from heedful.desktop.window.header import Header
from heedful.desktop.window.rail import WIDTH as RAIL_WIDTH
from heedful.desktop.window.rail import Rail
from heedful.presenters.items import Verb
from heedful.presenters.moods import FrameView
from heedful.presenters.toasts import Toast, Toasts

SIZE = QSize(460, 700)
SMALLEST = QSize(390, 420)
WIDEST_PAGE = 880
"""A wider window keeps its pages readable: rows whose two ends belong together, a year in one band."""
NO_TRAY_WORDS = "This desktop shows no tray icons, so the window stays in the task bar. Quit with Ctrl+Q."
STILL_HERE_WORDS = "Heedful goes on looking from the tray. Quit it there, or with Ctrl+Q."


class IntelligenceWindow(QWidget):
    """The one window."""

    def __init__(
        self,
        theme: Theme,
        toasts: Toasts,
        *,
        quit_asked: Callable[[], None],
        tray_is_there: Callable[[], bool],
        mark: str = "",
    ) -> None:
        super().__init__()
        self._theme = theme
        self._toasts = toasts
        self._tray_is_there = tray_is_there
        self._desk: Desk | None = None
        self._tabs: dict[str, Tab] = {}
        self._pages: dict[str, QWidget] = {}
        self._closed_once = False
        self._watches: list[Unsubscribe] = []
        self.setWindowTitle("Heedful")
        self.setMinimumSize(SMALLEST)
        self.resize(SIZE)
        self.header = Header(theme, mark=mark, parent=self)
        self.rail: Rail | None = None
        self.setAcceptDrops(True)
        self.stack = QStackedWidget(self)
        self.stack.setMaximumWidth(WIDEST_PAGE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        self._body = QHBoxLayout()
        self._body.setSpacing(0)
        self._body.addStretch()
        self._body.addWidget(self.stack, 1)
        self._body.addStretch()
        column.addLayout(self._body, 1)
        self.toast = ToastBar(theme, self._undo, self)
        self._watches.append(toasts.last.watch(self.toast.say))
        QShortcut(QKeySequence.StandardKey.Undo, self, self.toast.undo_now)
        QShortcut(QKeySequence("Ctrl+Q"), self, quit_asked)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._step_back)

    def show_page(self, page: QWidget) -> None:
        """Shows a page without the rail: what comes before there is a store."""
        self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)

    def move_in(self, desk: Desk, frame: Callable[[Callable[[FrameView], None]], Unsubscribe]) -> None:
        """Brings the tabs in; `frame` watches the state in words."""
        self._desk = desk
        found = tabs()
        self._tabs = {tab.name: tab for tab in found}
        self.rail = Rail(self._theme, found, self)
        self._body.insertWidget(0, self.rail)
        self.rail.chosen.connect(self.open_tab)
        for number, tab in enumerate(found, start=1):
            keys = QKeySequence(f"Ctrl+{number}")
            QShortcut(keys, self, lambda name=tab.name: self.open_tab(name))
            self.rail.buttons[tab.name].press_by(keys)
        self.toast.inset(RAIL_WIDTH)
        self._watches.append(frame(self._say))
        self.open_tab(found[0].name)

    def open_tab(self, name: str) -> None:
        """Brings a tab to the front; it is built when it is first wanted."""
        if self._desk is None or self.rail is None:
            return
        if name not in self._pages:
            page = self._tabs[name].make(self._desk)
            self._pages[name] = page
            self.stack.addWidget(page)
        self.stack.setCurrentWidget(self._pages[name])
        self.rail.buttons[name].setChecked(True)

    def page(self, name: str) -> QWidget:
        """A tab's widget, once it was opened."""
        return self._pages[name]

    def raise_up(self) -> None:
        """Shows the window, in front of the others, wherever it was."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def _step_back(self) -> None:
        page: object = self.stack.currentWidget()
        if not (isinstance(page, StepsBack) and page.step_back()):
            self.close()

    def leave(self) -> None:
        """Lets go of what is watched, before the presenters close."""
        for unwatch in self._watches:
            unwatch()
        self._watches.clear()
        if self._desk is not None:
            for unwatch in self._desk.watches:
                unwatch()
            self._desk.watches.clear()
        self.hide()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Files that come over the window are led to where they are taken."""
        if self._desk is not None and dropped_files(event):
            self.open_tab("sources")
            take_a_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        desk, files = self._desk, dropped_files(event)
        if desk is not None and files:
            take_a_copy(event)
            desk.slots.start(f"add {files}", lambda: desk.sources.add(files))

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()
        if not self._tray_is_there():
            self.showMinimized()
            self._toasts.say(NO_TRAY_WORDS)
        elif self._closed_once:
            self.hide()
        else:
            self._closed_once = True
            self._toasts.say(STILL_HERE_WORDS)
            QTimer.singleShot(1800, self, self.hide)

    def focusNextPrevChild(self, forwards: bool) -> bool:  # noqa: N802 (Qt's name)
        return walk_on(self, forwards=forwards) or super().focusNextPrevChild(forwards)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self.toast.place()

    def _say(self, view: FrameView) -> None:
        self.header.say(view)
        if self.rail is not None and "today" in self.rail.buttons:
            self.rail.buttons["today"].wait_for(view.waiting)

    def _undo(self, toast: Toast) -> None:
        desk, item_id = self._desk, toast.undo
        if desk is None:
            return
        if toast.take_back is not None:
            desk.slots.start(f"take back {toast.number}", toast.take_back)
        elif item_id is not None:
            desk.slots.start(f"undo {item_id}", lambda: desk.today.decide(item_id, Verb.UNDO))
