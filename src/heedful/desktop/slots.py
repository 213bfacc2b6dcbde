"""The slot guard: what a click starts never ends in silence, and never takes the program down.

Here stands the desktop's only broad `except`: an error made to be shown becomes a toast in its own words, a bug
becomes a toast that says so and a line in the log.
"""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from heedful.core.errors import HeedfulError
from heedful.core.supervise import Supervisor
from heedful.presenters.toasts import Toasts

log = logging.getLogger(__name__)

BUG_WORDS = "That did not work, by a fault in Heedful. Its log says more."


class Slots:
    """Runs what buttons ask for."""

    def __init__(self, supervisor: Supervisor, toasts: Toasts) -> None:
        self._supervisor = supervisor
        self._toasts = toasts
        self._running: set[str] = set()

    def start(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Runs work in the background; nothing happens while work of that name still runs (a double click)."""
        if name in self._running:
            return
        self._running.add(name)
        try:
            self._supervisor.start(name, self._guarded(name, work))
        except RuntimeError:
            self._running.discard(name)
            log.info("%s was asked for while stopping", name)

    def call(self, work: Callable[[], object]) -> None:
        """Does something at once."""
        try:
            work()
        except HeedfulError as exc:
            self._toasts.fail(exc)
        except Exception:
            log.exception("a slot failed")
            self._toasts.fail_with(BUG_WORDS)

    async def _guarded(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except HeedfulError as exc:
            self._toasts.fail(exc)
        except Exception:
            log.exception("%s failed", name)
            self._toasts.fail_with(BUG_WORDS)
        finally:
            self._running.discard(name)
