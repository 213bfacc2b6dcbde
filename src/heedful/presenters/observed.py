"""A value that tells its watchers when it is replaced; how a presenter reaches a view without knowing one."""

from collections.abc import Callable
from typing import Generic, TypeVar

from heedful.core.bus import Unsubscribe

T = TypeVar("T")


class Observed(Generic[T]):
    """Holds one value; watchers are called with a new one, and not for an equal one."""

    def __init__(self, value: T) -> None:
        self._value = value
        self._watchers: list[Callable[[T], None]] = []

    @property
    def value(self) -> T:
        return self._value

    def replace(self, value: T) -> None:
        """Sets the value and tells every watcher, in the order they came."""
        if value == self._value:
            return
        self._value = value
        for watcher in tuple(self._watchers):
            watcher(value)

    def watch(self, watcher: Callable[[T], None]) -> Unsubscribe:
        """Calls `watcher` with the present value now, and with each new one until the answer is called."""
        self._watchers.append(watcher)
        watcher(self._value)

        def unwatch() -> None:
            if watcher in self._watchers:
                self._watchers.remove(watcher)

        return unwatch
