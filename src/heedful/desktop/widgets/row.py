"""A row: one item in two lines that unfolds."""

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.glyphs import draw_shape
from heedful.desktop.theme import RADIUS_CARD, Theme, font, line_height
from heedful.desktop.widgets.decisions import Decide
from heedful.desktop.widgets.details import Details
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, TEXT
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.widgets.tag import COLOURS, ground_of
from heedful.desktop.widgets.whole_words import is_cut, tell_whole
from heedful.presenters.items import ItemView

_BADGE_WIDTH, _BADGE_HEIGHT, _MARK = 22, 18, 9
_LEFT, _GAP, _LINE, _MARGINS = 12, 10, 18, 18
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter


class RowHead(Pressable):
    """The folded row; pressing it unfolds the rest."""

    def __init__(self, theme: Theme, item: ItemView, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._item = item
        self._title_font = font(ROW_TITLE.pixels, ROW_TITLE.weight)
        self._detail_font = font(TEXT.pixels)
        self._age_font = font(META.pixels)
        self._lines = line_height(self._title_font, _LINE), line_height(self._detail_font, _LINE)
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.toggled.connect(lambda _: self._fit())
        self.say(item)

    def say(self, item: ItemView) -> None:
        """Shows another state of the item; the whole title while it is unfolded."""
        self._item = item
        self.setAccessibleName(
            ", ".join(part for part in (item.tag, item.title, item.detail, item.age) if part)
        )
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        super().resizeEvent(event)
        if self.isChecked():
            self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._height_of(self._item))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(240, self._height_of(self._item))

    def _height_of(self, item: ItemView) -> int:
        return self._title_height() + (self._lines[1] if item.detail else 0) + _MARGINS

    def _title_height(self) -> int:
        if not self.isChecked():
            return self._lines[0]
        room = QRectF(0, 0, max(self._width(), 80), 1_000)
        words = QFontMetricsF(self._title_font).boundingRect(room, _WRAPPED, self._item.title)
        return max(math.ceil(words.height()), self._lines[0])

    def _width(self) -> float:
        """How wide the words may be, between the badge and the age."""
        return self.width() - 2 * _LEFT - _BADGE_WIDTH - _GAP - self._age_width() - 8

    def _age_width(self) -> float:
        return QFontMetricsF(self._age_font).horizontalAdvance(self._item.age) + 1

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(3, 3, -3, -3), RADIUS_CARD - 2, RADIUS_CARD - 2
            )
        self._paint_badge(painter)
        self._paint_words(painter)
        lines = [] if self.isChecked() else [(self._item.title, self._title_font)]
        lines.append((self._item.detail, self._detail_font))
        tell_whole(self, *(words for words, type_ in lines if is_cut(words, type_, self._width())))
        self.paint_focus(painter, QRectF(self.rect()).adjusted(2, 2, -2, -2))

    def _paint_badge(self, painter: QPainter) -> None:
        badge = QRectF(_LEFT, (self.height() - _BADGE_HEIGHT) / 2, _BADGE_WIDTH, _BADGE_HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(ground_of(self._item.shape)))
        painter.drawRoundedRect(badge, 4, 4)
        mark = QRectF(badge.center().x() - _MARK / 2, badge.center().y() - _MARK / 2, _MARK, _MARK)
        draw_shape(
            painter, self._item.shape, mark, self._theme.colour(COLOURS.get(self._item.shape, "ink_2"))
        )

    def _paint_words(self, painter: QPainter) -> None:
        left = _LEFT + _BADGE_WIDTH + _GAP
        age = self._age_width()
        right = self.width() - _LEFT - age
        painter.setFont(self._age_font)
        painter.setPen(self._theme.colour("ink_2"))
        painter.drawText(QRectF(right, 0, age, self.height()), Qt.AlignmentFlag.AlignVCenter, self._item.age)
        width = self._width()
        first, second = self._title_height(), self._lines[1]
        top = (self.height() - (first + second if self._item.detail else first)) / 2
        painter.setFont(self._title_font)
        painter.setPen(self._theme.colour("ink"))
        place = QRectF(left, top, width, first)
        if self.isChecked():
            painter.drawText(place, _WRAPPED, self._item.title)
        else:
            title = QFontMetricsF(self._title_font).elidedText(
                self._item.title, Qt.TextElideMode.ElideRight, width
            )
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, title)
        painter.setFont(self._detail_font)
        painter.setPen(self._theme.colour("ink_2"))
        detail = QFontMetricsF(self._detail_font).elidedText(
            self._item.detail, Qt.TextElideMode.ElideRight, width
        )
        painter.drawText(QRectF(left, top + first, width, second), Qt.AlignmentFlag.AlignVCenter, detail)


class Row(QWidget):
    """A row with its unfolded part, which is made when it is first wanted."""

    def __init__(self, theme: Theme, item: ItemView, decide: Decide, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item = item
        self._theme = theme
        self._decide = decide
        self._details: Details | None = None
        self._is_last = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.head = RowHead(theme, item, self)
        self.head.toggled.connect(self._unfold)
        self._column.addWidget(self.head)

    def say(self, item: ItemView) -> None:
        """Shows another state of the item; an unfolded part stays unfolded."""
        if item == self.item:
            return
        self.item = item
        self.head.say(item)
        if self._details is not None:
            self._drop_details()
            if self.head.isChecked():
                self._unfold(is_open=True)

    def end_list(self, *, is_last: bool) -> None:
        """The last row of a list has no line below."""
        self._is_last = is_last
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        if self._is_last:
            return
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.drawLine(1, self.height() - 1, self.width() - 2, self.height() - 1)

    def _unfold(self, is_open: bool) -> None:
        if is_open and self._details is None:
            self._details = Details(self._theme, self.item, self._decide, quotes_shown=True, parent=self)
            self._column.addWidget(self._details)
            self._details.setContentsMargins(_LEFT + _BADGE_WIDTH + _GAP, 0, _LEFT, 10)
        if self._details is not None:
            self._details.setVisible(is_open)

    def _drop_details(self) -> None:
        if self._details is not None:
            self._column.removeWidget(self._details)
            self._details.deleteLater()
            self._details = None
