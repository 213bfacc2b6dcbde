"""The port to the desktop's notifications: what to show, and what a press of a button means."""

from dataclasses import dataclass
from typing import Protocol

from heedful.core.ids import ActionableId


@dataclass(frozen=True, slots=True)
class Button:
    """One button: `verb` is what the desktop hands back when it is pressed."""

    verb: str
    label: str


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification about one item; `body` is plain text, whatever mark-up the server knows."""

    item_id: ActionableId
    title: str
    body: str
    buttons: tuple[Button, ...]


class Notifier(Protocol):
    """Shows notifications. «Sent» is not «seen»: everything is in the window too."""

    async def show(self, notification: Notification) -> None:
        """Hands the notification to the desktop; returns without knowing whether a person saw it."""
        ...

    async def withdraw(self, item_id: ActionableId) -> None:
        """Takes an item's notification away where the desktop still shows it."""
        ...
