"""A list of passages that builds no widget for a row: what is out of sight costs nothing.

It is a table of one column, because a table keeps the height of a line that differs, and a list asks every line for
its height again whenever one is added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetricsF, QHelpEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from heedful.core.ids import ChunkId
from heedful.desktop.theme import RADIUS_CARD, Theme, font, line_height
from heedful.desktop.widgets.column import END_REACHED_PX
from heedful.desktop.widgets.paragraph import META, ROW_TITLE, TEXT
from heedful.desktop.widgets.whole_words import as_written, is_cut
from heedful.presenters.days import Group
from heedful.presenters.memory_views import ResultRow

_ROW_MARGINS, _HEAD_HEIGHT, _SIDE = 18, 30, 12
_VALUE = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class _Head:
    """A group's heading, a line of its own."""

    words: str


class _Rows(QAbstractTableModel):
    """Headings and passages in one run."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lines: list[_Head | ResultRow] = []

    def take(self, groups: Sequence[Group[ResultRow]]) -> int:
        """Replaces the run, or only appends where it begins as the one before; returns the first line that is new."""
        lines: list[_Head | ResultRow] = []
        for group in groups:
            lines += [_Head(group.name), *group.members] if group.name else group.members
        before = len(self._lines)
        if before and lines[:before] == self._lines:
            if len(lines) > before:
                self.beginInsertRows(QModelIndex(), before, len(lines) - 1)
                self._lines = lines
                self.endInsertRows()
            return before
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()
        return 0

    def heads_from(self, first: int) -> list[int]:
        """Which lines from this one on are headings."""
        return [number for number in range(first, len(self._lines)) if isinstance(self._lines[number], _Head)]

    def line(self, index: Index) -> _Head | ResultRow:
        """What stands in a line."""
        return self._lines[index.row()]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else 1

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
        self._lines = (line_height(self._title, 18), line_height(self._meta, 16), line_height(self._text, 18))

    @property
    def row_height(self) -> int:
        """The height of a passage's three lines with their margins."""
        return sum(self._lines) + _ROW_MARGINS

    @property
    def head_height(self) -> int:
        """The height of a heading."""
        return line_height(self._head, _HEAD_HEIGHT - 14) + 14

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        where = QRectF(option.rect)
        line = index.data(_VALUE)
        if isinstance(line, _Head):
            painter.setFont(self._head)
            painter.setPen(self._theme.colour("ink_2"))
            words = where.adjusted(_SIDE, 10, -_SIDE, 2)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, line.words)
        else:
            self._ground(painter, where, option.state)
            self._row(painter, where, line)
            below = index.sibling(index.row() + 1, 0).data(_VALUE)
            if isinstance(below, ResultRow):
                rule = QRectF(where.left(), where.bottom() - 1, where.width(), 1)
                painter.fillRect(rule, self._theme.colour("line"))
        painter.restore()

    def helpEvent(  # noqa: N802 (Qt's name)
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        row = index.data(_VALUE)
        if event.type() is not QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        if isinstance(row, ResultRow):
            room = option.rect.width() - 2 * _SIDE
            taken = QFontMetricsF(self._meta).horizontalAdvance(row.when) + 11
            lines = ((row.title, self._title, room - taken), (row.detail, self._meta, room))
            cut = [words for words, type_, width in lines if is_cut(words, type_, width)]
            QToolTip.showText(event.globalPos(), as_written("\n".join(cut)), view.viewport())
        return True

    def _ground(self, painter: QPainter, where: QRectF, state: QStyle.StateFlag) -> None:
        inside = where.adjusted(4, 3, -4, -4)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        if state & QStyle.StateFlag.State_MouseOver or focused:
            painter.setPen(QPen(self._theme.colour("blue"), 1.5) if focused else Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(inside, RADIUS_CARD - 2, RADIUS_CARD - 2)

    def _row(self, painter: QPainter, where: QRectF, row: ResultRow) -> None:
        left, top = where.left() + _SIDE, where.top() + 8
        first, second, third = self._lines
        width = where.width() - 2 * _SIDE
        taken = QFontMetricsF(self._meta).horizontalAdvance(row.when) + 1
        painter.setFont(self._meta)
        painter.setPen(self._theme.colour("ink_2"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(QRectF(left, top, width, first), right, row.when)
        self._line(painter, QRectF(left, top, width - taken - 10, first), row.title, self._title, "ink")
        why = self._why(painter, QRectF(left, top + first, width, second), row.why)
        self._line(painter, QRectF(left, top + first, width - why, second), row.detail, self._meta, "ink_2")
        self._line(
            painter, QRectF(left, top + first + second, width, third), row.excerpt, self._text, "ink_2"
        )

    def _why(self, painter: QPainter, where: QRectF, words: str) -> float:
        """Writes why it was found at the right, in no more than half the line; returns the width it takes."""
        if not words:
            return 0.0
        metrics = QFontMetricsF(self._meta)
        if metrics.horizontalAdvance(words) > where.width() * 0.55:
            words = words.partition(",")[0]
        painter.setFont(self._meta)
        painter.setPen(self._theme.colour("ink_2"))
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        return metrics.horizontalAdvance(words) + 12

    def _line(self, painter: QPainter, where: QRectF, words: str, type_: QFont, token: str) -> None:
        painter.setFont(type_)
        painter.setPen(self._theme.colour(token))
        cut = QFontMetricsF(type_).elidedText(words, Qt.TextElideMode.ElideRight, where.width())
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, cut)


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be done with a row: `open` by a press or Enter, the rest from its menu."""

    open: Callable[[ChunkId], None]
    forget_message: Callable[[ResultRow], None]
    forget_thread: Callable[[ResultRow], None]


class ResultList(QTableView):
    """Passages; `near_end` is told when the last rows come into sight. Delete asks to forget the row in hand."""

    near_end = Signal()

    def __init__(self, theme: Theme, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setViewport(QWidget())  # see `ScrollColumn`
        self._choices = choices
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self._painter = _Painter(theme, self)
        self.setItemDelegate(self._painter)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Passages")
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.NoSelection)  # the row in hand is enough
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self._settle_headers()
        self.viewport().setAutoFillBackground(False)
        self.setAutoFillBackground(False)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        theme.changed.connect(self.viewport().update)

    def _settle_headers(self) -> None:
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.hide()
        across.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        down.hide()
        down.setMinimumSectionSize(1)
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setDefaultSectionSize(self._painter.row_height)

    def show_groups(self, groups: Sequence[Group[ResultRow]]) -> None:
        """Brings the rows in step; a list that only grew stays where it was scrolled to."""
        heads = self._rows.heads_from(0)
        first = self._rows.take(groups)
        if first == 0:  # Qt keeps the height of a line that was a heading
            for number in heads:
                self.setRowHeight(number, self._painter.row_height)
        for number in self._rows.heads_from(first):
            self.setRowHeight(number, self._painter.head_height)
        if first == 0:
            self.scrollToTop()

    def height_of_rows(self) -> int:
        """How high the list would be with every row in sight."""
        return self.verticalHeader().length()

    def enter(self) -> None:
        """Takes the keyboard, on the row it was on or the first."""
        if not self.currentIndex().isValid():
            for number in range(self._rows.rowCount()):
                index = self._rows.index(number, 0)
                if self._rows.flags(index) & Qt.ItemFlag.ItemIsEnabled:
                    self.setCurrentIndex(index)
                    break
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        row = self._in_hand()
        if event.key() == Qt.Key.Key_Delete and row is not None:
            self._choices.forget_message(row)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            where = self.visualRect(self.currentIndex()).center()
        else:
            where = self.viewport().mapFromGlobal(event.globalPos())
        menu = self.menu_at(where)
        if menu is not None:
            menu.popup(self.viewport().mapToGlobal(where))

    def menu_at(self, where: QPoint) -> QMenu | None:
        """The menu of the row at a point of the viewport; None between rows."""
        index = self.indexAt(where)
        row = self._rows.line(index) if index.isValid() else None
        if not isinstance(row, ResultRow):
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open").triggered.connect(lambda: self._choices.open(row.chunk_id))
        menu.addSeparator()
        menu.addAction("Forget this message…").triggered.connect(lambda: self._choices.forget_message(row))
        menu.addAction("Forget the conversation…").triggered.connect(lambda: self._choices.forget_thread(row))
        return menu

    def _in_hand(self) -> ResultRow | None:
        index = self.currentIndex()
        row = self._rows.line(index) if index.isValid() else None
        return row if isinstance(row, ResultRow) else None

    def _open(self, index: QModelIndex) -> None:
        line = self._rows.line(index)
        if isinstance(line, ResultRow):
            self._choices.open(line.chunk_id)

    def _scrolled(self, value: int) -> None:
        if value >= self.verticalScrollBar().maximum() - END_REACHED_PX:
            self.near_end.emit()
