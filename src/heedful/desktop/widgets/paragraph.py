"""Text that wraps, with a line height of its own and marked words: what QLabel can't do."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from heedful.desktop.theme import Theme, font, line_height
from heedful.desktop.widgets.whole_words import tell_whole

UNBOUNDED = 16_777_215.0
WIDTHS_KEPT = 6


@dataclass(frozen=True, slots=True)
class Type:
    """A size in design pixels, its line height, its weight, and the token it is written in."""

    pixels: float
    line: int
    weight: QFont.Weight = QFont.Weight.Normal
    colour: str = "ink"


TITLE = Type(14, 19, QFont.Weight.DemiBold)
ROW_TITLE = Type(13, 18, QFont.Weight.Medium)
TEXT = Type(12.5, 18, colour="ink_2")
PLAIN = Type(12.5, 18)
META = Type(11, 15, colour="ink_2")
HEADING = Type(11, 15, QFont.Weight.DemiBold, "ink_2")
QUOTE = Type(12, 17, colour="ink_2")


class Paragraph(QWidget):
    """One paragraph; as high as its text needs at its width, or cut with an ellipsis after `lines` lines.

    In a higher place than it needs it stands in the middle.
    """

    def __init__(
        self,
        theme: Theme,
        style: Type,
        *,
        text: str = "",
        lines: int = 0,
        centred: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._style = style
        self._lines = lines
        self._centred = centred
        self._marks: Sequence[tuple[int, int]] = ()
        self._text = ""
        self._font = font(style.pixels, style.weight)
        self._line = line_height(self._font, style.line)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._known: dict[float, tuple[QTextLayout, range]] = {}
        theme.changed.connect(self._forget_layouts)
        self.say(text)

    def say(self, text: str, marks: Sequence[tuple[int, int]] = ()) -> None:
        """Replaces the text; `marks` are character spans to be marked."""
        if text == self._text and marks == self._marks and self._known:
            return
        self._text = text
        self._marks = marks
        self.setAccessibleName(text)
        self.updateGeometry()
        self._forget_layouts()

    def _forget_layouts(self) -> None:
        self._known.clear()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        return max(1, len(self._broken(width)[1])) * self._line

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        width = min(320, self.natural_width())
        return QSize(width, self.heightForWidth(max(1, width)))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        return QSize(24, self._line)

    def natural_width(self) -> int:
        """The width in pixels of the text in one line."""
        return round(self._broken(UNBOUNDED)[0].maximumWidth()) + 1

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setPen(self._theme.colour(self._style.colour))
        layout, count = self._broken(self.width())
        tell_whole(self, *([self._text] if layout.text() != self._text else []))
        top = max(0.0, (self.height() - len(count) * self._line) / 2)
        for number in count:
            line = layout.lineAt(number)
            slack = self.width() - line.naturalTextWidth() if self._centred else 0.0
            line.draw(painter, QPointF(slack / 2, top))

    def _broken(self, width: float) -> tuple[QTextLayout, range]:
        """The text in lines of our height, and which of them to draw; layouts ask for it again and again."""
        known = self._known.get(width)
        if known is None:
            if len(self._known) >= WIDTHS_KEPT:
                self._known.clear()
            known = self._known[width] = self._broken_anew(width)
        return known

    def _broken_anew(self, width: float) -> tuple[QTextLayout, range]:
        text, marks = self._text, list(self._marks)
        layout, count = self._laid_out(text, marks, width)
        if not self._lines or count <= self._lines:
            return layout, range(count)
        last = layout.lineAt(self._lines - 1)
        begin = last.textStart()  # a line is gone with its layout
        cut = max(begin, begin + last.textLength() - 2)
        while True:
            shortened = text[:cut].rstrip() + "…"
            layout, count = self._laid_out(shortened, [mark for mark in marks if mark[1] <= cut], width)
            if count <= self._lines or cut <= begin:
                return layout, range(min(count, self._lines))
            cut -= 1

    def _laid_out(self, text: str, marks: list[tuple[int, int]], width: float) -> tuple[QTextLayout, int]:
        layout = QTextLayout(text, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats([self._mark(start, end) for start, end in marks])
        layout.beginLayout()
        count = 0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, count * self._line + (self._line - line.height()) / 2))
            count += 1
        layout.endLayout()
        return layout, count

    def _mark(self, start: int, end: int) -> QTextLayout.FormatRange:
        chosen = QTextCharFormat()
        chosen.setForeground(self._theme.colour("ink"))
        chosen.setBackground(self._theme.colour("amber_pale"))
        marked = QTextLayout.FormatRange()
        marked.start = start
        marked.length = end - start
        marked.format = chosen
        return marked


def heading(theme: Theme, text: str, parent: QWidget | None = None) -> Paragraph:
    """A group's heading."""
    return Paragraph(theme, HEADING, text=text, lines=1, parent=parent)
