"""Why a passage counts: its score beside the threshold, and each signal as a bar."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.presenters.memory_views import WhyKept

_LABEL, _HEIGHT, _THICK = 138, 19, 5


class ScoreBar(QWidget):
    """A name and a bar from 0 to 1; `threshold` draws a line across it."""

    def __init__(
        self,
        theme: Theme,
        name: str,
        value: float,
        *,
        threshold: float | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._value = min(max(value, 0.0), 1.0)
        self._threshold = threshold
        self._font = font(META.pixels)
        self.setFixedHeight(_HEIGHT)
        words = f"{name}: {round(self._value * 100)} of 100"
        if threshold is not None:
            words += f", kept from {round(threshold * 100)}"
        self.setAccessibleName(words)
        self.setToolTip(words)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(_LABEL + 120, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        painter.setPen(self._theme.colour("ink_2"))
        elide = Qt.TextElideMode.ElideRight
        name = QFontMetricsF(self._font).elidedText(self._name, elide, _LABEL - 8)
        painter.drawText(QRectF(0, 0, _LABEL, _HEIGHT), Qt.AlignmentFlag.AlignVCenter, name)
        track = QRectF(_LABEL, (_HEIGHT - _THICK) / 2, self.width() - _LABEL, _THICK)
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


class WhyKeptBars(QWidget):
    """The verdict in a sentence, its score with the threshold, then the signals."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.verdict = Paragraph(theme, META, lines=2, parent=self)
        column.addWidget(self.verdict)
        self._bars = QGridLayout()
        self._bars.setSpacing(0)
        column.addLayout(self._bars)
        self._shown: WhyKept | None = None

    def say(self, why: WhyKept) -> None:
        """Shows a verdict."""
        if why == self._shown:
            return
        self._shown = why
        while (item := self._bars.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.verdict.say(why.verdict)
        whole = ScoreBar(self._theme, "in all", why.total, threshold=why.threshold, parent=self)
        for place, bar in enumerate(
            [whole, *(ScoreBar(self._theme, one.name, one.value, parent=self) for one in why.bars)]
        ):
            self._bars.addWidget(bar, place, 0)
