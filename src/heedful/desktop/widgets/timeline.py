"""One look in the record: time, shape, what came of it, how long it took."""

import math

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.glyphs import draw_shape
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.widgets.whole_words import tell_whole
from heedful.presenters.activity import LookView

_COLOURS = {"quiet": "ink_3", "done": "sage", "running": "blue", "failed": "coral", "skipped": "ink_3"}
_SHAPES = {"quiet": "quiet", "done": "disc", "running": "disc", "failed": "failed", "skipped": "skipped"}
_TIME, _MARK, _GAP = 40, 10, 8
_WORDS = _TIME + 4 + _MARK + _GAP
_ONE_LINE, _DETAIL_LINE = 30, 16
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter


class _LookHead(Pressable):
    def __init__(self, theme: Theme, look: LookView, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._look = look
        self._title_font = font(12)
        self._meta_font = font(11)
        tabular = font(12)
        tabular.setFeature(QFont.Tag("tnum"), 1)
        self._time_font = tabular
        self.setCheckable(True)
        self.say(look)

    def say(self, look: LookView) -> None:
        self._look = look
        self.setAccessibleName(", ".join((look.time, look.title, look.detail, look.duration)))
        unfolds = bool(look.more)
        self._fit()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if unfolds else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if unfolds else Qt.CursorShape.ArrowCursor)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Takes the height that the whole detail needs: why a look failed is no good cut off."""
        self.setFixedHeight(_ONE_LINE + math.ceil(self._detail_height()))

    def _detail_height(self) -> float:
        if not self._look.detail:
            return 0.0
        room = QRectF(0, 0, max(self._width(), 80), 1_000)
        words = QFontMetricsF(self._meta_font).boundingRect(room, _WRAPPED, self._look.detail)
        return max(words.height(), _DETAIL_LINE)

    def _width(self) -> float:
        """How wide the words may be, between the mark and how long it took."""
        taken = QFontMetricsF(self._time_font).horizontalAdvance(self._look.duration) + 1
        return self.width() - 2 - taken - _WORDS - 6

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, theme = self._look, self._theme
        top, line = 6.0, 17.0
        painter.setFont(self._time_font)
        painter.setPen(theme.colour("ink_2"))
        painter.drawText(QRectF(2, top, _TIME, line), Qt.AlignmentFlag.AlignVCenter, look.time)
        taken = QFontMetricsF(self._time_font).horizontalAdvance(look.duration) + 1
        right = self.width() - 2 - taken
        painter.drawText(QRectF(right, top, taken, line), Qt.AlignmentFlag.AlignVCenter, look.duration)
        mark = QRectF(_TIME + 4, top + (line - _MARK) / 2, _MARK, _MARK)
        draw_shape(painter, _SHAPES[look.shape], mark, theme.colour(_COLOURS[look.shape]))
        left, width = _WORDS, self._width()
        painter.setFont(self._title_font)
        painter.setPen(theme.colour("ink"))
        elide = Qt.TextElideMode.ElideRight
        title = QFontMetricsF(self._title_font).elidedText(look.title, elide, width)
        painter.drawText(QRectF(left, top, width, line), Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(self._meta_font)
        painter.setPen(theme.colour("ink_2"))
        painter.drawText(QRectF(left, top + line, width, self._detail_height()), _WRAPPED, look.detail)
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.colour("line"))
        tell_whole(self, *([look.title] if title != look.title else []))
        self.paint_focus(painter, QRectF(self.rect()))


class LookRow(QWidget):
    """A look that unfolds where there is more to say."""

    def __init__(self, theme: Theme, look: LookView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.head = _LookHead(theme, look, self)
        self.head.toggled.connect(self._unfold)
        self._more = Paragraph(theme, META, parent=self)
        self._more.setContentsMargins(0, 4, 0, 4)
        self._column.addWidget(self.head)
        self._column.addWidget(self._more)
        self.say(look)

    def say(self, look: LookView) -> None:
        """Shows another state of the look."""
        self._look = look
        self.head.say(look)
        self._more.say("\u2028".join(look.more))
        self._more.setVisible(bool(look.more) and self.head.isChecked())

    def _unfold(self, is_open: bool) -> None:
        self._more.setVisible(is_open and bool(self._look.more))
