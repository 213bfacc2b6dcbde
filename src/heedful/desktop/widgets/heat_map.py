"""The year as a picture of days in two bands, and the same as a table."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QHeaderView, QSizePolicy, QTableView, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META
from heedful.desktop.widgets.walked_picture import WalkedPicture
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


class HeatMap(WalkedPicture):
    """Weeks run from left to right, Monday on top, the older half above."""

    def __init__(self, theme: Theme, opened: Callable[[date], None], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._opened = opened
        self._cells: tuple[DayCell, ...] = ()
        self._drawn: QPixmap | None = None
        self._font = font(META.pixels - 1)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumHeight(190)
        self.setAccessibleDescription("Arrow keys walk through the days, Enter opens one")
        theme.changed.connect(self._draw_anew)

    def show_cells(self, cells: tuple[DayCell, ...]) -> None:
        """Replaces the days."""
        if cells != self._cells:
            self._cells = cells
            self._draw_anew()
            self.begin_anew()

    def place(self, number: int) -> QRectF:
        """Where a day is drawn."""
        week, day = divmod(number, DAYS)
        band, column = divmod(week, self._columns())
        pitch = self._pitch()
        top = band * (LABEL + DAYS * pitch + BETWEEN) + LABEL
        return QRectF(column * pitch, top + day * pitch, pitch - GAP, pitch - GAP)

    def place_count(self) -> int:
        return len(self._cells)

    def first_place(self) -> int:
        return len(self._cells) - 1

    def place_words(self, number: int) -> str:
        return self._cells[number].words

    def whole_words(self) -> str:
        return "Messages a day over the last year"

    def step(self, key: int, at: int | None) -> int | None:
        step = _STEPS.get(Qt.Key(key))
        if step is None or at is None:
            return None
        return min(max(at + step, 0), len(self._cells) - 1)

    def can_open(self, number: int) -> bool:
        return self._cells[number].count > 0

    def open_place(self, number: int) -> None:
        self._opened(self._cells[number].day)

    def place_under(self, point: QPointF) -> int | None:
        pitch, columns = self._pitch(), self._columns()
        high = LABEL + DAYS * pitch + BETWEEN
        band, down = divmod(point.y(), high)
        column, day = int(point.x() // pitch), int((down - LABEL) // pitch)
        if not (0 <= band < BANDS and 0 <= column < columns and 0 <= day < DAYS):
            return None
        number = (int(band) * columns + column) * DAYS + day
        return number if number < len(self._cells) else None

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        pitch = (width + GAP) / self._columns()
        return round(BANDS * (LABEL + DAYS * pitch) + (BANDS - 1) * BETWEEN)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._year(painter.deviceTransform().m11()))
        if self.lit is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colour("ink"), 1.5))
            painter.drawRoundedRect(self.place(self.lit).adjusted(-1, -1, 1, 1), 3, 3)

    def _year(self, ratio: float) -> QPixmap:
        """All days, drawn once for a size and a density: the pointer walks over them many times a second."""
        size = self.size() * ratio
        if self._drawn is None or self._drawn.size() != size or self._drawn.devicePixelRatio() != ratio:
            drawn = QPixmap(size)
            drawn.setDevicePixelRatio(ratio)
            drawn.fill(Qt.GlobalColor.transparent)
            painter = QPainter(drawn)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_days(painter, ratio)
            self._paint_months(painter)
            painter.end()
            self._drawn = drawn
        return self._drawn

    def _draw_anew(self) -> None:
        self._drawn = None
        self.update()

    def _paint_days(self, painter: QPainter, ratio: float) -> None:
        columns, pitch = self._columns(), self._pitch()
        grounds = [self._square(level, pitch - GAP, ratio) for level in range(len(_STRENGTHS))]
        band_height = LABEL + DAYS * pitch + BETWEEN
        for number, cell in enumerate(self._cells):
            week, day = divmod(number, DAYS)
            band, column = divmod(week, columns)
            left, top = column * pitch, band * band_height + LABEL + day * pitch
            where = QPointF(round(left * ratio) / ratio, round(top * ratio) / ratio)
            painter.drawPixmap(where, grounds[cell.level])

    def _square(self, level: int, side: float, ratio: float) -> QPixmap:
        """A day of a strength, drawn once for all days of it."""
        drawn = QPixmap(max(1, round(side * ratio)), max(1, round(side * ratio)))
        drawn.setDevicePixelRatio(ratio)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ground(level))
        painter.drawRoundedRect(QRectF(0, 0, drawn.width() / ratio, drawn.height() / ratio), 2, 2)
        painter.end()
        return drawn

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
