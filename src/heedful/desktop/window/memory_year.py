"""The year in the Memory tab's navigator: its picture or its table, and the way to earlier years."""

from datetime import date

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.heat_map import GAP, HeatMap, day_square
from heedful.desktop.widgets.paragraph import META, Paragraph, heading
from heedful.desktop.widgets.year_table import YearTable
from heedful.presenters.memory_views import YearView
from heedful.presenters.memory_year import LEVELS, day_scope

_SQUARE = 10
_WORD_GAP = 5


class Strengths(QWidget):
    """«less ▢▢▢▢▢ more»: what the squares' colours mean."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = font(META.pixels - 1)
        letters = QFontMetricsF(self._font)
        less, more = letters.horizontalAdvance("less"), letters.horizontalAdvance("more")
        self._less, self._more = less + _WORD_GAP, more + _WORD_GAP
        wide = self._less + (LEVELS + 1) * (_SQUARE + GAP) - GAP + self._more
        self.setFixedSize(QSize(round(wide) + 1, max(_SQUARE, round(letters.height())) + 2))
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink_2"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, "less")
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, "more")
        top = (self.height() - _SQUARE) // 2
        for level in range(LEVELS + 1):
            left = round(self._less) + level * (_SQUARE + GAP)
            square = day_square(self._theme, level, _SQUARE, painter.deviceTransform().m11())
            painter.drawPixmap(QPoint(left, top), square)


class YearSection(QWidget):
    """The last twelve months, or an earlier year."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._year = YearView()
        self._table: YearTable | None = None
        self._widest = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        layout.addLayout(self._head())
        self.picture = HeatMap(desk.theme, self._open, self)
        layout.addWidget(self.picture)
        self._below = QVBoxLayout()
        layout.addLayout(self._below)
        layout.addSpacing(4)
        layout.addLayout(self._foot())
        desk.watches.append(desk.memory.years.view.watch(self._say))

    @property
    def table(self) -> YearTable:
        """The same days in figures; made for whoever asks for them."""
        if self._table is None:
            self._table = YearTable(self._desk.theme, self._open, self)
            self._table.hide()
            self._table.show_cells(self._year.cells)
            self._below.addWidget(self._table)
        return self._table

    def _head(self) -> QHBoxLayout:
        theme = self._desk.theme
        row = QHBoxLayout()
        row.setContentsMargins(2, 0, 2, 6)
        row.setSpacing(4)
        self._title = heading(theme, "", self)
        self.earlier = Button(theme, "", weight=Weight.LINK, icon="left", parent=self)
        self.earlier.clicked.connect(lambda: self._step(back=True))
        self.later = Button(theme, "", weight=Weight.LINK, icon="right", parent=self)
        self.later.clicked.connect(lambda: self._step(back=False))
        self._note = Paragraph(theme, META, lines=1, parent=self)
        row.addWidget(self._title)
        row.addSpacing(4)
        row.addWidget(self.earlier)
        row.addWidget(self.later)
        row.addStretch(1)
        row.addWidget(self._note)
        return row

    def _foot(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 2, 0)
        self.turn = Button(self._desk.theme, "As a table", weight=Weight.LINK, parent=self)
        self.turn.clicked.connect(self._turn)
        self._strengths = Strengths(self._desk.theme, self)
        row.addWidget(self.turn)
        row.addStretch(1)
        row.addWidget(self._strengths)
        return row

    def _say(self, year: YearView) -> None:
        self._year = year
        self._title.say(year.title)
        # As wide as the widest so far, so that the way back stays under a hand that presses it again.
        self._widest = max(self._widest, self._title.natural_width())
        self._title.setFixedWidth(self._widest)
        self._note.say(year.note)
        self._note.setFixedWidth(self._note.natural_width())
        self._offer(year)
        self.picture.show_year(year)
        if self._table is not None:
            self._table.show_cells(year.cells)

    def _offer(self, year: YearView) -> None:
        """The ways to the years beside; there are none where the memory holds no others."""
        for way, name, none in (
            (self.earlier, year.earlier, "No earlier year"),
            (self.later, year.later, "No later year"),
        ):
            way.setVisible(bool(year.earlier or year.later))
            way.allow(allowed=bool(name))
            way.setAccessibleName(f"Show {name}" if name else none)
            way.setToolTip(name or none)

    def _step(self, *, back: bool) -> None:
        self._desk.slots.start("another year", lambda: self._desk.memory.years.step(back=back))

    def _open(self, day: date) -> None:
        self._desk.memory.open_scope(day_scope(day))

    def _turn(self) -> None:
        is_table = self.table.isHidden()
        self.table.setVisible(is_table)
        for part in (self.picture, self._strengths):
            part.setVisible(not is_table)
        self.turn.say("As a picture" if is_table else "As a table")
