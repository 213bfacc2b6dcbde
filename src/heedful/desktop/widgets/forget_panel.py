"""Asks before something is forgotten: what goes, what stays, and the two answers. Nothing here can be undone later."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, TEXT, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.memory_views import ForgetView


@dataclass(frozen=True, slots=True)
class Answers:
    """What the two buttons do."""

    really: Callable[[], None]
    keep: Callable[[], None]


class ForgetPanel(Surface):
    """Hidden while nothing is asked; takes the keyboard when it asks, on the answer that changes nothing."""

    def __init__(self, theme: Theme, answers: Answers, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._answers = answers
        self._shown: ForgetView | None = None
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.edge("coral")
        self.headline = Paragraph(theme, ROW_TITLE, lines=2, parent=self)
        self.goes = Paragraph(theme, TEXT, lines=3, parent=self)
        self.stays = Paragraph(theme, META, lines=5, parent=self)
        self.column.addWidget(self.headline)
        self.column.addSpacing(2)
        self.column.addWidget(self.goes)
        self.column.addSpacing(4)
        self.column.addWidget(self.stays)
        self._row = QWidget(self)
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 8, 0, 0)
        row.setSpacing(6)
        self.keep = Button(theme, "Keep", weight=Weight.PLAIN, parent=self)
        self.keep.clicked.connect(answers.keep)
        self.really = Button(theme, "Forget", weight=Weight.DANGER, parent=self)
        self.really.clicked.connect(answers.really)
        row.addWidget(self.keep)
        row.addWidget(self.really)
        row.addStretch(1)
        self.column.addWidget(self._row)
        self.hide()

    def say(self, view: ForgetView | None) -> None:
        """Shows a question, its counting, or its being done; nothing where there is none."""
        was, self._shown = self._shown, view
        if view is None:
            self.hide()
            return
        if view.stage == "forgetting" and self._row.isAncestorOf(self.focusWidget()):
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # the answers go; the keyboard stays here
        self.setAccessibleName(view.headline)
        self.headline.say(view.headline)
        self.goes.say("Counting what goes with it" if view.stage == "counting" else view.goes)
        self.stays.say(view.stays)
        self.stays.setVisible(bool(view.stays))
        self._row.setVisible(view.stage != "forgetting")
        self.really.setVisible(view.stage == "asking")
        if view.button:
            self.really.say(view.button)
            self.really.setAccessibleName(f"{view.button} for good")
        self.keep.say("Keep" if view.stage != "refused" else "Close")
        self._hold_words()
        self.show()
        if was is None:
            self.keep.setFocus(Qt.FocusReason.TabFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self._hold_words()

    def _hold_words(self) -> None:
        """What is to be known before an answer is never cut, however low the window."""
        margins = self.column.contentsMargins()
        width = max(1, self.width() - margins.left() - margins.right())
        for words in (self.headline, self.goes, self.stays):
            words.setMinimumHeight(words.heightForWidth(width))

    def event(self, event: QEvent) -> bool:
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            event.accept()  # or else the window takes it, and closes
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.key() == Qt.Key.Key_Escape and self._row.isVisible():
            self._answers.keep()
        else:
            super().keyPressEvent(event)
