"""The rail at the window's left: one button a tab."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QVBoxLayout, QWidget

from heedful.desktop.glyphs import draw_glyph
from heedful.desktop.tabs import Tab
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.pressable import Pressable

WIDTH = 60
_BUTTON_HEIGHT = 50
_GLYPH = 20


class RailButton(Pressable):
    """A glyph, a word below, a bar at the left when its tab is shown, a number when something waits there."""

    def __init__(self, theme: Theme, tab: Tab, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._glyph = tab.glyph
        self._waiting = 0
        self._plain = font(10)
        self._bold = font(10, QFont.Weight.DemiBold)
        self._tiny = font(9, QFont.Weight.Bold)
        self.setText(tab.label)
        self.setAccessibleName(tab.label)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # so a screen reader calls it one of several, not a box to tick
        self.setFixedSize(WIDTH, _BUTTON_HEIGHT)

    def press_by(self, keys: QKeySequence) -> None:
        """Shows the keys that open its tab, where the pointer rests on it."""
        self.setToolTip(f"{self.text()} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")

    def wait_for(self, number: int) -> None:
        """Shows how many things wait in this tab."""
        self._waiting = number
        self.setAccessibleName(f"{self.text()}, {number} waiting" if number else self.text())
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(WIDTH, _BUTTON_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.isChecked()
        ink = self._theme.colour("blue" if chosen else "ink" if self.underMouse() else "ink_2")
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("blue"))
            painter.drawRoundedRect(QRectF(-3, 8, 6, self.height() - 16), 3, 3)
        draw_glyph(painter, self._glyph, QRectF((WIDTH - _GLYPH) / 2, 7, _GLYPH, _GLYPH), ink, weight=1.7)
        painter.setFont(self._bold if chosen else self._plain)
        painter.setPen(ink)
        painter.drawText(QRectF(0, 29, WIDTH, 16), Qt.AlignmentFlag.AlignCenter, self.text())
        if self._waiting:
            self._paint_number(painter)
        self.paint_focus(painter, QRectF(self.rect()).adjusted(4, 1, -2, -1))

    def _paint_number(self, painter: QPainter) -> None:
        words = str(self._waiting) if self._waiting < 100 else "99+"
        width = 8.0 + 5.5 * len(words)
        badge = QRectF(WIDTH / 2 + 4, 3, width, 13)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("amber"))
        painter.drawRoundedRect(badge, 6.5, 6.5)
        painter.setPen(self._theme.colour("card"))
        painter.setFont(self._tiny)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, words)


class Rail(QWidget):
    """All tabs' buttons; `chosen` carries the name of the one that was pressed."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, tabs: tuple[Tab, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedWidth(WIDTH)
        self.buttons: dict[str, RailButton] = {}
        self._group = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 8)
        layout.setSpacing(2)
        for tab in tabs:
            button = RailButton(theme, tab, self)
            button.clicked.connect(lambda _=False, name=tab.name: self.chosen.emit(name))
            self._group.addButton(button)
            layout.addWidget(button)
            self.buttons[tab.name] = button
        layout.addStretch(1)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("rail"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), self._theme.colour("line"))
