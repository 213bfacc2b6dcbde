"""The evidence: the sentence itself beside a bar, its decisive words marked."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.paragraph import QUOTE, Paragraph
from heedful.presenters.quotations import Quotation


class QuotationBlock(QWidget):
    """One quotation."""

    def __init__(self, theme: Theme, quotation: Quotation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 2, 0, 2)
        text = Paragraph(theme, QUOTE, parent=self)
        text.say(f"“{quotation.text}”", [(start + 1, end + 1) for start, end in quotation.marks])
        layout.addWidget(text)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002, N802 (Qt's signature)
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("line"))
        painter.drawRoundedRect(QRectF(0, 0, 3, self.height()), 1.5, 1.5)
