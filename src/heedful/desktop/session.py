"""From the open store to the window: puts presenters, tabs, tray and notifications together, and takes them apart.

Loaded after the tray icon is there, because it brings the whole house with it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from heedful import app as house
from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.core.events import SettingsChanged
from heedful.core.ids import ActionableId
from heedful.core.paths import Home, shipped
from heedful.core.secrets import KeyringSecrets, Secrets
from heedful.core.supervise import Cadence, Supervisor
from heedful.desktop import footprint, runtime
from heedful.desktop.ensemble import Ensemble, assemble
from heedful.desktop.notifications import OPEN, DesktopNotifications, Press
from heedful.desktop.shown_numbers import ShownNumbers
from heedful.desktop.slots import Slots
from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme
from heedful.desktop.tray import Tray
from heedful.desktop.window.frame import NO_TRAY_WORDS, IntelligenceWindow
from heedful.desktop.window.today import TodayTab
from heedful.desktop.window.welcome import WelcomePage
from heedful.presenters.items import Verb
from heedful.presenters.moods import FrameView, Mood
from heedful.presenters.toasts import Toasts
from heedful.presenters.welcome import Step, WelcomePresenter, WelcomeView
from heedful.storage import Key

log = logging.getLogger(__name__)

TELL_TIME_MS = 15_000
REST_AFTER_S = 60.0
STOP_WITHIN_S = 1.6
_VERBS = {"approve": Verb.APPROVE, "complete": Verb.DONE, "dismiss": Verb.DISMISS}


class Session:
    """One run of the desktop."""

    def __init__(
        self,
        application: QApplication,
        home: Home,
        tray: Tray,
        *,
        environment: Mapping[str, str],
        clock: Clock,
        secrets: Secrets | None = None,
        mark: str = "",
    ) -> None:
        self._application = application
        self._home = home
        self._tray = tray
        self._environment = environment
        self._clock = clock
        self._secrets = secrets or KeyringSecrets(home.name)
        self._mark = mark
        self._supervisor = Supervisor(clock)
        self.toasts = Toasts()
        self.slots = Slots(self._supervisor, self.toasts)
        self.theme = Theme("system", application)
        self.theme.apply(application)
        self.theme.changed.connect(self._paint)
        self._state = FrameView(Mood.WORKING, "Starting")
        self._was_seen = True
        self._app: house.App | None = None
        self._key: Key | None = None
        self._locked_since: datetime | None = None
        self._presenters: Ensemble | None = None
        self._window: IntelligenceWindow | None = None
        self._page: WelcomePage | None = None
        self._desk: Desk | None = None
        self._timer = QTimer(application)
        self._timer.timeout.connect(self._tell_time)
        numbers = ShownNumbers(home.data / "notifications.json")
        self.notifications = DesktopNotifications(home.name, _icon_file(), numbers, self.press, application)
        self.welcome = WelcomePresenter(home, self._secrets, self._enter, clock=clock)
        self._unwatch = self.welcome.view.watch(self._say_step)

    async def begin(self) -> None:
        """Opens the store, or asks what it must to open it."""
        await self.welcome.open()

    def raise_up(self) -> None:
        """Shows the window; builds it where there was none yet."""
        if self._window is None:
            self._window = self._built_window()
        self._window.raise_up()

    def show_without_tray(self) -> None:
        """Puts the window into the task bar: without a tray there is no other way to it."""
        if self._window is None:
            self._window = self._built_window()
            self._window.showMinimized()
            self.toasts.say(NO_TRAY_WORDS)

    def open_item(self, item_id: ActionableId) -> None:
        """Shows the window with an item in front; where the store is not open yet, the window alone."""
        self.raise_up()
        if self._window is None or self._presenters is None:
            return
        self._window.open_tab("today")
        page = self._window.page("today")
        if isinstance(page, TodayTab):
            page.reveal(item_id)

    def press(self, press: Press) -> None:
        """Does what a notification's button says, on the item as it stands now."""
        presenters, verb = self._presenters, _VERBS.get(press.verb)
        if press.verb == OPEN or presenters is None or verb is None:
            self.open_item(press.item_id)
            return
        self.slots.start(
            f"press {press.verb} {press.item_id}", lambda: presenters.today.decide(press.item_id, verb)
        )

    def look_now(self) -> None:
        """Asks for a look."""
        if self._presenters is not None:
            self.slots.call(self._presenters.frame.look_now)

    def pause_hour(self) -> None:
        """Pauses the timer for an hour."""
        frame = self._presenters.frame if self._presenters is not None else None
        if frame is not None:
            self.slots.start("pause", lambda: frame.pause_for(timedelta(hours=1)))

    def pause_until_tomorrow(self) -> None:
        """Pauses the timer until tomorrow."""
        if self._presenters is not None:
            self.slots.start("pause", self._presenters.frame.pause_until_tomorrow)

    def resume(self) -> None:
        """Ends a pause."""
        if self._presenters is not None:
            self.slots.start("resume", self._presenters.frame.resume)

    async def end(self) -> None:
        """Stops in order: what is shown lets go, loops and sources end, the writer drains, the window goes."""
        self._timer.stop()
        self._unwatch()
        if self._window is not None:
            self._window.leave()
        if self._presenters is not None:
            self._presenters.close()
        await self._supervisor.stop(within_s=0.3)
        if self._app is not None:
            try:
                await asyncio.wait_for(self._app.stop(), STOP_WITHIN_S)
            except TimeoutError:
                log.warning("the house did not stop within %.1f s", STOP_WITHIN_S)
        if self._window is not None:
            self._window.deleteLater()

    async def with_house_closed(self, work: Callable[[], object], words: str) -> None:
        """Takes the house down, does what needs its store closed, and builds it again; then says how that went.

        The window is built anew where it was to be seen.
        """
        self._timer.stop()
        place = self._window.geometry() if self._window is not None and self._window.isVisible() else None
        if self._presenters is not None:
            self._drop_window()
            self._presenters.close()
            self._presenters = None
        if self._app is not None:
            await self._app.stop()
            self._app = None
        if place is not None:
            self._window = self._built_window()
            self._window.setGeometry(place)
            self._window.show()
        failure = await self.welcome.open_again(work, self._key)
        if failure is None:
            self.toasts.say(words)
        else:
            self.toasts.fail(failure)

    def _drop_window(self) -> None:
        window, self._window, self._desk = self._window, None, None
        if window is not None:
            window.leave()
            window.deleteLater()

    async def _enter(self, key: Key | None) -> None:
        """Builds and starts the house; called again after each answer of the person's until it works."""
        app = await house.build(
            self._home,
            environment=self._environment,
            clock=self._clock,
            secrets=self._secrets,
            notifier=self.notifications,
            key=key,
        )
        try:
            await app.start()
        except HeedfulError:
            await app.stop()
            raise
        if self._locked_since is not None:
            await app.loop.tell_locked(self._locked_since)
            self._locked_since = None
        self._app, self._key = app, key
        self.theme.choose(app.settings.window.theme)
        app.bus.subscribe(SettingsChanged, lambda _: self.theme.choose(app.settings.window.theme))
        self._presenters = assemble(
            app,
            self.toasts,
            self._supervisor,
            environment=self._environment,
            with_house_closed=self.with_house_closed,
        )
        self._presenters.frame.view.watch(self._tray.say)
        self._presenters.refresh()
        self._timer.start(TELL_TIME_MS)
        self._supervisor.every(
            "footprint", self._rest, Cadence(lambda: REST_AFTER_S, first_after_s=REST_AFTER_S)
        )
        self.notifications.listen()
        if self._window is not None:
            self._move_in(self._window)
        if self._page is not None:
            self._page.leave()
            self._page = None

    def _built_window(self) -> IntelligenceWindow:
        window = IntelligenceWindow(
            self.theme,
            self.toasts,
            quit_asked=self._application.quit,
            tray_is_there=lambda: self._tray.is_there,
            mark=self._mark,
        )
        if self._presenters is None:
            self._page = WelcomePage(self.theme, self.slots, self.welcome)
            window.show_page(self._page)
            window.header.say(self._state)
        else:
            self._move_in(window)
        return window

    def _move_in(self, window: IntelligenceWindow) -> None:
        presenters = self._presenters
        if presenters is None:
            return
        self._desk = Desk(
            self.theme,
            self.slots,
            presenters.today,
            presenters.sources,
            presenters.activity,
            presenters.work,
            presenters.settings,
            presenters.matching,
            presenters.memory,
            presenters.juice,
            presenters.care,
            window.open_tab,
            window.show_page,
        )
        window.move_in(self._desk, presenters.frame.view.watch)

    def _say_step(self, view: WelcomeView) -> None:
        if view.step in (Step.OPENING, Step.OPEN) or self._presenters is not None:
            return
        if view.step is Step.UNLOCK and self._locked_since is None:
            self._locked_since = self._clock.now()
        words = "Your store is locked" if view.step is Step.UNLOCK else "Heedful needs a word from you"
        self._state = FrameView(Mood.PROBLEM, words)
        self._tray.say(self._state)
        if self._window is not None:
            self._window.header.say(self._state)

    async def _rest(self) -> None:
        """Gives the start's memory back once nobody looks, and once more after each time somebody did."""
        is_seen = self._window is not None and self._window.isVisible()
        if not is_seen and self._was_seen:
            if self._window is not None:
                runtime.sweep()
            await asyncio.to_thread(footprint.give_back)
        self._was_seen = is_seen

    def _tell_time(self) -> None:
        if self._presenters is not None:
            self._presenters.tell_time()

    def _paint(self) -> None:
        self.theme.apply(self._application)


def _icon_file() -> Path | None:
    try:
        return shipped("resources", "icons/heedful-128.png")
    except HeedfulError:
        return None
