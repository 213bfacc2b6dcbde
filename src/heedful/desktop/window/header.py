"""The window's header: the name, and the state in words."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from heedful.desktop.glyphs import draw_logo
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.whole_words import as_written
from heedful.presenters.moods import FrameView, Mood

HEIGHT = 44
_COLOURS = {
    Mood.QUIET: "sage",
    Mood.WORKING: "blue",
    Mood.NEEDS_YOU: "amber",
    Mood.PROBLEM: "coral",
    Mood.PAUSED: "ink_3",
}


class Header(QWidget):
    """Ring, name, and at the right a dot with the state; `mark` is a word after the name, such as «sample data»."""

    def __init__(self, theme: Theme, *, mark: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mark = mark
        self._view = FrameView(Mood.WORKING, "Starting")
        self._name_font = font(13, QFont.Weight.DemiBold)
        self._state_font = font(11)
        self.setFixedHeight(HEIGHT)
        theme.changed.connect(self.update)

    def say(self, view: FrameView) -> None:
        """Shows another state."""
        self._view = view
        self.setAccessibleName(view.words)
        self.setToolTip(as_written(view.words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), self._theme.colour("card"))
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, self._theme.colour("line"))
        draw_logo(painter, QRectF(14, (HEIGHT - 18) / 2, 18, 18), self._theme.colour("blue"))
        painter.setFont(self._name_font)
        painter.setPen(self._theme.colour("ink"))
        name = QFontMetricsF(self._name_font).horizontalAdvance("Heedful")
        painter.drawText(QRectF(40, 0, name + 2, HEIGHT - 1), Qt.AlignmentFlag.AlignVCenter, "Heedful")
        left = 40 + name + 10
        painter.setFont(self._state_font)
        metrics = QFontMetricsF(self._state_font)
        painter.setPen(self._theme.colour("ink_2"))
        if self._mark:
            painter.drawText(QRectF(left, 1, 120, HEIGHT - 1), Qt.AlignmentFlag.AlignVCenter, self._mark)
            left += metrics.horizontalAdvance(self._mark) + 12
        room = self.width() - 12 - left - 16
        words = metrics.elidedText(self._view.words, Qt.TextElideMode.ElideRight, room)
        width = metrics.horizontalAdvance(words)
        start = self.width() - 12 - width
        painter.drawText(QRectF(start, 0, width + 2, HEIGHT - 1), Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(_COLOURS[self._view.mood]))
        painter.drawEllipse(QRectF(start - 14, (HEIGHT - 9) / 2, 8, 8))
