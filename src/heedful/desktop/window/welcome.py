"""What the window shows before there is an open store."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.slots import Slots
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.fields import labelled, line
from heedful.desktop.widgets.paragraph import META, TEXT, TITLE, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.welcome import Step, WelcomePresenter, WelcomeView


class WelcomePage(ScrollColumn):
    """One step at a time."""

    def __init__(self, theme: Theme, slots: Slots, welcome: WelcomePresenter) -> None:
        super().__init__()
        self._theme = theme
        self._slots = slots
        self._welcome = welcome
        self._step: Step | None = None
        self._page: QWidget | None = None
        self._problem: Paragraph | None = None
        self._unwatch = welcome.view.watch(self._show)

    def leave(self) -> None:
        """Goes: the tabs are there now."""
        self._unwatch()
        self.deleteLater()

    def _show(self, view: WelcomeView) -> None:
        if view.step is not self._step:
            self._step = view.step
            self._turn_to(self._made(view))
        if self._problem is not None:
            self._problem.say(view.problem)
            self._problem.setVisible(bool(view.problem))
        if self._page is not None:
            self._page.setEnabled(not view.is_busy)

    def _turn_to(self, page: QWidget) -> None:
        if self._page is not None:
            self.column.removeWidget(self._page)
            self._page.deleteLater()
        self._page = page
        self.column.addWidget(page)

    def _made(self, view: WelcomeView) -> QWidget:
        self._problem = None
        match view.step:
            case Step.CHOOSE:
                return self._choose()
            case Step.UNLOCK:
                return self._unlock()
            case Step.LOST:
                return self._lost(view)
            case Step.TROUBLE:
                headline = view.reason.headline if view.reason else ""
                advice = view.reason.advice if view.reason else ""
                return EmptyState(
                    self._theme,
                    headline,
                    advice,
                    glyph="lock",
                    button="Try again",
                    act=self._start(self._welcome.open),
                )
            case Step.OPENING | Step.OPEN:
                return EmptyState(self._theme, "Opening your store")

    def _choose(self) -> QWidget:
        page, column = _page()
        self._introduce(
            column,
            "How should your store be locked?",
            "This computer has no keyring to keep a key in, so you decide. What Heedful reads stays in one file here.",
        )
        ground = Surface(self._theme, spacing=8)
        self.passphrase = line("Passphrase", secret=True)
        self.repeated = line("The same again", secret=True)
        ground.column.addWidget(labelled(self._theme, "Passphrase", self.passphrase))
        ground.column.addWidget(labelled(self._theme, "The same again", self.repeated))
        self._problem = Paragraph(self._theme, META)
        ground.column.addWidget(self._problem)
        self.lock = Button(self._theme, "Lock with this passphrase", weight=Weight.PRIMARY)
        choose = self._start(
            lambda: self._welcome.choose_passphrase(self.passphrase.text(), self.repeated.text())
        )
        self.lock.clicked.connect(choose)
        self.repeated.returnPressed.connect(choose)
        ground.column.addWidget(self.lock, 0, Qt.AlignmentFlag.AlignLeft)
        ground.column.addWidget(
            Paragraph(
                self._theme, META, text="Nobody can open the store without it, and nobody can recover it."
            )
        )
        column.addWidget(ground)
        column.addSpacing(12)
        other = Surface(self._theme, spacing=8)
        other.column.addWidget(
            Paragraph(
                self._theme,
                TEXT,
                text="Or leave it unencrypted: whoever can read this computer's disk can read what Heedful keeps.",
            )
        )
        self.unencrypted = Button(self._theme, "Leave it unencrypted")
        self.unencrypted.clicked.connect(self._start(self._welcome.accept_unencrypted))
        other.column.addWidget(self.unencrypted, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(other)
        column.addStretch(1)
        return page

    def _unlock(self) -> QWidget:
        page, column = _page()
        self._introduce(column, "Your store is locked", "Type its passphrase to open it.")
        ground = Surface(self._theme, spacing=8)
        self.passphrase = line("Passphrase", secret=True)
        ground.column.addWidget(labelled(self._theme, "Passphrase", self.passphrase))
        self._problem = Paragraph(self._theme, META)
        ground.column.addWidget(self._problem)
        self.lock = Button(self._theme, "Unlock", weight=Weight.PRIMARY)
        unlock = self._start(lambda: self._welcome.unlock(self.passphrase.text()))
        self.lock.clicked.connect(unlock)
        self.passphrase.returnPressed.connect(unlock)
        ground.column.addWidget(self.lock, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(ground)
        column.addStretch(1)
        self.passphrase.setFocus()
        return page

    def _lost(self, view: WelcomeView) -> QWidget:
        page, column = _page()
        headline = view.reason.headline if view.reason else "The store's key is lost"
        self._introduce(column, headline, view.reason.advice if view.reason else "")
        row = QHBoxLayout()
        row.setSpacing(8)
        self.retry = Button(self._theme, "Try again", weight=Weight.PRIMARY)
        self.retry.clicked.connect(self._start(self._welcome.open))
        self.afresh = Button(self._theme, "Start a fresh store")
        self.afresh.clicked.connect(self._start(self._welcome.start_afresh))
        row.addWidget(self.retry)
        row.addWidget(self.afresh)
        row.addStretch(1)
        column.addLayout(row)
        column.addSpacing(8)
        column.addWidget(
            Paragraph(self._theme, META, text="The old file is kept beside the fresh one, under a new name.")
        )
        column.addStretch(1)
        return page

    def _introduce(self, column: QVBoxLayout, headline: str, words: str) -> None:
        column.addWidget(Paragraph(self._theme, TITLE, text=headline))
        column.addSpacing(2)
        column.addWidget(Paragraph(self._theme, TEXT, text=words))
        column.addSpacing(12)

    def _start(self, work: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
        return lambda: self._slots.start("welcome", work)


def _page() -> tuple[QWidget, QVBoxLayout]:
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(4, 24, 4, 12)
    column.setSpacing(0)
    return page, column
