"""A desktop that remembers what it was asked to show."""

from heedful.attention import Notification
from heedful.core.ids import ActionableId


class FakeNotifier:
    """Keeps what was shown and what was taken away, in order."""

    def __init__(self) -> None:
        self.shown: list[Notification] = []
        self.withdrawn: list[ActionableId] = []

    async def show(self, notification: Notification) -> None:
        self.shown.append(notification)

    async def withdraw(self, item_id: ActionableId) -> None:
        self.withdrawn.append(item_id)
