"""Who and what stands around a person, as a small picture."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from heedful.desktop.theme import Theme, font
from heedful.presenters.memory_views import RelationView

MOST = 8
HEIGHT = 186
_PILL = 20


@dataclass(frozen=True, slots=True)
class _Neighbour:
    entity_id: str
    name: str
    words: str
    weight: float


class RelationPicture(QWidget):
    """The centre and at most eight around it, heavier lines for what is surer; arrows walk, Enter and a press open."""

    def __init__(
        self, theme: Theme, opened: Callable[[str, str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._opened = opened
        self._centre = ""
        self._around: list[_Neighbour] = []
        self._at: int | None = None
        self._plain = font(11)
        self._bold = font(12, QFont.Weight.DemiBold)
        self.setFixedHeight(HEIGHT)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.update)

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
        self._centre, self._around, self._at = centre, list(found.values())[:MOST], None
        self.setAccessibleName(self._words())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(320, HEIGHT)

    def pill(self, number: int) -> QRectF:
        """Where a neighbour's name is drawn."""
        middle = self._place(number)
        return self._pill(middle, self._around[number].name, self._plain)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        centre = QRectF(self.rect()).center()
        for number, one in enumerate(self._around):
            token = "blue" if number == self._at else "ink_3"
            painter.setPen(QPen(self._theme.colour(token), 1 + 2.5 * one.weight))
            painter.drawLine(centre, self._place(number))
        for number, one in enumerate(self._around):
            self._paint_pill(painter, self.pill(number), one.name, is_lit=number == self._at)
        self._paint_centre(painter, centre)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self._under(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if number is None else self._around[number].words, self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(self._under(event.position()))
        self.setCursor(Qt.CursorShape.ArrowCursor if self._at is None else Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(self._under(event.position()))
        self._open()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        if not self.hasFocus():
            self._go(None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        if self._around and event.reason() is not Qt.FocusReason.MouseFocusReason:
            self._go(0)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        self._go(None)
        super().focusOutEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        key = event.key()
        if key in (Qt.Key.Key_Right, Qt.Key.Key_Down) and self._around:
            self._go(((-1 if self._at is None else self._at) + 1) % len(self._around))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Up) and self._around:
            self._go(((1 if self._at is None else self._at) - 1) % len(self._around))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open()
        else:
            super().keyPressEvent(event)

    def _go(self, number: int | None) -> None:
        if number != self._at:
            self._at = number
            self.setAccessibleName(self._words() if number is None else self._around[number].words)
            self.update()

    def _open(self) -> None:
        if self._at is not None:
            one = self._around[self._at]
            self._opened(one.entity_id, one.name)

    def _words(self) -> str:
        return f"Around {self._centre}: " + ", ".join(one.name for one in self._around)

    def _place(self, number: int) -> QPointF:
        """Around an ellipse, beginning at the upper left, so that names lie beside rather than upon each other."""
        angle = 2 * math.pi * (number + 0.5) / max(1, len(self._around)) - math.pi * 0.75
        across, down = self.width() / 2 - 62, HEIGHT / 2 - 18
        centre = QRectF(self.rect()).center()
        return QPointF(centre.x() + across * math.cos(angle), centre.y() + down * math.sin(angle))

    def _under(self, point: QPointF) -> int | None:
        return next((n for n in range(len(self._around)) if self.pill(n).contains(point)), None)

    def _pill(self, middle: QPointF, name: str, type_: QFont) -> QRectF:
        width = min(QFontMetricsF(type_).horizontalAdvance(name), 104.0) + 16
        left = min(max(middle.x() - width / 2, 1.0), self.width() - width - 1)
        return QRectF(left, middle.y() - _PILL / 2, width, _PILL)

    def _paint_pill(self, painter: QPainter, where: QRectF, name: str, *, is_lit: bool) -> None:
        painter.setPen(QPen(self._theme.colour("blue" if is_lit else "line"), 1))
        painter.setBrush(self._theme.colour("blue_pale" if is_lit else "card"))
        painter.drawRoundedRect(where, _PILL / 2, _PILL / 2)
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
