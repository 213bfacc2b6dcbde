"""A yes or no that takes effect at once, with its words beside it."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.pressable import Pressable

_TRACK_WIDTH, _TRACK_HEIGHT, _GAP = 28, 16, 8


class Switch(Pressable):
    """Emits `clicked` with the new state when the person moves it; `settle` moves it without that."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._font = font(12)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def settle(self, *, is_on: bool) -> None:
        """Shows a state."""
        self.setChecked(is_on)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        metrics = QFontMetricsF(self._font)
        width = _TRACK_WIDTH + _GAP + metrics.horizontalAdvance(self.text()) + 8
        return QSize(round(width), max(24, round(metrics.height()) + 6))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = (self.height() - _TRACK_HEIGHT) / 2
        track = QRectF(2, top, _TRACK_WIDTH, _TRACK_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("blue" if self.isChecked() else "ink_3"))
        painter.drawRoundedRect(track, _TRACK_HEIGHT / 2, _TRACK_HEIGHT / 2)
        painter.setBrush(self._theme.colour("card"))
        knob = track.right() - 14 if self.isChecked() else track.left() + 2
        painter.drawEllipse(QRectF(knob, top + 2, 12, 12))
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink"))
        words = QRectF(_TRACK_WIDTH + _GAP + 2, 0, self.width(), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        self.paint_focus(painter, QRectF(self.rect()))
