"""Why a passage counts, or was found: a sentence, and each signal as a bar."""

import math

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.theme import Theme, font, line_height
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.presenters.memory_views import WhyFound, WhyKept

_LABEL, _BESIDE, _HEIGHT, _THICK = 152, 8, 19, 5


class ScoreBar(QWidget):
    """A name and a bar from 0 to 1; `threshold` draws a line across it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = ""
        self._value = 0.0
        self._threshold: float | None = None
        self._font = font(META.pixels)
        line = line_height(self._font, META.line)
        self._least = round(_LABEL * line / META.line)
        self._label = self._least
        self.setFixedHeight(_HEIGHT - META.line + line)
        theme.changed.connect(self.update)

    def say(self, name: str, value: float, *, threshold: float | None = None) -> None:
        """Shows another value."""
        self._name = name
        self._value = min(max(value, 0.0), 1.0)
        self._threshold = threshold
        words = f"{name}: {round(self._value * 100)} of 100"
        if threshold is not None:
            words += f", kept from {round(threshold * 100)}"
        self.setAccessibleName(words)
        self.setToolTip(words)
        self.update()

    def name_width(self) -> int:
        """What the whole name and the gap behind it take."""
        return math.ceil(QFontMetricsF(self._font).horizontalAdvance(self._name)) + _BESIDE

    def leave(self, width: int) -> None:
        """Gives the names of a column of bars the same room, more than usual where one needs it."""
        self._label = max(self._least, width)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(self._label + 120, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink_2"))
        elide = Qt.TextElideMode.ElideRight
        name = QFontMetricsF(self._font).elidedText(self._name, elide, self._label - _BESIDE)
        painter.drawText(QRectF(0, 0, self._label, self.height()), Qt.AlignmentFlag.AlignVCenter, name)
        track = QRectF(self._label, (self.height() - _THICK) / 2, self.width() - self._label, _THICK)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("line"))
        painter.drawRoundedRect(track, _THICK / 2, _THICK / 2)
        if self._value > 0:
            full = QRectF(track.left(), track.top(), max(_THICK, track.width() * self._value), _THICK)
            painter.setBrush(self._theme.colour("blue"))
            painter.drawRoundedRect(full, _THICK / 2, _THICK / 2)
        if self._threshold is not None:
            across = track.left() + track.width() * self._threshold
            painter.fillRect(QRectF(across - 1, track.top() - 4, 2, _THICK + 8), self._theme.colour("ink_2"))


class WhyBars(QWidget):
    """A sentence, then the signals; where there is a `whole`, it goes before them with its threshold."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.verdict = Paragraph(theme, META, lines=3, parent=self)
        column.addWidget(self.verdict)
        self._column = QVBoxLayout()
        self._column.setSpacing(0)
        column.addLayout(self._column)
        self._bars: list[ScoreBar] = []

    def say_kept(self, why: WhyKept) -> None:
        """Shows why a passage was kept."""
        self.verdict.say(why.verdict)
        self._show([("in all", why.total, why.threshold), *((one.name, one.value, None) for one in why.bars)])

    def say_found(self, why: WhyFound) -> None:
        """Shows why a passage was found."""
        self.verdict.say(why.words)
        self._show([(one.name, one.value, None) for one in why.bars])

    def _show(self, wanted: list[tuple[str, float, float | None]]) -> None:
        while len(self._bars) < len(wanted):
            bar = ScoreBar(self._theme, self)
            self._bars.append(bar)
            self._column.addWidget(bar)
        for bar in self._bars[len(wanted) :]:
            bar.hide()
        for bar, (name, value, threshold) in zip(self._bars, wanted, strict=False):
            bar.say(name, value, threshold=threshold)
            bar.show()
        widest = max((bar.name_width() for bar in self._bars[: len(wanted)]), default=0)
        for bar in self._bars[: len(wanted)]:
            bar.leave(widest)
