"""A segmented control: one of a few words."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from heedful.desktop.theme import RADIUS_CONTROL, Theme, font, line_height
from heedful.desktop.widgets.pressable import Pressable

_AIR, _LEAST_AIR = 22, 8


class _Segment(Pressable):
    def __init__(self, theme: Theme, word: str, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._plain = font(11)
        self._bold = font(11, QFont.Weight.DemiBold)
        self.setText(word)
        self.setAccessibleName(word)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # so a screen reader calls it one of several, not a box to tick
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return self._size(_AIR)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return self._size(_LEAST_AIR)

    def _size(self, air: int) -> QSize:
        width = round(QFontMetricsF(self._bold).horizontalAdvance(self.text())) + air
        return QSize(width, line_height(self._bold, 16) + 10)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("blue_pale"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(2, 2, -2, -2), 4, 4)
        painter.setFont(self._bold if self.isChecked() else self._plain)
        painter.setPen(self._theme.colour("blue" if self.isChecked() else "ink_2"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        self.paint_focus(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1))


class Segments(QWidget):
    """Emits `chosen` with the name of the word that the person pressed."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, choices: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._group = QButtonGroup(self)
        self._buttons: dict[str, _Segment] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for name, word in choices.items():
            button = _Segment(theme, word, self)
            button.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._group.addButton(button)
            self._buttons[name] = button
            layout.addWidget(button)
        theme.changed.connect(self.update)

    def settle(self, name: str) -> None:
        """Shows which is chosen."""
        self._buttons[name].setChecked(True)

    def button(self, name: str) -> QAbstractButton:
        """One word's button."""
        return self._buttons[name]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.setBrush(self._theme.colour("card"))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS_CONTROL, RADIUS_CONTROL
        )
