"""The ground that cards and row lists lie on: rounded, one line around, one soft shadow in light."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.theme import RADIUS_CARD, Theme


class Surface(QWidget):
    """A card's ground with a column inside; `dashed` invites to drop something."""

    def __init__(
        self,
        theme: Theme,
        *,
        margins: tuple[int, int, int, int] = (12, 10, 12, 10),
        spacing: int = 0,
        dashed: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.theme = theme
        self.is_called = False
        self._dashed = dashed
        self._edge = "line"
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(*margins)
        self.column.setSpacing(spacing)
        theme.changed.connect(self.update)

    def edge(self, token: str) -> None:
        """Draws the line around in another token."""
        self._edge = token
        self.update()

    def call_attention(self, *, called: bool) -> None:
        """Shows, or stops showing, that something can be dropped here now."""
        self.is_called = called
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        where = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -1.5)
        if not self.theme.tokens.is_dark and not self._dashed:
            painter.setPen(QPen(QColor(0, 0, 0, 10), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(where.translated(0, 1), RADIUS_CARD, RADIUS_CARD)
        pen = QPen(self.theme.colour("blue" if self.is_called else self._edge), 1)
        if self._dashed:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(self.theme.colour("blue_pale" if self.is_called else "card"))
        painter.drawRoundedRect(where, RADIUS_CARD, RADIUS_CARD)
