"""Form parts that need no more than Qt has, but with our words around them."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QStyledItemDelegate,
    QTimeEdit,
    QVBoxLayout,
    QWidget,
)

from heedful.desktop.glyphs import draw_glyph
from heedful.desktop.theme import Theme, font
from heedful.desktop.widgets.paragraph import META, PLAIN, Paragraph

FIELD_FONT_PX = 12.5


class Choice(QComboBox):
    """A drop-down list that the wheel does not change while the person scrolls past it."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFont(font(FIELD_FONT_PX))
        self.setAccessibleName(name)
        self.setAccessibleDescription(name)  # on Linux the name of a list is what is chosen in it
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setItemDelegate(QStyledItemDelegate(self))  # the one that comes with it takes no colours of ours

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        super().paintEvent(event)
        painter = QPainter(self)
        where = QRectF(self.width() - 20, (self.height() - 13) / 2, 13, 13)
        draw_glyph(painter, "down", where, self._theme.colour("ink_2"), weight=2.2)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()


class Number(QSpinBox):
    """A whole number, told when the person is done typing."""

    def __init__(
        self, name: str, *, least: int, most: int, step: int = 1, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFont(font(FIELD_FONT_PX))
        self.setAccessibleName(name)
        self.setRange(least, most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        _indent(self)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()


class ClockField(QTimeEdit):
    """A time of day."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font(FIELD_FONT_PX))
        self.setAccessibleName(name)
        self.setDisplayFormat("HH:mm")
        _indent(self)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()


class Money(QDoubleSpinBox):
    """A sum in US dollars."""

    def __init__(self, name: str, *, most: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font(FIELD_FONT_PX))
        self.setAccessibleName(name)
        self.setRange(0, most)
        self.setPrefix("$ ")
        _indent(self)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        event.ignore()


def _indent(field: QAbstractSpinBox) -> None:
    """WORKAROUND(Qt 6.11, a styled spin box ignores its padding; drop when it does not)."""
    editor = field.lineEdit()
    if editor is not None:
        editor.setTextMargins(7, 0, 7, 0)


def line(name: str, *, hint: str = "", secret: bool = False) -> QLineEdit:
    """A one-line field; a secret one shows dots."""
    field = QLineEdit()
    field.setFont(font(FIELD_FONT_PX))
    field.setAccessibleName(name)
    field.setPlaceholderText(hint)
    if secret:
        field.setEchoMode(QLineEdit.EchoMode.Password)
    return field


def labelled(theme: Theme, words: str, field: QWidget, *, note: str = "") -> QWidget:
    """A field below its words."""
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(3)
    column.addWidget(Paragraph(theme, META, text=words))
    column.addWidget(field)
    if note:
        column.addWidget(Paragraph(theme, META, text=note))
    return box


def beside(theme: Theme, words: str, *fields: QWidget) -> QWidget:
    """Words at the left, fields at the right."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    row.addWidget(Paragraph(theme, PLAIN, text=words, lines=2), 1)
    for field in fields:
        row.addWidget(field)
    return box
