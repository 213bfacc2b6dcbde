"""A small bar chart that is told in words too: by pointing, by arrow keys, and as a table behind it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QToolTip,
    QWidget,
)

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META
from heedful.presenters.juice_savings import DayBar

HEIGHT = 104
_FOOT = 18
_LEAST_BAR = 2.0
_ROW_HEIGHT = 24


class BarChart(QWidget):
    """Bars on one line; `pointed` tells the number of the bar in question, -1 for none."""

    pointed = Signal(int)

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._bars: Sequence[DayBar] = ()
        self._at = -1
        self._font = font(META.pixels)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def say(self, bars: Sequence[DayBar], summary: str) -> None:
        """Shows other bars."""
        self._bars = bars
        self.setAccessibleName(f"{self._name}: {summary}" if summary else self._name)
        self._point(-1)
        self.update()

    def bar_at(self, place: QPoint) -> int:
        """The number of the bar above or below a place, -1 outside."""
        if not self._bars or not self.rect().contains(place):
            return -1
        return min(len(self._bars) - 1, int(place.x() / self._step()))

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(320, HEIGHT)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            number = self.bar_at(event.pos())
            QToolTip.showText(event.globalPos(), self._bars[number].words if number >= 0 else "", self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._point(self.bar_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        super().leaveEvent(event)
        self._point(-1)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        super().focusOutEvent(event)
        self._point(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        last = len(self._bars) - 1
        places = {
            Qt.Key.Key_Left: last if self._at < 0 else max(0, self._at - 1),
            Qt.Key.Key_Right: 0 if self._at < 0 else min(last, self._at + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if key in places and self._bars:
            self._point(places[key])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for number in range(len(self._bars)):
            self._paint_bar(painter, number)
        floor = self.height() - _FOOT + 0.5
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.drawLine(0, round(floor), self.width(), round(floor))
        if self.hasFocus() and self._at < 0:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colour("blue"), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_bar(self, painter: QPainter, number: int) -> None:
        bar, step = self._bars[number], self._step()
        tallest = max(bar.height for bar in self._bars) or 1
        room = self.height() - _FOOT - 4
        is_pointed = number == self._at
        if is_pointed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(QRectF(number * step, 0, step, self.height()), 4, 4)
        if bar.height:
            height = max(_LEAST_BAR, room * bar.height / tallest)
            width = min(18.0, step * 0.62)
            left = number * step + (step - width) / 2
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("blue"))
            painter.drawRoundedRect(QRectF(left, self.height() - _FOOT - height, width, height), 2, 2)
        painter.setPen(self._theme.colour("ink" if is_pointed else "ink_2"))
        foot = QRectF(number * step, self.height() - _FOOT + 2, step, _FOOT - 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, bar.label)

    def _step(self) -> float:
        return self.width() / max(1, len(self._bars))

    def _point(self, number: int) -> None:
        if number == self._at:
            return
        self._at = number
        self.setAccessibleDescription(self._bars[number].words if number >= 0 else "")
        self.pointed.emit(number)
        self.update()


class BarTable(QTableWidget):
    """The same as a table, as high as its rows need."""

    def __init__(
        self, theme: Theme, name: str, columns: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(0, len(columns), parent)
        self._theme = theme
        self.setAccessibleName(name)
        for column, words in enumerate(columns):
            self.setHorizontalHeaderItem(column, _cell(words, column))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        head.setMinimumSectionSize(52)
        self.setFont(font(META.pixels))
        theme.changed.connect(self._paint)
        self._paint()

    def say(self, bars: Sequence[DayBar]) -> None:
        """Shows other rows, the latest first."""
        self.setRowCount(len(bars))
        for row, bar in enumerate(reversed(bars)):
            for column, words in enumerate(bar.cells):
                self.setItem(row, column, _cell(words, column))
        self.setFixedHeight(_ROW_HEIGHT * (len(bars) + 1) + 4)

    def _paint(self) -> None:
        tokens, points = self._theme.tokens, font(META.pixels).pointSizeF()
        self.setStyleSheet(
            f"QTableWidget {{ background: {tokens.card}; color: {tokens.ink};"
            f" selection-background-color: {tokens.blue_pale}; selection-color: {tokens.ink}; }}"
            f"QHeaderView::section {{ background: {tokens.card}; color: {tokens.ink_2};"
            f" border: 0; border-bottom: 1px solid {tokens.line}; padding: 2px 4px; font-size: {points}pt; }}"
        )


def _cell(words: str, column: int) -> QTableWidgetItem:
    """A cell, figures at the right."""
    cell = QTableWidgetItem(words)
    side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    cell.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return cell
