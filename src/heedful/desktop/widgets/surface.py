"""The ground that cards and row lists lie on: rounded, one line around, one soft shadow in light."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPixmap, QPixmapCache
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.theme import RADIUS_CARD, Theme

_CORNER = RADIUS_CARD + 3
"""A corner with its line and its shadow, in pixels of the design."""


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
        if self._dashed or self.width() < 2 * _CORNER or self.height() < 2 * _CORNER:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw(painter, QRectF(self.rect()))
            return
        self._put_together(painter)

    def _draw(self, painter: QPainter, whole: QRectF) -> None:
        where = whole.adjusted(0.5, 0.5, -0.5, -1.5)
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

    def _put_together(self, painter: QPainter) -> None:
        """The ground from a small picture of itself: round corners of a whole page take long to draw."""
        small = self._small_picture(painter.deviceTransform().m11())
        ratio = small.devicePixelRatio()
        width, height = self.width(), self.height()
        across = (
            (0, _CORNER, 0),
            (_CORNER, width - 2 * _CORNER, _CORNER),
            (width - _CORNER, _CORNER, _CORNER + 1),
        )
        down = (
            (0, _CORNER, 0),
            (_CORNER, height - 2 * _CORNER, _CORNER),
            (height - _CORNER, _CORNER, _CORNER + 1),
        )
        for top, high, from_top in down:
            for left, wide, from_left in across:
                part = QRectF(
                    from_left * ratio, from_top * ratio,
                    (1 if from_left == _CORNER else _CORNER) * ratio, (1 if from_top == _CORNER else _CORNER) * ratio,
                )  # fmt: skip
                painter.drawPixmap(QRectF(left, top, wide, high), small, part)

    def _small_picture(self, ratio: float) -> QPixmap:
        tokens = self.theme.tokens
        key = f"surface {tokens.is_dark} {self.is_called} {self._edge} {ratio}"
        small = QPixmap()
        if not QPixmapCache.find(key, small):
            side = 2 * _CORNER + 1
            small = QPixmap(round(side * ratio), round(side * ratio))
            small.setDevicePixelRatio(ratio)
            small.fill(Qt.GlobalColor.transparent)
            painter = QPainter(small)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw(painter, QRectF(0, 0, side, side))
            painter.end()
            QPixmapCache.insert(key, small)
        return small
