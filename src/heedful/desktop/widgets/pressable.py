"""What every button that we paint has in common: Enter presses it, and the keyboard's focus is seen."""

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from heedful.desktop.theme import RADIUS_CONTROL, Theme

_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


_ELSEWHERE = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)


class Pressable(QAbstractButton):
    """A button without looks; `shows_focus` is true while the keyboard brought the focus here.

    One that is not allowed any more while it has the focus keeps it, and does nothing: to lose it would throw
    whoever walks by keyboard on to a control that they did not choose.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shows_focus = False
        self._is_held = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self.update)

    @property
    def is_live(self) -> bool:
        """Whether a press does anything."""
        return self.isEnabled() and not self._is_held

    def allow(self, *, allowed: bool) -> None:
        """Lets it be pressed, or not."""
        self._is_held = not allowed and self.hasFocus()
        self.setEnabled(allowed or self._is_held)
        self.update()

    def hitButton(self, where: QPoint) -> bool:  # noqa: N802 (Qt's name)
        return not self._is_held and super().hitButton(where)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if self._is_held and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self.shows_focus = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self.shows_focus = False
        super().focusOutEvent(event)
        if self._is_held and event.reason() not in _ELSEWHERE:
            self.allow(allowed=False)

    def paint_focus(
        self, painter: QPainter, where: QRectF, *, token: str = "blue", inset: float = 1.0
    ) -> None:
        """Draws the keyboard's ring inside `where`, when it is to be seen."""
        if not self.shows_focus:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._theme.colour(token), 1.5))
        ring = where.adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(ring, RADIUS_CONTROL - 1, RADIUS_CONTROL - 1)
