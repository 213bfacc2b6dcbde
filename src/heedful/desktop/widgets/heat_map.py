"""The year as a picture of days in two bands, and the same as a table."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHeaderView, QSizePolicy, QTableView, QToolTip, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META
from heedful.presenters.memory_views import DayCell

DAYS, BANDS, GAP, LABEL, BETWEEN = 7, 2, 3.0, 15, 10
_STRENGTHS = (0.0, 0.28, 0.5, 0.74, 1.0)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_STEPS = {
    Qt.Key.Key_Left: -DAYS,
    Qt.Key.Key_Right: DAYS,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
}

Index = QModelIndex | QPersistentModelIndex


class HeatMap(QWidget):
    """Weeks run from left to right, Monday on top, the older half above; arrows walk, Enter and a press open a day."""

    def __init__(self, theme: Theme, opened: Callable[[date], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened = opened
        self._cells: tuple[DayCell, ...] = ()
        self._at: int | None = None
        self._font = font(META.pixels - 1)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumHeight(190)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription("Arrow keys walk through the days, Enter opens one")
        theme.changed.connect(self.update)

    @property
    def at(self) -> DayCell | None:
        """The day under the pointer or the keyboard."""
        return None if self._at is None else self._cells[self._at]

    def show_cells(self, cells: tuple[DayCell, ...]) -> None:
        """Replaces the days."""
        if cells != self._cells:
            self._cells, self._at = cells, None
            self.setAccessibleName("Messages a day over the last year")
            self.update()

    def place(self, number: int) -> QRectF:
        """Where a day is drawn."""
        week, day = divmod(number, DAYS)
        band, column = divmod(week, self._columns())
        pitch = self._pitch()
        top = band * (LABEL + DAYS * pitch + BETWEEN) + LABEL
        return QRectF(column * pitch, top + day * pitch, pitch - GAP, pitch - GAP)

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        pitch = (width + GAP) / self._columns()
        return round(BANDS * (LABEL + DAYS * pitch) + (BANDS - 1) * BETWEEN)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grounds = [self._ground(level) for level in range(len(_STRENGTHS))]
        painter.setPen(Qt.PenStyle.NoPen)
        for number, cell in enumerate(self._cells):
            painter.setBrush(grounds[cell.level])
            painter.drawRoundedRect(self.place(number), 2, 2)
        self._paint_months(painter)
        if self._at is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colour("ink"), 1.5))
            painter.drawRoundedRect(self.place(self._at).adjusted(-1, -1, 1, 1), 3, 3)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if number is None else self._cells[number].words, self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(self._under(event.position()))
        pressable = self.at is not None and self.at.count > 0
        self.setCursor(Qt.CursorShape.PointingHandCursor if pressable else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(self._under(event.position()))
        self._open()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        if not self.hasFocus():
            self._go(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        if self._cells and self._at is None and event.reason() is not Qt.FocusReason.MouseFocusReason:
            self._go(len(self._cells) - 1)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._at is not None:
            self._go(min(max(self._at + step, 0), len(self._cells) - 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)

    def _go(self, number: int | None) -> None:
        if number != self._at:
            self._at = number
            if number is not None:
                self.setAccessibleName(self._cells[number].words)
            self.update()

    def _open(self) -> None:
        if self.at is not None and self.at.count:
            self._opened(self.at.day)

    def _under(self, point: QPointF) -> int | None:
        pitch, columns = self._pitch(), self._columns()
        high = LABEL + DAYS * pitch + BETWEEN
        band, down = divmod(point.y(), high)
        column, day = int(point.x() // pitch), int((down - LABEL) // pitch)
        if not (0 <= band < BANDS and 0 <= column < columns and 0 <= day < DAYS):
            return None
        number = (int(band) * columns + column) * DAYS + day
        return number if number < len(self._cells) else None

    def _columns(self) -> int:
        weeks = -(-len(self._cells) // DAYS)
        return max(1, -(-weeks // BANDS)) if weeks else 27

    def _pitch(self) -> float:
        return (self.width() + GAP) / self._columns()

    def _ground(self, level: int) -> QColor:
        empty, full = self._theme.colour("line"), self._theme.colour("blue")
        if level == 0:
            return empty
        share = _STRENGTHS[level]
        ground = self._theme.colour("bg")
        return QColor.fromRgbF(
            ground.redF() + (full.redF() - ground.redF()) * share,
            ground.greenF() + (full.greenF() - ground.greenF()) * share,
            ground.blueF() + (full.blueF() - ground.blueF()) * share,
        )

    def _paint_months(self, painter: QPainter) -> None:
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink_2"))
        metrics = QFontMetricsF(self._font)
        for number in range(0, len(self._cells), DAYS):
            day, where = self._cells[number].day, self.place(number)
            word = _MONTHS[day.month - 1]
            if day.day <= DAYS and where.left() + metrics.horizontalAdvance(word) <= self.width():
                painter.drawText(QPointF(where.left(), where.top() - 5), word)


class _Year(QAbstractTableModel):
    """Weeks down, days across, the newest week on top."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._weeks: list[tuple[DayCell, ...]] = []

    def take(self, cells: Sequence[DayCell]) -> None:
        self.beginResetModel()
        self._weeks = [tuple(cells[at : at + DAYS]) for at in range(0, len(cells), DAYS)][::-1]
        self.endResetModel()

    def cell(self, index: Index) -> DayCell | None:
        week = self._weeks[index.row()]
        return week[index.column()] if index.column() < len(week) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._weeks)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else DAYS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.cell(index)
        if cell is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(cell.count) if cell.count else ""
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return cell.words
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        return None

    def headerData(  # noqa: N802 (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return _WEEKDAYS[section]
        first = self._weeks[section][0].day
        return f"{first.day} {_MONTHS[first.month - 1]}"


class YearTable(QTableView):
    """The same days in figures, for whoever reads rather than looks."""

    def __init__(self, theme: Theme, opened: Callable[[date], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened = opened
        self._year = _Year(self)
        self.setModel(self._year)
        self.setFont(font(META.pixels))
        self.setAccessibleName("Messages a day over the last year, by weeks")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setFixedHeight(226)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setEditTriggers(QTableView.EditTrigger.NoEditTriggers)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setFont(self.font())
        self.verticalHeader().setFont(self.font())
        self.verticalHeader().setDefaultSectionSize(22)
        self.setCornerButtonEnabled(False)
        self.clicked.connect(self._open)
        self.activated.connect(self._open)
        theme.changed.connect(self._dress)
        self._dress()

    def show_cells(self, cells: tuple[DayCell, ...]) -> None:
        """Replaces the days."""
        self._year.take(cells)

    def _open(self, index: QModelIndex) -> None:
        cell = self._year.cell(index)
        if cell is not None and cell.count:
            self._opened(cell.day)

    def _dress(self) -> None:
        tokens = self._theme.tokens
        self.setStyleSheet(
            f"QTableView {{ background: transparent; color: {tokens.ink}; border: 0; "
            f"selection-background-color: {tokens.blue_pale}; selection-color: {tokens.ink}; }}"
            f"QHeaderView, QHeaderView::section {{ background: transparent; color: {tokens.ink_2}; border: 0; "
            f"padding: 0 6px 0 0; font-size: {META.pixels}px; }}"
            "QTableCornerButton::section { background: transparent; border: 0; }"
        )
