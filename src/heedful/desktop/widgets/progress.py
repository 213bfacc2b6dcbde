"""A thin bar for what is known to end; it says its share to a screen reader."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from heedful.desktop.theme import Theme


class ProgressBar(QWidget):
    """Shows a share from 0 to 1."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0
        self.setFixedHeight(6)

    def say(self, share: float) -> None:
        """Shows another share."""
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleName(f"{self._share:.0%}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("line"))
        painter.drawRoundedRect(QRectF(self.rect()), 3, 3)
        painter.setBrush(self._theme.colour("blue"))
        painter.drawRoundedRect(QRectF(0, 0, max(6.0, self.width() * self._share), 6), 3, 3)
