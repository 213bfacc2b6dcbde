"""One process, one loop: asyncio hosted on Qt's main thread, and an end that is ours to order.

The only file that knows qasync. `QApplication.quit` would stop the loop before anything was put away, so every
wish to quit (the tray, the session, a signal) becomes one `asyncio.Event`. The cyclic garbage collector may
destroy Qt objects on the wrong thread, so it is switched off and run by a timer on the main thread.
"""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer
from PySide6.QtWidgets import QApplication

from heedful.desktop.workers import Workers

WORKERS = 4
COLLECT_EVERY_MS = 2_000
SETTLED_AFTER_MS = 5_000
MANY_AT_ONCE = 40_000
"""So many new objects are mostly those of a thread that reads, and soon gone; looking through them costs a frame.

Those that stay are of a library that was loaded, as a rule, and may wait for a sweep.
"""
PATIENCE = 5
_GENERATION_1_FULL = 10
SWITCH_AFTER_S = 0.0002
"""How long another thread of ours may compute before the window's gets its turn; Python's own 5 ms, a few times in
one frame, are seen."""


class Application(QApplication):
    """Turns every order to quit into a wish that `quit_wished` hears."""

    def __init__(self, arguments: list[str]) -> None:
        super().__init__(arguments)
        self._on_wish: Callable[[], None] = lambda: None
        self.setApplicationName("heedful")
        self.setApplicationDisplayName("Heedful")
        self.setDesktopFileName("heedful")
        self.setQuitOnLastWindowClosed(False)
        self.commitDataRequest.connect(lambda _: self.wish_to_quit())

    def hear_wishes(self, on_wish: Callable[[], None]) -> None:
        """Calls `on_wish` for every wish to quit, instead of quitting."""
        self._on_wish = on_wish

    def wish_to_quit(self) -> None:
        """Asks for an orderly end."""
        self._on_wish()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit:
            event.ignore()
            self.wish_to_quit()
            return True
        return super().event(event)


def run_on_qt(app: Application, main: Callable[[asyncio.Event], Awaitable[int]]) -> int:
    """Runs `main` with asyncio on Qt's loop; it gets the event that says when to end, and returns the exit code."""
    import qasync  # type: ignore[import-untyped] # it ships no types

    loop = qasync.QEventLoop(app)
    # qasync's own pool starts ten threads at once; ours starts them when there is work, and waits for none.
    workers = Workers(WORKERS)
    loop.set_default_executor(workers)
    asyncio.set_event_loop(loop)
    sys.setswitchinterval(SWITCH_AFTER_S)
    with loop, _collected_on_main(app), _signals(app):
        quit_wished = asyncio.Event()
        app.hear_wishes(quit_wished.set)
        try:
            return int(loop.run_until_complete(main(quit_wished)))
        finally:
            workers.shutdown()


@contextlib.contextmanager
def _collected_on_main(parent: QObject) -> Iterator[None]:
    """Collects garbage on this thread only, by a timer, while the block runs."""
    gc.disable()
    timer = QTimer(parent)
    timer.timeout.connect(Collector(lambda: QApplication.activeWindow() is not None).collect)
    timer.start(COLLECT_EVERY_MS)
    QTimer.singleShot(SETTLED_AFTER_MS, parent, keep_for_good)
    try:
        yield
    finally:
        timer.stop()
        gc.unfreeze()
        gc.enable()


def keep_for_good() -> None:
    """Takes what the start made, a hundred thousand objects, out of every later collection: that would cost frames."""
    gc.collect()
    gc.freeze()


def sweep() -> None:
    """Collects everything, also what was kept for good since; up to a tenth of a second, for when nobody looks."""
    gc.unfreeze()
    keep_for_good()


class Collector:
    """Collects as much as Python's own would have by now, on the thread that asks."""

    def __init__(self, is_in_use: Callable[[], bool]) -> None:
        """`is_in_use` tells whether somebody would see a frame that is late."""
        self._is_in_use = is_in_use
        self._waited = 0

    def collect(self) -> None:
        """Collects what is due; of very many new objects it waits a few times whether they go by themselves."""
        young, middle, old = gc.get_count()
        thresholds = gc.get_threshold()
        if young > MANY_AT_ONCE and self._waited < PATIENCE:
            self._waited += 1
            return
        self._waited = 0
        if young > MANY_AT_ONCE and self._is_in_use():
            gc.freeze()
        elif old > _GENERATION_1_FULL:
            keep_for_good()
        elif middle > thresholds[1]:
            gc.collect(1)
        elif young > thresholds[0]:
            gc.collect(0)


@contextlib.contextmanager
def _signals(app: Application) -> Iterator[None]:
    """Makes an interrupt or a termination signal a wish to quit, although Qt's loop runs no Python by itself."""
    if sys.platform == "win32":
        yield
        return
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    before = signal.set_wakeup_fd(theirs.fileno())
    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, app)

    def woken() -> None:
        with contextlib.suppress(OSError):
            os.read(ours.fileno(), 64)

    notifier.activated.connect(woken)
    old = {
        number: signal.signal(number, lambda *_: app.wish_to_quit())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        notifier.setEnabled(False)
        for number, handler in old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        ours.close()
        theirs.close()
