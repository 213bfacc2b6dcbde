"""What an item says when it is unfolded: description, evidence, buttons, and the reasons behind it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.decisions import WORDS, Decide, DecisionBar
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.quotation import QuotationBlock
from heedful.presenters.items import ItemView, Verb


class Details(QWidget):
    """The unfolded part of a card or a row; the quotations wait for «Why this?» unless `quotes_shown`."""

    def __init__(
        self,
        theme: Theme,
        item: ItemView,
        decide: Decide,
        *,
        quotes_shown: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._item = item
        self._decide = decide
        self._quotes_shown = quotes_shown
        self.read: Button | None = None
        self._reasons: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        words = self._words()
        if words:
            self._column.addWidget(Paragraph(theme, TEXT, text=words, lines=4, parent=self))
        if quotes_shown:
            for quote in item.quotes:
                self._column.addWidget(QuotationBlock(theme, quote, self))
        self.bar = DecisionBar(theme, item, decide, why=self.toggle_reasons, parent=self)
        self._column.addWidget(self.bar)
        if item.note:
            self._column.addWidget(Paragraph(theme, META, text=item.note, parent=self))

    def toggle_reasons(self) -> None:
        """Unfolds why this item exists, or folds it again."""
        if self._reasons is None:
            self._reasons = self._unfolded()
            self._column.addWidget(self._reasons)
        else:
            self._reasons.setVisible(self._reasons.isHidden())
        self.bar.why.say("Fold" if not self._reasons.isHidden() else "Why this?")

    def _words(self) -> str:
        description = "" if self._quotes_shown and self._item.repeats_quote else self._item.description
        if not self._item.due:
            return description
        if not description:
            return (
                self._item.due.capitalize() if self._item.due.startswith("was") else f"Due {self._item.due}"
            )
        return f"{self._item.due[0].upper()}{self._item.due[1:]} — {description}"

    def _unfolded(self) -> QWidget:
        block = QWidget(self)
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        if not self._quotes_shown:
            for quote in self._item.quotes:
                column.addWidget(QuotationBlock(self._theme, quote, block))
        for reason in self._item.reasons:
            column.addWidget(Paragraph(self._theme, META, text=f"· {reason}", parent=block))
        if self._item.can_be_read:
            self.read = Button(self._theme, WORDS[Verb.READ], weight=Weight.LINK, parent=block)
            self.read.setAccessibleName(f"Read the message: {self._item.title}")
            self.read.clicked.connect(lambda: self._decide(self._item.id, Verb.READ, None))
            column.addWidget(self.read, 0, Qt.AlignmentFlag.AlignLeft)
        return block
