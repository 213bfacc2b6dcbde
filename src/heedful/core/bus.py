"""The bulletin board: who wants to hear of an event is told, one after the other, after the commit.

Events published while others are being told wait their turn, so every listener hears them in one order. A
listener that raises is logged and does not keep the next one from hearing. Not a command channel.
"""

import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from heedful.core.events import Event

log = logging.getLogger(__name__)

E = TypeVar("E", bound=Event)
Unsubscribe = Callable[[], None]


class Bus:
    """Publishes events to listeners, synchronously, on the event loop's thread."""

    def __init__(self) -> None:
        self._listeners: list[tuple[type[Event], Callable[..., None]]] = []
        self._waiting: deque[Event] = deque()
        self._telling = False

    def subscribe(self, kind: type[E], listener: Callable[[E], None]) -> Unsubscribe:
        """Tells `listener` of every event of `kind` or a subclass until the returned function is called."""
        entry = (kind, listener)
        self._listeners.append(entry)

        def unsubscribe() -> None:
            if entry in self._listeners:
                self._listeners.remove(entry)

        return unsubscribe

    def publish(self, events: Sequence[Event]) -> None:
        """Tells everybody; returns when all have heard, unless called by a listener, who is heard later."""
        self._waiting.extend(events)
        if self._telling:
            return
        self._telling = True
        try:
            while self._waiting:
                self._tell(self._waiting.popleft())
        finally:
            self._telling = False

    def _tell(self, event: Event) -> None:
        for kind, listener in tuple(self._listeners):
            if not isinstance(event, kind):
                continue
            try:
                listener(event)
            except Exception:
                log.exception("a listener of %s failed", type(event).__name__)
