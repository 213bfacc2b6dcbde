"""A heading with a note at its right, and rows on one ground below it."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from heedful.desktop.theme import Theme
from heedful.desktop.widgets.card import Card
from heedful.desktop.widgets.column import Kept
from heedful.desktop.widgets.decisions import Decide
from heedful.desktop.widgets.paragraph import META, Paragraph, heading
from heedful.desktop.widgets.row import Row
from heedful.desktop.widgets.surface import Surface
from heedful.presenters.items import ItemView
from heedful.presenters.today import Section


class SectionHead(QWidget):
    """«Today … 4»."""

    def __init__(self, theme: Theme, title: str, note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2, 0, 2, 6)
        layout.setSpacing(8)
        self._title = heading(theme, title, self)
        self._note = Paragraph(theme, META, text=note, lines=1, parent=self)
        layout.addWidget(self._title, 1)
        layout.addWidget(self._note)
        self.say(title, note)

    def say(self, title: str, note: str) -> None:
        """Replaces both."""
        self._title.say(title)
        self._note.say(note)
        self._note.setFixedWidth(self._note.natural_width())


class RowList(Surface):
    """Rows on one ground."""

    def __init__(self, theme: Theme, decide: Decide, parent: QWidget | None = None) -> None:
        super().__init__(theme, margins=(0, 0, 0, 1), parent=parent)
        self._kept: Kept[ItemView, Row] = Kept(
            self.column,
            lambda item: item.id,
            lambda item: Row(theme, item, decide, self),
            lambda row, item: row.say(item),
        )

    @property
    def rows(self) -> list[Row]:
        """The rows in order."""
        return self._kept.widgets

    def show_items(self, items: tuple[ItemView, ...]) -> None:
        """Brings the rows in step."""
        self._kept.show(items)
        rows = self._kept.widgets
        for row in rows:
            row.end_list(is_last=row is rows[-1])


class RowSection(QWidget):
    """A heading and its rows."""

    def __init__(self, theme: Theme, section: Section, decide: Decide, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 14)
        layout.setSpacing(0)
        self.head = SectionHead(theme, section.title, section.note, self)
        self.list = RowList(theme, decide, self)
        layout.addWidget(self.head)
        layout.addWidget(self.list)
        self.say(section)

    def say(self, section: Section) -> None:
        """Shows another state of the section."""
        self.head.say(section.title, section.note)
        self.list.show_items(section.rows)


class CardSection(QWidget):
    """A heading and its cards."""

    def __init__(self, theme: Theme, section: Section, decide: Decide, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(0)
        self.head = SectionHead(theme, section.title, section.note, self)
        layout.addWidget(self.head)
        cards = QVBoxLayout()
        cards.setSpacing(8)
        cards.setContentsMargins(0, 0, 0, 8)
        layout.addLayout(cards)
        self._kept: Kept[ItemView, Card] = Kept(
            cards, lambda item: item.id, lambda item: Card(theme, item, decide, self)
        )
        self.say(section)

    @property
    def cards(self) -> list[Card]:
        """The cards in order."""
        return self._kept.widgets

    def say(self, section: Section) -> None:
        """Shows another state of the section."""
        self.head.say(section.title, section.note)
        self._kept.show(section.rows)
