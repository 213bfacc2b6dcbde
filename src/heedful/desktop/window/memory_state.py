"""The Memory tab while there is no navigator to show: a state in words."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from heedful.desktop.tabs import Desk
from heedful.desktop.widgets.column import Kept
from heedful.desktop.widgets.empty_state import EmptyState
from heedful.presenters.memory_views import HomeView


class HomeState(QWidget):
    """That the memory is being read, can't be, or holds nothing yet."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        words = QVBoxLayout(self)
        words.setContentsMargins(0, 0, 0, 0)
        self._states: Kept[HomeView, QWidget] = Kept(
            words, lambda home: (home.stage, home.trouble), self._state
        )

    def say(self, home: HomeView) -> None:
        """Shows another state."""
        self._states.show([home])

    def _state(self, home: HomeView) -> QWidget:
        theme = self._desk.theme
        if home.trouble is not None:
            return EmptyState(
                theme,
                home.trouble.headline,
                home.trouble.advice,
                glyph="close",
                button="Try again",
                act=self._desk.memory.refresh,
            )
        if home.stage == "loading":
            return EmptyState(theme, "Loading")
        return EmptyState(
            theme,
            "Nothing remembered yet",
            "What a mailbox, a calendar or a chat export brings in can be looked up here, on this computer alone.",
            glyph="memory",
            button="Add a source",
            act=lambda: self._desk.open_tab("sources"),
        )
