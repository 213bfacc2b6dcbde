"""The days of a year in figures, for whoever reads rather than looks."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QFrame, QHeaderView, QTableView, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META
from heedful.presenters.memory_views import DayCell
from heedful.presenters.memory_year import day_words
from heedful.presenters.times import MONTHS, WEEKDAYS

DAYS = 7

Index = QModelIndex | QPersistentModelIndex


class _Year(QAbstractTableModel):
    """Weeks down, days across, the newest week on top."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._weeks: list[tuple[date, dict[int, DayCell]]] = []

    def take(self, cells: Sequence[DayCell]) -> None:
        weeks: dict[date, dict[int, DayCell]] = {}
        for cell in cells:
            weekday = cell.day.weekday()
            weeks.setdefault(cell.day - timedelta(days=weekday), {})[weekday] = cell
        self.beginResetModel()
        self._weeks = [*weeks.items()][::-1]
        self.endResetModel()

    def cell(self, index: Index) -> DayCell | None:
        return self._weeks[index.row()][1].get(index.column())

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else len(self._weeks)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008 (Qt's signature)
        return 0 if parent.isValid() else DAYS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.cell(index)
        if cell is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return str(cell.held) if cell.held else ""
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return day_words(cell)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        return None

    def headerData(  # noqa: N802 (Qt's name)
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return WEEKDAYS[section][:3]
        monday = self._weeks[section][0]
        return f"{monday.day} {MONTHS[monday.month - 1]}"


class YearTable(QTableView):
    """Weeks down, days across; a press or Enter opens a day that holds anything."""

    def __init__(self, theme: Theme, opened: Callable[[date], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened = opened
        self._year = _Year(self)
        self.setModel(self._year)
        self.setFont(font(META.pixels))
        self.setAccessibleName("Messages a day, by weeks")
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
        if cell is not None and cell.held:
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
