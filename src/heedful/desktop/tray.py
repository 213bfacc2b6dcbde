"""The tray icon and its menu.

A panel may start after Heedful, or go and come back: the icon is offered again until it is taken. Where there is
no tray at all, nothing here hides anything: the window asks `is_there` before it hides.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from heedful.core.ids import ActionableId
from heedful.desktop.tray_icons import tray_icon
from heedful.presenters.moods import FrameView, Mood

EAGER_MS = 500
EAGER_TRIES = 60
PATIENT_MS = 10_000


@dataclass(frozen=True, slots=True)
class TrayActions:
    """What the menu does; `no_tray` is called once when no panel has taken the icon for half a minute."""

    open_window: Callable[[], None]
    open_item: Callable[[ActionableId], None]
    look_now: Callable[[], None]
    pause_hour: Callable[[], None]
    pause_until_tomorrow: Callable[[], None]
    resume: Callable[[], None]
    quit: Callable[[], None]
    no_tray: Callable[[], None]


class Tray(QObject):
    """One icon; its menu is there before the icon is, because some panels show none without."""

    def __init__(
        self, actions: TrayActions, parent: QObject | None = None, *, eager_ms: int = EAGER_MS
    ) -> None:
        super().__init__(parent)
        self._eager_ms = eager_ms
        self._actions = actions
        self._view = FrameView(Mood.WORKING, "Starting")
        self._icons = {mood: tray_icon(mood) for mood in Mood}
        self._icon: QSystemTrayIcon | None = None
        self._tries = 0
        self.menu = QMenu()
        self._fill_menu()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._offer)
        self._timer.start(eager_ms)
        self._offer()
        self.say(self._view)

    @property
    def is_there(self) -> bool:
        """Whether a panel shows the icon."""
        return self._icon is not None and self._icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def say(self, view: FrameView) -> None:
        """Shows another state."""
        is_same_mood = view.mood is self._view.mood
        self._view = view
        self._status.setText(view.words)
        for action, item in zip(self._items, (*view.top, None, None, None), strict=False):
            action.setVisible(item is not None)
            action.setText(item.title.replace("&", "&&") if item is not None else "")
            action.setData(item.id if item is not None else None)
        self._items_end.setVisible(bool(view.top))
        self._resume.setVisible(view.is_paused)
        for action in self._pauses:
            action.setVisible(not view.is_paused)
        if self._icon is not None:
            if not is_same_mood:
                self._icon.setIcon(self._icons[view.mood])
            self._icon.setToolTip(f"Heedful\n{view.words}")

    def leave(self) -> None:
        """Takes the icon away."""
        self._timer.stop()
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
        self.menu.deleteLater()

    def _offer(self) -> None:
        if QSystemTrayIcon.isSystemTrayAvailable():
            if self._icon is None:
                self._show_icon()
            self._timer.setInterval(PATIENT_MS)
            return
        self._tries += 1
        if self._tries == EAGER_TRIES:
            self._timer.setInterval(PATIENT_MS)
            self._actions.no_tray()
        if self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None
            self._tries = 0
            self._timer.setInterval(self._eager_ms)

    def _show_icon(self) -> None:
        icon = QSystemTrayIcon(self._icons[self._view.mood], self)
        icon.setContextMenu(self.menu)
        icon.setToolTip(f"Heedful\n{self._view.words}")
        icon.activated.connect(self._activated)
        icon.show()
        self._icon = icon

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is not QSystemTrayIcon.ActivationReason.Context:
            self._actions.open_window()

    def _fill_menu(self) -> None:
        menu, actions = self.menu, self._actions
        self._add("Open Intelligence", actions.open_window)
        self._status = menu.addAction(self._view.words)
        self._status.setEnabled(False)
        menu.addSeparator()
        self._items = [self._item_action() for _ in range(3)]
        self._items_end = menu.addSeparator()
        self._add("Look now", actions.look_now)
        self._pauses = [
            self._add("Pause for 1 hour", actions.pause_hour),
            self._add("Pause until tomorrow", actions.pause_until_tomorrow),
        ]
        self._resume = self._add("Resume", actions.resume)
        menu.addSeparator()
        self._add("Quit", actions.quit)

    def _add(self, words: str, act: Callable[[], None]) -> QAction:
        action = self.menu.addAction(words)
        action.triggered.connect(lambda _=False: act())
        return action

    def _item_action(self) -> QAction:
        action = self.menu.addAction("")
        action.setVisible(False)
        action.triggered.connect(lambda _=False: self._actions.open_item(ActionableId(str(action.data()))))
        return action
