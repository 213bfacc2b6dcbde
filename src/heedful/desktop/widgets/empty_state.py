"""A place with nothing in it: what happens next, and the one useful action."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from heedful.desktop.glyphs import draw_glyph, draw_logo
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.paragraph import TEXT, TITLE, Paragraph


class _Picture(QWidget):
    def __init__(self, theme: Theme, glyph: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._glyph = glyph
        self.setFixedHeight(44)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        where = QRectF((self.width() - 36) / 2, 0, 36, 36)
        if self._glyph:
            draw_glyph(painter, self._glyph, where, self._theme.colour("ink_3"), weight=1.3)
        else:
            draw_logo(painter, where, self._theme.colour("ink_3"))


class EmptyState(QWidget):
    """Picture, two lines, and a button that may be missing."""

    def __init__(
        self,
        theme: Theme,
        headline: str,
        explanation: str = "",
        *,
        glyph: str = "",
        button: str = "",
        act: Callable[[], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 0, 24, 24)
        layout.setSpacing(4)
        layout.addItem(QSpacerItem(0, 96, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Maximum))
        layout.addWidget(_Picture(theme, glyph, self))
        layout.addWidget(Paragraph(theme, TITLE, text=headline, centred=True, parent=self))
        if explanation:
            layout.addWidget(Paragraph(theme, TEXT, text=explanation, centred=True, parent=self))
        self.button: Button | None = None
        if button and act is not None:
            layout.addSpacing(10)
            self.button = Button(theme, button, weight=Weight.PRIMARY, parent=self)
            self.button.clicked.connect(act)
            layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)
