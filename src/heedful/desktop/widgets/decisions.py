"""The buttons of an item: one primary, the rest plain and quiet, and «Why this?» at the end."""

from collections.abc import Callable
from datetime import timedelta

from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from heedful.core.ids import ActionableId
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.buttons import Button, Weight
from heedful.presenters.items import SNOOZES, ItemView, Verb

Decide = Callable[[ActionableId, Verb, timedelta | None], None]
"""Called with the item, the verb, and for a snooze how long it lasts."""

WORDS = {
    Verb.APPROVE: "Approve",
    Verb.DONE: "Done",
    Verb.SNOOZE: "Snooze",
    Verb.DISMISS: "Dismiss",
    Verb.UNDO: "Bring back",
    Verb.READ: "Read the message",
}
_ICONS = {Verb.UNDO: "undo"}


class DecisionBar(QWidget):
    """The buttons of one item."""

    def __init__(
        self,
        theme: Theme,
        item: ItemView,
        decide: Decide,
        *,
        why: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._item = item
        self._decide = decide
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for place, verb in enumerate(item.verbs):
            layout.addWidget(self._button(verb, place))
        layout.addStretch(1)
        self.why = Button(theme, "Why this?", weight=Weight.LINK, parent=self)
        self.why.setAccessibleName(f"Why this? {item.title}")
        self.why.clicked.connect(why)
        layout.addWidget(self.why)

    def _button(self, verb: Verb, place: int) -> Button:
        button = Button(
            self._theme,
            WORDS[verb],
            weight=self._weight(verb, place),
            icon=_ICONS.get(verb, ""),
            parent=self,
        )
        button.setObjectName(verb.value)
        button.setAccessibleName(f"{WORDS[verb]}: {self._item.title}")
        if verb is Verb.SNOOZE:
            button.open_menu(self._snooze_menu(button))
        else:
            button.clicked.connect(lambda: self._decide(self._item.id, verb, None))
        return button

    def _weight(self, verb: Verb, place: int) -> Weight:
        if verb is Verb.UNDO:
            return Weight.PLAIN
        if place == 0:
            return Weight.PRIMARY
        return Weight.PLAIN if place == 1 else Weight.QUIET

    def _snooze_menu(self, parent: QWidget) -> QMenu:
        menu = QMenu(parent)
        for choice in SNOOZES:
            action = menu.addAction(choice.words)
            action.triggered.connect(
                lambda _=False, lasts=choice.lasts: self._decide(self._item.id, Verb.SNOOZE, lasts)
            )
        return menu
