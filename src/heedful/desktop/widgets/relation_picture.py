"""Who and what stands around a person, as a small picture."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from heedful.desktop.theme import Theme, font, line_height
from heedful.desktop.widgets.walked_picture import WalkedPicture
from heedful.presenters.memory_views import RelationView

MOST = 8
HEIGHT, MOST_WIDE = 186, 560
_PILL = 20


@dataclass(frozen=True, slots=True)
class _Neighbour:
    entity_id: str
    name: str
    words: str
    weight: float


class RelationPicture(WalkedPicture):
    """The centre and at most eight around it, heavier lines for what is surer."""

    def __init__(
        self, theme: Theme, opened: Callable[[str, str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._opened = opened
        self._centre = ""
        self._around: list[_Neighbour] = []
        self._plain = font(11)
        self._bold = font(12, QFont.Weight.DemiBold)
        self._pill_height = line_height(self._bold, _PILL - 4) + 4
        self._scale = self._pill_height / _PILL
        self.setFixedHeight(round(HEIGHT * self._scale))
        self.setMaximumWidth(round(MOST_WIDE * self._scale))
        self.setAccessibleDescription("Arrow keys walk around, Enter opens whom they stand on")

    def show_around(self, centre: str, relations: tuple[RelationView, ...]) -> None:
        """Replaces the picture; several relations with one neighbour are one line."""
        found: dict[str, _Neighbour] = {}
        for one in relations:
            known = found.get(one.entity_id)
            words = f"{one.words}, {one.note}"
            if known is not None:
                words = f"{known.words}\n{words}"
            weight = one.weight if known is None else max(known.weight, one.weight)
            found[one.entity_id] = _Neighbour(one.entity_id, one.name, words, weight)
        self._centre, self._around = centre, list(found.values())[:MOST]
        self.begin_anew()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(320, self.height())

    def pill(self, number: int) -> QRectF:
        """Where a neighbour's name is drawn."""
        middle = self._place(number)
        return self._pill(middle, self._around[number].name, self._plain)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QRectF(self.rect()).center()
        for number, one in enumerate(self._around):
            token = "blue" if number == self.lit else "ink_3"
            painter.setPen(QPen(self._theme.colour(token), 1 + 2.5 * one.weight))
            painter.drawLine(centre, self._place(number))
        for number, one in enumerate(self._around):
            self._paint_pill(painter, self.pill(number), one.name, is_lit=number == self.lit)
        self._paint_centre(painter, centre)

    def place_count(self) -> int:
        return len(self._around)

    def place_words(self, number: int) -> str:
        return self._around[number].words

    def whole_words(self) -> str:
        return f"Around {self._centre}: " + ", ".join(one.name for one in self._around)

    def step(self, key: int, at: int | None) -> int | None:
        if key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
            return ((-1 if at is None else at) + 1) % len(self._around)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Up):
            return ((1 if at is None else at) - 1) % len(self._around)
        return None

    def open_place(self, number: int) -> None:
        self._opened(self._around[number].entity_id, self._around[number].name)

    def place_under(self, point: QPointF) -> int | None:
        return next((n for n in range(len(self._around)) if self.pill(n).contains(point)), None)

    def _place(self, number: int) -> QPointF:
        """Around an ellipse, beginning at the upper left, so that names lie beside rather than upon each other."""
        angle = 2 * math.pi * (number + 0.5) / max(1, len(self._around)) - math.pi * 0.75
        across, down = self.width() / 2 - 62 * self._scale, self.height() / 2 - 18 * self._scale
        centre = QRectF(self.rect()).center()
        return QPointF(centre.x() + across * math.cos(angle), centre.y() + down * math.sin(angle))

    def _pill(self, middle: QPointF, name: str, type_: QFont) -> QRectF:
        width = min(QFontMetricsF(type_).horizontalAdvance(name), 104.0 * self._scale) + 16
        left = min(max(middle.x() - width / 2, 1.0), self.width() - width - 1)
        return QRectF(left, middle.y() - self._pill_height / 2, width, self._pill_height)

    def _paint_pill(self, painter: QPainter, where: QRectF, name: str, *, is_lit: bool) -> None:
        painter.setPen(QPen(self._theme.colour("blue" if is_lit else "line"), 1))
        painter.setBrush(self._theme.colour("blue_pale" if is_lit else "card"))
        painter.drawRoundedRect(where, where.height() / 2, where.height() / 2)
        painter.setFont(self._plain)
        painter.setPen(self._theme.colour("ink"))
        words = QFontMetricsF(self._plain).elidedText(name, Qt.TextElideMode.ElideRight, where.width() - 14)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_centre(self, painter: QPainter, centre: QPointF) -> None:
        where = self._pill(centre, self._centre, self._bold).adjusted(-3, -3, 3, 3)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("blue"))
        painter.drawRoundedRect(where, where.height() / 2, where.height() / 2)
        painter.setFont(self._bold)
        painter.setPen(self._theme.colour("on_blue"))
        words = QFontMetricsF(self._bold).elidedText(
            self._centre, Qt.TextElideMode.ElideRight, where.width() - 12
        )
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, words)
