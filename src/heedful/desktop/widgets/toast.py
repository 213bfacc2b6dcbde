"""The word at the foot of the window, with Undo."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import RADIUS_CARD, Theme, font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import Paragraph, Type
from heedful.presenters.toasts import Toast

SHOWN_MS = 6_000
FAILED_SHOWN_MS = 12_000
_MARGIN = 12
_WORDS = Type(12, 17, colour="on_toast")
_BY_KEYBOARD = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}


class _ToastButton(Button):
    """A link in the toast's own colour; `is_held` while the person went to it, since a window gives focus by itself.

    A click leaves the keyboard where it is: the toast leaves with it, and what is next would light up.
    """

    def __init__(self, theme: Theme, text: str, parent: QWidget) -> None:
        super().__init__(theme, text, weight=Weight.LINK, parent=parent)
        self._font = font(12, QFont.Weight.Bold)
        self.is_held = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self.is_held = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self.is_held = False
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("toast_link"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        self.paint_focus(painter, QRectF(self.rect()), token="toast_link")


class ToastBar(QWidget):
    """Floats over its parent's foot; leaves by itself, but not while the pointer or the keyboard is on it."""

    def __init__(self, theme: Theme, undo: Callable[[Toast], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._over = parent
        self._undo = undo
        self._toast: Toast | None = None
        self._left_inset = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._leave)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 9, 10, 9)
        layout.setSpacing(10)
        self._words = Paragraph(theme, _WORDS, lines=6, parent=self)
        self.button = _ToastButton(theme, "Undo", self)
        self.button.clicked.connect(self._pressed)
        self.close_button = _ToastButton(theme, "Close", self)
        self.close_button.clicked.connect(self.hide)
        layout.addWidget(self._words, 1)
        layout.addWidget(self.button)
        layout.addWidget(self.close_button)
        theme.changed.connect(self.update)
        self.hide()

    def inset(self, left: int) -> None:
        """Keeps clear of what stands at the parent's left."""
        self._left_inset = left

    def say(self, toast: Toast | None) -> None:
        """Shows a toast, or none."""
        self._toast = toast
        if toast is None:
            self.hide()
            return
        self._words.say(toast.text)
        self.setAccessibleName(toast.text)
        self.button.setVisible(toast.has_way_back)
        self.close_button.setVisible(not toast.has_way_back)
        self.place()
        self.show()
        self.raise_()
        self._timer.start(FAILED_SHOWN_MS if toast.tone == "failed" else SHOWN_MS)

    def place(self) -> None:
        """Lies at the parent's foot; to be called when the parent was resized."""
        width = self._over.width() - self._left_inset - 2 * _MARGIN
        layout = self.layout()
        height = layout.totalHeightForWidth(width) if layout is not None else 36
        self.setGeometry(self._left_inset + _MARGIN, self._over.height() - height - _MARGIN, width, height)

    def undo_now(self) -> None:
        """Takes back what the toast tells of, if it can be."""
        if self.isVisible() and self._toast is not None and self._toast.has_way_back:
            self._pressed()

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 (Qt's name)
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        self._timer.start(SHOWN_MS)
        super().leaveEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("toast"))
        painter.drawRoundedRect(QRectF(self.rect()), RADIUS_CARD, RADIUS_CARD)

    def _leave(self) -> None:
        if self.button.is_held or self.close_button.is_held:
            self._timer.start(SHOWN_MS)
        else:
            self.hide()

    def _pressed(self) -> None:
        if self._toast is not None and self._toast.has_way_back:
            self._undo(self._toast)
        self.hide()
