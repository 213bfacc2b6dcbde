"""The Today tab."""

from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from heedful.core.ids import ActionableId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.paragraph import META, Paragraph
from heedful.desktop.widgets.sections import CardSection, RowList, RowSection
from heedful.presenters.empty import Emptiness, UsefulAction
from heedful.presenters.items import Verb
from heedful.presenters.today import Section, Shelf, ShelfView, TodayView


class TodayTab(QWidget):
    """Cards, groups and shelves in one scrolling column; or a state in words."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state: QWidget | None = None
        self._stack = QStackedLayout(self)
        self.area = ScrollColumn(self)
        self._stack.addWidget(self.area)
        column = self.area.column
        cards, sections, shelves = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        for part in (cards, sections, shelves):
            part.setSpacing(0)
            column.addLayout(part)
        column.addStretch(1)
        theme = desk.theme
        self.cards: Kept[Section, CardSection] = Kept(
            cards,
            lambda section: section.title,
            lambda section: CardSection(theme, section, self._decide),
            lambda widget, section: widget.say(section),
        )
        self.sections: Kept[Section, RowSection] = Kept(
            sections,
            lambda section: section.title,
            lambda section: RowSection(theme, section, self._decide),
            lambda widget, section: widget.say(section),
        )
        self.shelves: Kept[ShelfView, ShelfBox] = Kept(
            shelves,
            lambda shelf: shelf.shelf,
            lambda shelf: ShelfBox(desk, shelf, self),
            lambda widget, shelf: widget.say(shelf),
        )
        self.area.near_end.connect(self._near_end)
        desk.watches.append(desk.today.view.watch(self._show))

    def decide(self, item_id: ActionableId, verb: Verb, lasts: timedelta | None) -> None:
        """Carries out what a button says."""
        self._decide(item_id, verb, lasts)

    def _decide(self, item_id: ActionableId, verb: Verb, lasts: timedelta | None) -> None:
        self._desk.slots.start(
            f"{verb.value} {item_id}", lambda: self._desk.today.decide(item_id, verb, lasts=lasts)
        )

    def _near_end(self) -> None:
        if any(section.hidden for section in self._desk.today.view.value.sections) or any(
            shelf.hidden for shelf in self._desk.today.view.value.shelves
        ):
            self._desk.slots.call(self._desk.today.show_more)

    def _show(self, view: TodayView) -> None:
        match view.stage:
            case "items":
                self._show_items(view)
                self._stack.setCurrentWidget(self.area)
            case "loading":
                self._say(EmptyState(self._desk.theme, "Loading"))
            case "trouble" if view.trouble is not None:
                self._say(
                    EmptyState(
                        self._desk.theme,
                        view.trouble.headline,
                        view.trouble.advice,
                        glyph="close",
                        button="Try again",
                        act=self._desk.today.refresh,
                    )
                )
            case _ if view.empty is not None:
                self._say(self._empty_state(view.empty, view.shelves))

    def _show_items(self, view: TodayView) -> None:
        self.cards.show([view.cards] if view.cards is not None else [])
        self.sections.show(view.sections)
        self.shelves.show(view.shelves)

    def _say(self, state: QWidget) -> None:
        """Shows a state instead of the items, and forgets the one before."""
        before = self._state
        self._state = state
        self._stack.addWidget(state)
        self._stack.setCurrentWidget(state)
        if before is not None:
            self._stack.removeWidget(before)
            before.deleteLater()

    def _empty_state(self, empty: Emptiness, shelves: tuple[ShelfView, ...]) -> QWidget:
        box = QWidget()
        layout = QVBoxLayout(box)
        layout.setContentsMargins(12, 0, 12, 12)
        state = EmptyState(
            self._desk.theme,
            empty.headline,
            empty.explanation,
            button=empty.button,
            act=lambda: self._do(empty.action),
            parent=box,
        )
        layout.addWidget(state, 1)
        for shelf in shelves:
            layout.addWidget(ShelfBox(self._desk, shelf, self))
        return box

    def _do(self, action: UsefulAction | None) -> None:
        if action is UsefulAction.ADD_SOURCE:
            self._desk.open_tab("sources")
        elif action is UsefulAction.LOOK_NOW:
            self._desk.slots.call(self._desk.activity.look_now)


class ShelfBox(QWidget):
    """A closed shelf is one link; an open one has its rows below."""

    def __init__(self, desk: Desk, shelf: ShelfView, tab: TodayTab) -> None:
        super().__init__()
        self._desk = desk
        self._shelf: Shelf = shelf.shelf
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(6)
        self.link = Button(desk.theme, shelf.title, weight=Weight.LINK, icon="right", parent=self)
        self.link.clicked.connect(self._toggle)
        layout.addWidget(self.link, 0, Qt.AlignmentFlag.AlignLeft)
        self._empty = Paragraph(desk.theme, META, parent=self)
        layout.addWidget(self._empty)
        self.list = RowList(desk.theme, tab.decide, self)
        layout.addWidget(self.list)
        self.say(shelf)

    def say(self, shelf: ShelfView) -> None:
        """Shows another state of the shelf."""
        self.link.point("down" if shelf.is_open else "right")
        self._empty.say(shelf.empty)
        self._empty.setVisible(bool(shelf.empty))
        self.list.show_items(shelf.rows)
        self.list.setVisible(bool(shelf.rows))

    def _toggle(self) -> None:
        self._desk.slots.start(f"shelf {self._shelf}", lambda: self._desk.today.toggle(self._shelf))


TAB = Tab("today", "Today", "today", 10, TodayTab)
