"""Two texts beside each other, each line marked by a sign and a ground for what became of it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META, Paragraph, heading
from heedful.presenters.juice_account import Fate, Side

HEIGHT = 300
MONO_PX = 10.5
_SIGNS: dict[Fate, str] = {"kept": "  ", "gone": "− ", "written": "+ "}
_GROUNDS: dict[Fate, str] = {"gone": "coral_pale", "written": "sage_pale"}


def mono(pixels: float = MONO_PX) -> QFont:
    """The system's fixed-width font, in the size that `theme.font` would give it."""
    chosen = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    chosen.setPointSizeF(font(pixels).pointSizeF())
    return chosen


class SidePane(QWidget):
    """One text with its heading."""

    def __init__(self, theme: Theme, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._side = side
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(heading(theme, side.title, self))
        column.addWidget(Paragraph(theme, META, text=side.note, lines=1, parent=self))
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setFont(mono())
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setAccessibleName(f"{side.title}, {side.note}")
        self.text.setMinimumHeight(HEIGHT)
        column.addWidget(self.text, 1)
        if side.rest:
            column.addWidget(Paragraph(theme, META, text=side.rest, parent=self))
        theme.changed.connect(self._write)
        self._write()

    def _write(self) -> None:
        self.text.clear()
        cursor = QTextCursor(self.text.document())
        cursor.beginEditBlock()
        for number, line in enumerate(self._side.lines):
            ground = QTextBlockFormat()
            if line.fate in _GROUNDS:
                ground.setBackground(self._theme.colour(_GROUNDS[line.fate]))
            ink = QTextCharFormat()
            ink.setForeground(self._theme.colour("ink"))
            if number:
                cursor.insertBlock(ground, ink)
            else:
                cursor.setBlockFormat(ground)
            cursor.insertText(_SIGNS[line.fate] + line.text, ink)
        cursor.endEditBlock()


class SideBySide(QWidget):
    """Before at the left, after at the right, in equal halves."""

    def __init__(self, theme: Theme, before: Side, after: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.before = SidePane(theme, before, self)
        self.after = SidePane(theme, after, self)
        row.addWidget(self.before, 1)
        row.addWidget(self.after, 1)
