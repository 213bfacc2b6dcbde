"""A small pill: a shape and a word in one colour on its pale ground."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from heedful.desktop.glyphs import draw_shape
from heedful.desktop.theme import Theme, font

COLOURS = {
    "critical": "coral", "failed": "coral", "important": "amber", "waiting-for-you": "amber",
    "normal": "blue", "reading": "blue", "running": "blue", "waiting": "sage", "done": "sage",
}  # fmt: skip
"""The token of each shape; what is not here is written in the second ink on the line's ground."""

_MARK = 9


def ground_of(shape: str) -> str:
    """The token of the pale ground that belongs to a shape."""
    colour = COLOURS.get(shape)
    return f"{colour}_pale" if colour else "hover"


class Tag(QWidget):
    """Says a shape's word; without a word it is the shape alone."""

    def __init__(
        self, theme: Theme, *, shape: str = "", word: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = font(11, QFont.Weight.DemiBold)
        self._shape = shape
        self._word = word
        self._drawn = True
        theme.changed.connect(self.update)
        self.say(shape, word)

    def say(self, shape: str, word: str, *, drawn: bool = True) -> None:
        """Replaces shape and word; the shape gives only its colour when it is not `drawn`."""
        self._shape, self._word, self._drawn = shape, word, drawn
        self.setAccessibleName(word or shape)
        self.setFixedSize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        text = QFontMetricsF(self._font).horizontalAdvance(self._word) if self._word else 0
        mark = _MARK if self._drawn else 0
        gap = 4 if self._word and self._drawn else 0
        return QSize(round(12 + mark + gap + text) + 1, 18)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(ground_of(self._shape)))
        painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        ink = self._theme.colour(COLOURS.get(self._shape, "ink_2"))
        left = 6.0
        if self._drawn:
            draw_shape(painter, self._shape, QRectF(left, (self.height() - _MARK) / 2, _MARK, _MARK), ink)
            left += _MARK + 4
        painter.setFont(self._font)
        painter.setPen(ink)
        painter.drawText(
            QRectF(left, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, self._word
        )
