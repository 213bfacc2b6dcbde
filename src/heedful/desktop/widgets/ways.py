"""Rows that lead somewhere: a name, and at the right what is to be known of it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QWidget

from heedful.desktop.theme import RADIUS_CARD, Theme, font, line_height
from heedful.desktop.widgets.column import Kept
from heedful.desktop.widgets.paragraph import META, PLAIN
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.whole_words import tell_whole

_HEIGHT, _SIDE = 34, 12


@dataclass(frozen=True, slots=True)
class Way:
    """One row; `key` tells it from the others. `forget` asks to forget what it leads to, where that can be."""

    key: str
    name: str
    note: str
    go: Callable[[], None]
    forget: Callable[[], None] | None = None


class WayRow(Pressable):
    """A row that goes its way when pressed."""

    def __init__(self, theme: Theme, way: Way, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._name_font = font(PLAIN.pixels)
        self._note_font = font(META.pixels)
        self._is_last = False
        self._height = line_height(self._name_font, _HEIGHT - 16) + 16
        self.setFixedHeight(self._height)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda: self._way.go())
        self.say(way)

    def say(self, way: Way) -> None:
        """Shows another state of the row."""
        self._way = way
        self.setText(way.name)
        self.setAccessibleName(", ".join(part for part in (way.name, way.note) if part))
        self.update()

    def _room(self) -> float:
        """How wide the name may be, beside the note."""
        return (
            self.width() - 2 * _SIDE - QFontMetricsF(self._note_font).horizontalAdvance(self._way.note) - 10
        )

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 (Qt's name)
        menu = self.menu()
        if menu is not None:
            menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        if event.key() == Qt.Key.Key_Delete and self._way.forget is not None:
            self._way.forget()
        else:
            super().keyPressEvent(event)

    def menu(self) -> QMenu | None:
        """What can be done with the row beside going its way; None where there is nothing else."""
        if self._way.forget is None:
            return None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open").triggered.connect(self._way.go)
        menu.addAction("Forget…").triggered.connect(self._way.forget)
        return menu

    def end_list(self, *, is_last: bool) -> None:
        """The last row has no line below."""
        self._is_last = is_last
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(200, self._height)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("hover"))
            painter.drawRoundedRect(whole.adjusted(3, 3, -3, -3), RADIUS_CARD - 2, RADIUS_CARD - 2)
        if not self._is_last:
            painter.fillRect(QRectF(1, self.height() - 1, self.width() - 2, 1), self._theme.colour("line"))
        where = whole.adjusted(_SIDE, 0, -_SIDE, 0)
        painter.setFont(self._note_font)
        painter.setPen(self._theme.colour("ink_2"))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(where, right, self._way.note)
        painter.setFont(self._name_font)
        painter.setPen(self._theme.colour("ink"))
        elide = Qt.TextElideMode.ElideRight
        name = QFontMetricsF(self._name_font).elidedText(self._way.name, elide, self._room())
        painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, name)
        tell_whole(self, *([self._way.name] if name != self._way.name else []))
        self.paint_focus(painter, whole.adjusted(2, 2, -2, -2))


class WayList(Surface):
    """Rows on one ground."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, margins=(0, 0, 0, 1), parent=parent)
        self._kept: Kept[Way, WayRow] = Kept(
            self.column,
            lambda way: way.key,
            lambda way: WayRow(theme, way, self),
            lambda row, way: row.say(way),
        )

    @property
    def rows(self) -> list[WayRow]:
        """The rows in order."""
        return self._kept.widgets

    def show_ways(self, ways: list[Way]) -> None:
        """Brings the rows in step."""
        self._kept.show(ways)
        for row in self.rows:
            row.end_list(is_last=row is self.rows[-1])
