"""The window on a stage: every presenter on fake services, every tab real, the clock standing still."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from heedful.core.bus import Bus
from heedful.core.supervise import Supervisor
from heedful.desktop.slots import Slots
from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Choice, Theme
from heedful.desktop.window.frame import IntelligenceWindow
from heedful.presenters.activity import ActivityPresenter
from heedful.presenters.background_work import BackgroundWorkPresenter
from heedful.presenters.care import CarePresenter
from heedful.presenters.frame import FramePresenter
from heedful.presenters.juice import JuicePresenter
from heedful.presenters.matching import MatchingPresenter
from heedful.presenters.memory import MemoryPresenter
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.settings import SettingsPresenter
from heedful.presenters.sources import SourcesPresenter
from heedful.presenters.toasts import Toasts
from heedful.presenters.today import TodayPresenter
from heedful.tokenjuice import RuleBook
from tests.fakes import samples
from tests.fakes.care import FakeCare, FakeHouse, FakeOpener
from tests.fakes.clock import FakeClock
from tests.fakes.embedding_servers import FakeEmbeddingServers
from tests.fakes.memories import FakeMemory
from tests.fakes.services import (
    FakeActivity,
    FakeDecisions,
    FakeEgress,
    FakeLibrary,
    FakeLoop,
    FakeSavings,
    FakeSecrets,
    FakeServers,
    FakeSettings,
    FakeWork,
)

W = TypeVar("W", bound=QWidget)


@dataclass(slots=True)
class Stage:
    """Everything a test of the window may touch."""

    app: QApplication
    clock: FakeClock
    bus: Bus
    supervisor: Supervisor
    toasts: Toasts
    theme: Theme
    decisions: FakeDecisions
    library: FakeLibrary
    activity: FakeActivity
    loop: FakeLoop
    settings: FakeSettings
    egress: FakeEgress
    servers: FakeServers
    secrets: FakeSecrets
    savings: FakeSavings
    work: FakeWork
    embedding_servers: FakeEmbeddingServers
    care_service: FakeCare
    opener: FakeOpener
    open_items: OpenItemsPresenter
    today: TodayPresenter
    sources: SourcesPresenter
    looks: ActivityPresenter
    choices: SettingsPresenter
    memory: FakeMemory
    remembered: MemoryPresenter
    juice: JuicePresenter
    jobs: BackgroundWorkPresenter
    matching: MatchingPresenter
    care: CarePresenter
    frame: FramePresenter
    window: IntelligenceWindow
    desk: Desk
    quits: list[None] = field(default_factory=list)
    tray_is_there: bool = True

    async def show(self, tab: str = "today") -> None:
        """Loads everything, and shows the window with a tab in front."""
        for presenter in (self.today, self.sources, self.looks, self.choices, self.frame):
            presenter.refresh()
        self.window.open_tab(tab)
        self.window.show()
        await settle()

    async def press(self, button: QAbstractButton) -> None:
        """Presses a button with the mouse, and waits for what follows."""
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await settle()

    async def close(self) -> None:
        """Takes everything down; nothing may be left running."""
        self.window.leave()
        for presenter in (
            self.frame,
            self.juice,
            self.jobs,
            self.matching,
            self.care,
            self.remembered,
            self.choices,
            self.looks,
            self.sources,
            self.today,
            self.open_items,
        ):
            presenter.close()
        await self.supervisor.stop()
        self.window.deleteLater()
        self.theme.deleteLater()
        await settle()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def open_stage(
    app: QApplication, theme: Choice = "light", *, rules: Path = Path("nowhere", "rules")
) -> Stage:
    """A window with nothing in it yet, not shown; `rules` is the folder of the person's own rules."""
    clock = FakeClock(samples.NOW, samples.ZONE)
    bus, toasts = Bus(), Toasts()
    supervisor = Supervisor(clock)
    decisions, library = FakeDecisions(bus, clock), FakeLibrary(bus, clock)
    activity, loop, settings = FakeActivity(), FakeLoop(), FakeSettings(bus)
    egress, servers, secrets, savings = FakeEgress(), FakeServers(), FakeSecrets(), FakeSavings()
    open_items = OpenItemsPresenter(decisions, toasts, bus, clock=clock, supervisor=supervisor)
    today = TodayPresenter(
        open_items, decisions, library, activity, bus=bus, clock=clock, supervisor=supervisor
    )
    sources = SourcesPresenter(library, loop, toasts, bus=bus, clock=clock, supervisor=supervisor)
    looks = ActivityPresenter(activity, loop, bus=bus, clock=clock, supervisor=supervisor)
    choices = SettingsPresenter(
        settings, secrets, egress, servers, toasts, environment={}, bus=bus, supervisor=supervisor
    )
    book = RuleBook(user_folders=[rules])
    juice = JuicePresenter(book, savings, toasts, own_folder=rules, clock=clock, supervisor=supervisor)
    work = FakeWork()
    jobs = BackgroundWorkPresenter(work, toasts, clock=clock, supervisor=supervisor)
    embedders = FakeEmbeddingServers()
    matching = MatchingPresenter(
        settings, secrets, egress, embedders, library, toasts, bus=bus, supervisor=supervisor
    )
    kept, opener = FakeCare(), FakeOpener()
    care = CarePresenter(
        kept, opener, decisions, library, toasts,
        with_house_closed=FakeHouse().with_house_closed, clock=clock, supervisor=supervisor,
    )  # fmt: skip
    frame = FramePresenter(open_items, library, loop, activity, bus=bus, clock=clock, supervisor=supervisor)
    memory = FakeMemory()
    remembered = MemoryPresenter(memory, memory.forget, toasts, bus=bus, clock=clock, supervisor=supervisor)
    colours = Theme(theme)
    colours.apply(app)
    slots = Slots(supervisor, toasts)
    quits: list[None] = []
    stage: Stage
    window = IntelligenceWindow(
        colours, toasts, quit_asked=lambda: quits.append(None), tray_is_there=lambda: stage.tray_is_there
    )
    desk = Desk(
        colours,
        slots,
        today,
        sources,
        looks,
        jobs,
        choices,
        matching,
        remembered,
        juice,
        care,
        window.open_tab,
        window.show_page,
    )
    window.move_in(desk, frame.view.watch)
    stage = Stage(
        app, clock, bus, supervisor, toasts, colours, decisions, library, activity, loop, settings, egress, servers,
        secrets, savings, work, embedders, kept, opener, open_items, today, sources, looks, choices, memory, remembered,
        juice, jobs, matching, care, frame, window, desk, quits,
    )  # fmt: skip
    return stage


async def settle(turns: int = 30) -> None:
    """Lets tasks and Qt events run until both have nothing left to do, as far as that can be told."""
    for _ in range(turns):
        await asyncio.sleep(0)
        QApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def button(within: QWidget, words: str) -> QAbstractButton:
    """The visible button whose accessible name or text begins with these words."""
    for found in within.findChildren(QAbstractButton):
        if found.isVisible() and (found.accessibleName().startswith(words) or found.text().startswith(words)):
            return found
    raise AssertionError(f"no button says {words!r}")


def texts(within: QWidget) -> list[str]:
    """Every accessible name that can be seen, in no particular order."""
    return [
        found.accessibleName()
        for found in within.findChildren(QWidget)
        if found.isVisible() and found.accessibleName()
    ]
