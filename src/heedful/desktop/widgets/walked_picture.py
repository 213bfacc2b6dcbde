"""What pictures of several places have in common: the pointer or the arrow keys light one, its words are said."""

from abc import abstractmethod

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.whole_words import as_written


class WalkedPicture(QWidget):
    """A picture whose places are numbered from 0; a press or Enter opens the lit one.

    Each picture says how many places it has, where they are, what is to be said of them, and where a key leads.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lit: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)

    @property
    def lit(self) -> int | None:
        """The place under the pointer or the keyboard."""
        return self._lit

    @abstractmethod
    def place_count(self) -> int:
        """How many places there are."""

    def first_place(self) -> int:
        """The place that is lit when the keyboard comes in."""
        return 0

    @abstractmethod
    def place_under(self, point: QPointF) -> int | None:
        """The place drawn at a point."""

    @abstractmethod
    def place_words(self, number: int) -> str:
        """What is said of a place."""

    @abstractmethod
    def whole_words(self) -> str:
        """What is said of the picture while no place is lit."""

    @abstractmethod
    def step(self, key: int, at: int | None) -> int | None:
        """Where a key leads from the lit place; None for a key that leads nowhere."""

    def can_open(self, number: int) -> bool:  # noqa: ARG002 (some pictures look at it)
        """Whether there is anything behind a place."""
        return True

    @abstractmethod
    def open_place(self, number: int) -> None:
        """Goes where a place leads."""

    def begin_anew(self) -> None:
        """To be called when the places were replaced."""
        self._lit = None
        self.setAccessibleName(self.whole_words())
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.place_under(QPointF(event.pos()))
            QToolTip.showText(
                event.globalPos(), "" if number is None else as_written(self.place_words(number)), self
            )
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._light(self.place_under(event.position()))
        leads = self._lit is not None and self.can_open(self._lit)
        self.setCursor(Qt.CursorShape.PointingHandCursor if leads else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._light(self.place_under(event.position()))
        self._open_lit()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        if not self.hasFocus():
            self._light(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        by_keyboard = event.reason() is not Qt.FocusReason.MouseFocusReason
        if by_keyboard and self._lit is None and self.place_count():
            self._light(self.first_place())
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self._light(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        to = self.step(event.key(), self._lit) if self.place_count() else None
        if to is not None:
            self._light(to)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_lit()
        else:
            super().keyPressEvent(event)

    def _light(self, number: int | None) -> None:
        if number != self._lit:
            self._lit = number
            self.setAccessibleName(self.whole_words() if number is None else self.place_words(number))
            self.update()

    def _open_lit(self) -> None:
        if self._lit is not None and self.can_open(self._lit):
            self.open_place(self._lit)
