"""A list of passages that builds no widget for a row: what is out of sight costs nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from heedful.core.ids import ChunkId
from heedful.desktop.theme import RADIUS_CARD, Theme, font
from heedful.desktop.widgets.column import END_REACHED_PX
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, TEXT
from heedful.presenters.days import Group
from heedful.presenters.memory_views import ResultRow

_ROW_HEIGHT, _HEAD_HEIGHT, _SIDE = 70, 30, 12
_VALUE = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Head:
    """A group's heading, a line of its own."""

    words: str


class _Rows(QAbstractListModel):
    """Headings and passages in one run."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lines: list[_Head | ResultRow] = []

    def take(self, groups: Sequence[Group[ResultRow]]) -> bool:
        """Replaces the run, or only appends where it begins as the one before; True when it was replaced."""
        lines: list[_Head | ResultRow] = []
        for group in groups:
            lines += [_Head(group.name), *group.members] if group.name else group.members
        before = len(self._lines)
        if before and lines[:before] == self._lines:
            if len(lines) > before:
                self.beginInsertRows(QModelIndex(), before, len(lines) - 1)
                self._lines = lines
                self.endInsertRows()
            return False
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()
        return True

    @property
    def height(self) -> int:
        """The height of all lines together."""
        heads = sum(isinstance(line, _Head) for line in self._lines)
        return heads * _HEAD_HEIGHT + (len(self._lines) - heads) * _ROW_HEIGHT

    def line(self, index: Index) -> _Head | ResultRow:
        """What stands in a line."""
        return self._lines[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._lines)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self.line(index), ResultRow):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        line = self.line(index)
        if role == _VALUE:
            return line
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line.words
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(line, ResultRow):
            return line.title if len(line.title) > 40 else None
        return None


class _Painter(QStyledItemDelegate):
    """Draws a line from the theme's tokens."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._head = font(META.pixels, QFont.Weight.DemiBold)
        self._title = font(ROW_TITLE.pixels, ROW_TITLE.weight)
        self._text = font(TEXT.pixels)
        self._meta = font(META.pixels)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: N802, ARG002 (Qt's signature)
        return QSize(120, _HEAD_HEIGHT if isinstance(index.data(_VALUE), _Head) else _ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        where = QRectF(option.rect)
        line = index.data(_VALUE)
        if isinstance(line, _Head):
            painter.setFont(self._head)
            painter.setPen(self._theme.colour("ink_2"))
            words = where.adjusted(_SIDE, 6, -_SIDE, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, line.words)
        else:
            self._ground(painter, where, option.state)
            self._row(painter, where, line)
            below = index.sibling(index.row() + 1, 0).data(_VALUE)
            if isinstance(below, ResultRow):
                rule = QRectF(where.left(), where.bottom() - 1, where.width(), 1)
                painter.fillRect(rule, self._theme.colour("line"))
        painter.restore()

    def _ground(self, painter: QPainter, where: QRectF, state: QStyle.StateFlag) -> None:
        inside = where.adjusted(4, 3, -4, -4)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        if state & QStyle.StateFlag.State_MouseOver or focused:
            painter.setPen(QPen(self._theme.colour("blue"), 1.5) if focused else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(inside, RADIUS_CARD - 2, RADIUS_CARD - 2)

    def _row(self, painter: QPainter, where: QRectF, row: ResultRow) -> None:
        left, top = where.left() + _SIDE, where.top() + 8
        width = where.width() - 2 * _SIDE
        taken = QFontMetricsF(self._meta).horizontalAdvance(row.when) + 1
        painter.setFont(self._meta)
        painter.setPen(self._theme.colour("ink_2"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(left, top, width, 18), right, row.when)
        self._line(painter, QRectF(left, top, width - taken - 10, 18), row.title, self._title, "ink")
        self._line(painter, QRectF(left, top + 18, width, 16), row.detail, self._meta, "ink_2")
        self._line(painter, QRectF(left, top + 34, width, 18), row.excerpt, self._text, "ink_2")

    def _line(self, painter: QPainter, where: QRectF, words: str, type_: QFont, token: str) -> None:
        painter.setFont(type_)
        painter.setPen(self._theme.colour(token))
        cut = QFontMetricsF(type_).elidedText(words, Qt.TextElideMode.ElideRight, where.width())
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, cut)


class ResultList(QListView):
    """Passages; `opened` by a press or Enter, `near_end` when the last rows come into sight."""

    near_end = Signal()

    def __init__(
        self, theme: Theme, opened: Callable[[ChunkId], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._opened = opened
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setItemDelegate(_Painter(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Passages")
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        self.setAutoFillBackground(False)
        self.setStyleSheet("QListView { background: transparent; border: 0; }")
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        theme.changed.connect(self.viewport().update)

    def show_groups(self, groups: Sequence[Group[ResultRow]]) -> None:
        """Brings the rows in step; a list that only grew stays where it was scrolled to."""
        if self._rows.take(groups):
            self.scrollToTop()

    def height_of_rows(self) -> int:
        """How high the list would be with every row in sight."""
        return self._rows.height

    def enter(self) -> None:
        """Takes the keyboard, on the row it was on or the first."""
        if not self.currentIndex().isValid():
            for number in range(self._rows.rowCount()):
                index = self._rows.index(number)
                if self._rows.flags(index) & Qt.ItemFlag.ItemIsEnabled:
                    self.setCurrentIndex(index)
                    break
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def _open(self, index: QModelIndex) -> None:
        line = self._rows.line(index)
        if isinstance(line, ResultRow):
            self._opened(line.chunk_id)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - END_REACHED_PX:
            self.near_end.emit()
