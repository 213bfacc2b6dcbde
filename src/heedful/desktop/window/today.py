"""The Today tab."""

from datetime import timedelta

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from heedful.core.ids import ActionableId
from heedful.desktop.tabs import Desk, Tab
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.desktop.widgets.card import Card
from heedful.desktop.widgets.column import Kept, ScrollColumn
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.desktop.widgets.find_field import FindField
from heedful.desktop.widgets.paragraph import META, TEXT, Paragraph
from heedful.desktop.widgets.row import Row
from heedful.desktop.widgets.sections import CardSection, RowList, RowSection
from heedful.presenters.empty import Emptiness, UsefulAction
from heedful.presenters.items import Verb
from heedful.presenters.today import Section, Shelf, ShelfView, TodayView

MUCH = 12
"""With so many rows below the cards the filter is there without being called."""


class TodayTab(QWidget):
    """Cards, groups and shelves in one scrolling column; or a state in words.

    Above them, once the person looks for something or there is much to look through, stands a filter.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state: QWidget | None = None
        self._is_seeking = False
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.setSpacing(0)
        self.filter_bar = self._filter()
        outside.addWidget(self.filter_bar)
        self._stack = QStackedLayout()
        outside.addLayout(self._stack, 1)
        self.area = ScrollColumn(self)
        self._stack.addWidget(self.area)
        column = self.area.column
        self._nothing_box, self.nothing = _nothing(desk.theme)
        column.addWidget(self._nothing_box)
        cards, sections, shelves = QVBoxLayout(), QVBoxLayout(), QVBoxLayout()
        for part in (cards, sections, shelves):
            part.setSpacing(0)
            column.addLayout(part)
        column.addStretch(1)
        theme = desk.theme
        QShortcut(QKeySequence.StandardKey.Find, self, self.seek)
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

    def seek(self, typed: str = "") -> None:
        """Brings the filter up, to be typed in; `typed` is what was typed already."""
        if self._desk.today.view.value.stage != "items":
            return
        self._is_seeking = True
        self.filter_bar.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if typed:
            self.field.insert(typed)
        else:
            self.field.selectAll()

    def reveal(self, item_id: ActionableId) -> None:
        """Brings an item into sight, unfolded; what was put aside is found on its shelf."""
        self._desk.slots.start(f"reveal {item_id}", lambda: self._bring_up(item_id))

    async def _bring_up(self, item_id: ActionableId) -> None:
        if await self._desk.today.bring_up(item_id):
            self.field.clear()
            QTimer.singleShot(0, self, lambda: self._point_at(item_id))

    def _point_at(self, item_id: ActionableId) -> None:
        """Shows where an item is, once it has its place."""
        for card in self.area.findChildren(Card):
            card.edge("blue" if card.item.id == item_id else "line")
            if card.item.id == item_id:
                self._bring_into_sight(card)
        for row in self.area.findChildren(Row):
            if row.item.id == item_id:
                row.head.setChecked(True)
                row.head.setFocus(Qt.FocusReason.ShortcutFocusReason)
                self._bring_into_sight(row)

    def _bring_into_sight(self, widget: QWidget) -> None:
        """Scrolls there once what was just unfolded has been laid out."""
        QTimer.singleShot(0, widget, lambda: self.area.ensureWidgetVisible(widget))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """A letter that nothing else takes begins the filter."""
        typed = event.text()
        held = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if typed.strip() and typed.isprintable() and not held:
            self.seek(typed)
        else:
            super().keyPressEvent(event)

    def decide(self, item_id: ActionableId, verb: Verb, lasts: timedelta | None) -> None:
        """Carries out what a button says."""
        self._decide(item_id, verb, lasts)

    def _decide(self, item_id: ActionableId, verb: Verb, lasts: timedelta | None) -> None:
        if verb is Verb.READ:
            self._desk.slots.start(f"read {item_id}", lambda: self._read(item_id))
            return
        self._desk.slots.start(
            f"{verb.value} {item_id}", lambda: self._desk.today.decide(item_id, verb, lasts=lasts)
        )

    async def _read(self, item_id: ActionableId) -> None:
        passage = await self._desk.today.passage_of(item_id)
        self._desk.open_tab("memory")
        await self._desk.memory.open_letter(passage)

    def _filter(self) -> QWidget:
        bar = QWidget(self)
        row = QHBoxLayout(bar)
        row.setContentsMargins(12, 10, 14, 0)
        row.setSpacing(8)
        self.field = FindField("Filter what is open", "Filter by words, people, source or priority", bar)
        self.field.textChanged.connect(self._typed)
        self.field.left.connect(self._stop_seeking)
        self.found = Paragraph(self._desk.theme, META, lines=1, parent=bar)
        row.addWidget(self.field, 1)
        row.addWidget(self.found)
        bar.hide()
        return bar

    def _typed(self, words: str) -> None:
        self._desk.slots.start(f"filter {words}", lambda: self._desk.today.seek(words))

    def _stop_seeking(self) -> None:
        self._is_seeking = False
        self.area.setFocus()
        self._show_filter(self._desk.today.view.value)

    def _show_filter(self, view: TodayView) -> None:
        number = sum(len(section.rows) + section.hidden for section in view.sections)
        is_much = number >= MUCH or bool(view.sought)
        self.filter_bar.setVisible(view.stage == "items" and (self._is_seeking or is_much))
        self.found.say(view.found)
        self.found.setFixedWidth(min(self.found.natural_width(), 150))
        self.found.setVisible(bool(view.found) and not self._holds_nothing(view))
        self.nothing.say(view.found)
        self._nothing_box.setVisible(self._holds_nothing(view))

    def _holds_nothing(self, view: TodayView) -> bool:
        return bool(view.sought) and view.cards is None and not view.sections

    def _near_end(self) -> None:
        if any(section.hidden for section in self._desk.today.view.value.sections) or any(
            shelf.hidden for shelf in self._desk.today.view.value.shelves
        ):
            self._desk.slots.call(self._desk.today.show_more)

    def _show(self, view: TodayView) -> None:
        self._show_filter(view)
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


def _nothing(theme: Theme) -> tuple[QWidget, Paragraph]:
    """The place for the sentence of a filter that found nothing."""
    box = QWidget()
    layout = QVBoxLayout(box)
    layout.setContentsMargins(2, 4, 2, 14)
    words = Paragraph(theme, TEXT, parent=box)
    layout.addWidget(words)
    return box, words


TAB = Tab("today", "Today", "today", 10, TodayTab)
