"""A card: only for what needs a decision."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.decisions import Decide
from heedful.desktop.widgets.details import Details
from heedful.desktop.widgets.paragraph import META, TITLE, Paragraph
from heedful.desktop.widgets.surface import Surface
from heedful.desktop.widgets.tag import Tag
from heedful.presenters.items import ItemView, Verb


class Card(Surface):
    """One item as a card; evidence is open at once where the matter is critical or waits for a word."""

    def __init__(self, theme: Theme, item: ItemView, decide: Decide, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.item = item
        self.setAccessibleName(f"{item.tag}: {item.title}")
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(Tag(theme, shape=item.shape, word=item.tag, parent=self))
        top.addWidget(Paragraph(theme, META, text=item.meta, lines=1, parent=self), 1)
        self.column.addLayout(top)
        self.column.addSpacing(4)
        self.column.addWidget(Paragraph(theme, TITLE, text=item.title, lines=3, parent=self))
        self.column.addSpacing(2)
        is_pressing = item.shape == "critical" or Verb.APPROVE in item.verbs
        self.details = Details(theme, item, decide, quotes_shown=is_pressing, parent=self)
        self.column.addWidget(self.details)
