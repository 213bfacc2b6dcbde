"""A year's days as a picture: weeks from left to right, Monday on top, the more a day holds the stronger its square."""

import math
from collections.abc import Callable
from datetime import date

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META
from heedful.desktop.widgets.walked_picture import WalkedPicture
from heedful.presenters.memory_views import DayCell, YearView
from heedful.presenters.memory_year import LEVELS, day_words
from heedful.presenters.times import MONTHS, WEEKDAYS

DAYS, GAP, BETWEEN = 7, 2, 8
LEAST_PITCH, MOST_PITCH = 10, 16
"""A day and the gap beside it; where a year of the least is too wide, its halves stand in two bands."""
NAMED_DAYS = (0, 2, 4)
_STRENGTHS = (0.0, 0.28, 0.5, 0.74, 1.0)
_STEPS = {
    Qt.Key.Key_Left: -DAYS,
    Qt.Key.Key_Right: DAYS,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
}


class HeatMap(WalkedPicture):
    """The days; one that holds anything is opened by a press or Enter."""

    def __init__(self, theme: Theme, opened: Callable[[date], None], parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._opened = opened
        self._title = ""
        self._cells: tuple[DayCell, ...] = ()
        self._drawn: tuple[object, QPixmap] | None = None
        self._font = font(META.pixels - 1)
        letters = QFontMetricsF(self._font)
        self._label = math.ceil(letters.height()) + 3
        self._side = math.ceil(max(letters.horizontalAdvance(_weekday(day)) for day in NAMED_DAYS)) + 6
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumHeight(self._label + DAYS * LEAST_PITCH)
        self.setAccessibleDescription("Arrow keys walk through the days, Enter opens one")
        theme.changed.connect(self._draw_anew)

    def show_year(self, year: YearView) -> None:
        """Replaces the days."""
        self._title = year.title
        if year.cells != self._cells:
            self._cells = year.cells
            self._draw_anew()
            self.updateGeometry()
        self.begin_anew()

    def place(self, number: int) -> QRectF:
        """Where a day is drawn."""
        week, day = divmod(number + self._before(), DAYS)
        band, column = divmod(week, self._columns(self.width()))
        pitch = self._pitch(self.width())
        top = band * (self._band(pitch) + BETWEEN) + self._label
        return QRectF(self._side + column * pitch, top + day * pitch, pitch - GAP, pitch - GAP)

    def months(self) -> list[tuple[QPointF, str]]:
        """Each month's word, and where it begins: over the week of its first day, else, at the edge, the next."""
        letters, pitch = QFontMetricsF(self._font), self._pitch(self.width())
        wide = self._side + self._columns(self.width()) * pitch
        said = []
        for first in (number for number, cell in enumerate(self._cells) if cell.day.day == 1):
            day, word = self._cells[first].day, MONTHS[self._cells[first].day.month - 1]
            for number in range(first, min(first + 2 * DAYS, len(self._cells)), DAYS):
                where = self.place(number)
                if where.left() + letters.horizontalAdvance(word) <= wide:
                    said.append((QPointF(where.left(), where.top() - day.weekday() * pitch - 4), word))
                    break
        return said

    def place_count(self) -> int:
        return len(self._cells)

    def first_place(self) -> int:
        return len(self._cells) - 1

    def place_words(self, number: int) -> str:
        return day_words(self._cells[number])

    def whole_words(self) -> str:
        return f"Messages a day, {self._title}"

    def step(self, key: int, at: int | None) -> int | None:
        step = _STEPS.get(Qt.Key(key))
        if step is None or at is None:
            return None
        return min(max(at + step, 0), len(self._cells) - 1)

    def can_open(self, number: int) -> bool:
        return self._cells[number].held > 0

    def open_place(self, number: int) -> None:
        self._opened(self._cells[number].day)

    def place_under(self, point: QPointF) -> int | None:
        pitch, columns = self._pitch(self.width()), self._columns(self.width())
        band, down = divmod(point.y(), self._band(pitch) + BETWEEN)
        column, day = int((point.x() - self._side) // pitch), int((down - self._label) // pitch)
        if not (0 <= column < columns and 0 <= day < DAYS):
            return None
        number = (int(band) * columns + column) * DAYS + day - self._before()
        return number if 0 <= number < len(self._cells) else None

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        bands = self._bands(width)
        return bands * self._band(self._pitch(width)) + (bands - 1) * BETWEEN

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        wide = self._side + self._weeks() * LEAST_PITCH
        return QSize(wide, self.heightForWidth(wide))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._year(painter.deviceTransform().m11()))
        if self.lit is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.colour("ink"), 1.5))
            painter.drawRoundedRect(self.place(self.lit).adjusted(-1, -1, 1, 1), 3, 3)

    def _year(self, ratio: float) -> QPixmap:
        """All days, drawn once for a pitch and a density: the pointer walks over them many times a second."""
        width = self.width()
        drawn_for = (self._pitch(width), self._columns(width), ratio)
        if self._drawn is None or self._drawn[0] != drawn_for:
            size = QSize(self._side + self._columns(width) * self._pitch(width), self.heightForWidth(width))
            drawn = QPixmap(size * ratio)
            drawn.setDevicePixelRatio(ratio)
            drawn.fill(Qt.GlobalColor.transparent)
            painter = QPainter(drawn)
            self._paint_days(painter, ratio)
            self._paint_words(painter)
            painter.end()
            self._drawn = (drawn_for, drawn)
        return self._drawn[1]

    def _draw_anew(self) -> None:
        self._drawn = None
        self.update()

    def _paint_days(self, painter: QPainter, ratio: float) -> None:
        columns, pitch, before = self._columns(self.width()), self._pitch(self.width()), self._before()
        grounds = [day_square(self._theme, level, pitch - GAP, ratio) for level in range(LEVELS + 1)]
        band_height = self._band(pitch) + BETWEEN
        for number, cell in enumerate(self._cells, start=before):
            week, day = divmod(number, DAYS)
            band, column = divmod(week, columns)
            top = band * band_height + self._label + day * pitch
            painter.drawPixmap(self._side + column * pitch, top, grounds[cell.level])

    def _paint_words(self, painter: QPainter) -> None:
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink_2"))
        for where, word in self.months():
            painter.drawText(where, word)
        pitch = self._pitch(self.width())
        for band in range(self._bands(self.width())):
            top = band * (self._band(pitch) + BETWEEN) + self._label
            for day in NAMED_DAYS:
                line = QRectF(0, top + day * pitch, self._side, pitch - GAP)
                painter.drawText(
                    line, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, _weekday(day)
                )

    def _before(self) -> int:
        """The days of the first week that lie before the first day."""
        return self._cells[0].day.weekday() if self._cells else 0

    def _weeks(self) -> int:
        return -(-(self._before() + len(self._cells)) // DAYS) or 53

    def _bands(self, width: int) -> int:
        return 1 if width >= self._side + self._weeks() * LEAST_PITCH - GAP else 2

    def _columns(self, width: int) -> int:
        return -(-self._weeks() // self._bands(width))

    def _pitch(self, width: int) -> int:
        """Whole pixels, so that every square is as sharp as the next."""
        return max(GAP + 2, min(MOST_PITCH, (width + GAP - self._side) // self._columns(width)))

    def _band(self, pitch: int) -> int:
        return self._label + DAYS * pitch - GAP


def day_square(theme: Theme, level: int, side: int, ratio: float) -> QPixmap:
    """A day of a strength, drawn once for all days of it."""
    drawn = QPixmap(QSize(side, side) * ratio)
    drawn.setDevicePixelRatio(ratio)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_ground(theme, level))
    painter.drawRoundedRect(QRectF(0, 0, side, side), 2, 2)
    painter.end()
    return drawn


def _ground(theme: Theme, level: int) -> QColor:
    empty, full = theme.colour("line"), theme.colour("blue")
    if level == 0:
        return empty
    share = _STRENGTHS[level]
    ground = theme.colour("bg")
    return QColor.fromRgbF(
        ground.redF() + (full.redF() - ground.redF()) * share,
        ground.greenF() + (full.greenF() - ground.greenF()) * share,
        ground.blueF() + (full.blueF() - ground.blueF()) * share,
    )


def _weekday(day: int) -> str:
    return WEEKDAYS[day][:3]
