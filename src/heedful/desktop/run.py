"""The desktop program: the tray first, then everything else behind it."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from heedful.core.clock import Clock, SystemClock
from heedful.core.ids import ActionableId
from heedful.core.logs import log_to, stop_logging
from heedful.core.paths import Home
from heedful.desktop.probe import require_screen
from heedful.desktop.runtime import Application, run_on_qt
from heedful.desktop.single_instance import SingleInstance
from heedful.desktop.tray import Tray, TrayActions
from heedful.desktop.tray_icons import app_icon

if TYPE_CHECKING:
    from heedful.desktop.session import Session

DEMO_MARK = "sample data"


class _Front:
    """What the tray and other starts reach: the session once it is there, until then only a wish for the window."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.session: Session | None = None
        self.window_wished = False

    def open_window(self) -> None:
        self.window_wished = True
        if self.session is not None:
            self.session.raise_up()

    def open_item(self, item_id: ActionableId) -> None:
        if self.session is not None:
            self.session.open_item(item_id)

    def look_now(self) -> None:
        if self.session is not None:
            self.session.look_now()

    def pause_hour(self) -> None:
        if self.session is not None:
            self.session.pause_hour()

    def pause_until_tomorrow(self) -> None:
        if self.session is not None:
            self.session.pause_until_tomorrow()

    def resume(self) -> None:
        if self.session is not None:
            self.session.resume()

    def show_without_tray(self) -> None:
        if self.session is not None:
            self.session.show_without_tray()

    def actions(self) -> TrayActions:
        return TrayActions(
            open_window=self.open_window,
            open_item=self.open_item,
            look_now=self.look_now,
            pause_hour=self.pause_hour,
            pause_until_tomorrow=self.pause_until_tomorrow,
            resume=self.resume,
            quit=self.application.wish_to_quit,
            no_tray=self.show_without_tray,
        )


def run_desktop(
    home: Home,
    *,
    environment: Mapping[str, str],
    demo: bool = False,
    background: bool = False,
    clock: Clock | None = None,
) -> int:
    """Runs until the person quits; returns the exit code.

    A second start for the same home shows the first one's window and returns at once. `background` starts without
    a window, `demo` says in the header that what is seen is made up.

    Raises:
        UserCanFixError: There is no screen to show anything on.
    """
    require_screen(environment)
    application = Application(["heedful"])
    application.setWindowIcon(app_icon())
    front = _Front(application)
    front.window_wished = not background
    door = SingleInstance(home.name, front.open_window, application)
    if not door.claim():
        return 0
    tray = Tray(front.actions(), application)
    time = clock or SystemClock()
    log = log_to(home.logs)

    async def main(quit_wished: asyncio.Event) -> int:
        session_type = await asyncio.to_thread(_load_session)
        session = session_type(
            application, home, tray, environment=environment, clock=time, mark=DEMO_MARK if demo else ""
        )
        front.session = session
        if front.window_wished:
            session.raise_up()
        try:
            await _until(quit_wished, session)
        finally:
            front.session = None
            door.leave()
            tray.leave()
            await session.end()
        return 0

    try:
        return run_on_qt(application, main)
    finally:
        stop_logging(log)


async def _until(quit_wished: asyncio.Event, session: "Session") -> None:
    """Begins the session, and waits for the wish to quit, which may come before it has begun."""
    session.slots.start("begin", session.begin)
    await quit_wished.wait()


def _load_session() -> "type[Session]":
    """Loads the house, in a worker thread, so that the tray answers meanwhile."""
    from heedful.desktop.session import Session

    return Session
