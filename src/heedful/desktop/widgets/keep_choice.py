"""How long a source's messages are kept: a choice that asks before it shortens what is kept."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.fields import Choice
from heedful.desktop.widgets.paragraph import META, Paragraph

TERMS: tuple[int | None, ...] = (None, 30, 90, 365, 3 * 365)


class KeepChoice(QWidget):
    """Says how long, and tells `decide` when the person chose otherwise; fewer days only after a second word."""

    def __init__(
        self, theme: Theme, name: str, decide: Callable[[int | None], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._decide = decide
        self._kept: int | None = None
        self._asked: int | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.choice = Choice(theme, f"How long messages of {name} are kept", self)
        self.choice.activated.connect(self._choose)
        row = QHBoxLayout()
        row.addWidget(self.choice)
        row.addStretch(1)
        column.addLayout(row)
        self.question = QWidget(self)
        asking = QVBoxLayout(self.question)
        asking.setContentsMargins(0, 0, 0, 0)
        asking.setSpacing(6)
        self._words = Paragraph(theme, META, parent=self.question)
        asking.addWidget(self._words)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        self.really = Button(theme, "Forget what is older", parent=self.question)
        self.really.clicked.connect(self._say)
        self.keep = Button(theme, "Keep", weight=Weight.QUIET, parent=self.question)
        self.keep.clicked.connect(lambda: self._settle(self._kept))
        buttons.addWidget(self.really)
        buttons.addWidget(self.keep)
        buttons.addStretch(1)
        asking.addLayout(buttons)
        column.addWidget(self.question)
        self._settle(None)

    def say(self, days: int | None) -> None:
        """Shows what holds; a question that is open stays while that does not change."""
        if days != self._kept:
            self._settle(days)

    def _settle(self, days: int | None) -> None:
        self._kept = self._asked = days
        terms = sorted({*TERMS, days}, key=lambda term: term or 1 << 30, reverse=True)
        if [self.choice.itemData(place) for place in range(self.choice.count())] != terms:
            self.choice.clear()
            for term in terms:
                self.choice.addItem(_words(term), term)
        self.choice.setCurrentIndex(terms.index(days))
        self.question.hide()

    def _choose(self) -> None:
        asked = self.choice.currentData()
        self._asked = asked if isinstance(asked, int) else None
        if self._asked is None or (self._kept is not None and self._asked >= self._kept):
            self._say()
            return
        self._words.say(f"What was sent more than {self._asked} days ago is forgotten. This can't be undone.")
        self.question.show()

    def _say(self) -> None:
        self.question.hide()
        if self._asked != self._kept:
            self._decide(self._asked)


def _words(days: int | None) -> str:
    if days is None:
        return "Kept for ever"
    if days % 365 == 0:
        return "Kept for a year" if days == 365 else f"Kept for {days // 365} years"
    return f"Kept for {days} days"
