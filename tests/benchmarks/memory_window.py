"""Holds the window's thread to a frame at 100,000 passages: the Memory tab as a person drives it, on a real store.

`python -m tests.benchmarks.memory_window FOLDER COUNT [DATA]` reads COUNT messages into a store in FOLDER, or takes
the store that is there, drives the tab, and prints one line of JSON for each activity. Qt and asyncio run as they do
in the program. A beat of a millisecond goes through the event loop; the time between two beats is how long the
window could neither draw nor hear a key. `wall` is all of it, and tells of the program only where nothing else runs;
`worked` is the part in which this thread itself computed: the rest it waited, for another of ours or of others.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from heedful.app import App, build
from heedful.core.ids import random_id
from heedful.core.paths import home_at
from heedful.core.supervise import Supervisor
from heedful.desktop.ensemble import Ensemble, assemble
from heedful.desktop.runtime import SETTLED_AFTER_MS, Application, run_on_qt
from heedful.desktop.slots import Slots
from heedful.desktop.tabs import Desk
from heedful.desktop.theme import Theme
from heedful.desktop.window.frame import IntelligenceWindow
from heedful.desktop.window.memory import MemoryTab
from heedful.memory.work.kind import Tools
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.presenters.memory_views import MemoryView
from heedful.presenters.toasts import Toasts
from heedful.storage import Key, KeyKind
from tests.benchmarks.kept import is_whole, mark_whole
from tests.benchmarks.letters import write_letters

KEY = Key(KeyKind.PASSPHRASE, "5a" * 32)
BESIDE = ("typing while a mailbox is read",)
"""What shares the machine with other work of ours, which two processors can't always tell from a stall."""
STAGES = ("extract_entities", "embed")
MORE = 3_000
BEAT_MS = 1
FIRST_BEATS_S = 0.02
"""The pulse beats before an activity begins, so that what it does at once is counted."""
BETWEEN_KEYS_S = 0.07
FRAME_S = 0.016
WITHIN_S = 20.0
QUESTIONS = ("network card", "kernel panic on boot", "how to mount the disk", "driver")


@dataclass(slots=True)
class Pulse:
    """The beats of one activity: the time between each two, in seconds on the wall and of this thread's own work."""

    gaps: list[tuple[float, float]] = field(default_factory=list)
    _last: tuple[float, float] | None = None

    def beat(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        if self._last is not None:
            self.gaps.append((now[0] - self._last[0], now[1] - self._last[1]))
        self._last = now

    def begin(self) -> None:
        """Forgets what was before."""
        self.gaps, self._last = [], None

    def told(self, activity: str) -> str:
        """The activity's line."""
        walls = [wall for wall, _ in self.gaps]
        told = {
            "activity": activity,
            "beside": activity in BESIDE,
            "wall_ms": round(max(walls) * 1000, 1),
            "worked_ms": round(max(worked for _, worked in self.gaps) * 1000, 1),
            "late": sum(wall > FRAME_S for wall in walls),
            "beats": len(walls),
        }
        return json.dumps(told)


@dataclass(slots=True)
class Driver:
    """A hand on the keyboard and the mouse."""

    app: App
    presenters: Ensemble
    window: IntelligenceWindow
    more: Path

    @property
    def tab(self) -> MemoryTab:
        page = self.window.page("memory")
        if not isinstance(page, MemoryTab):
            raise TypeError("the Memory tab is not where it was")
        return page

    @property
    def view(self) -> MemoryView:
        return self.presenters.memory.view.value

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Waits for what was asked for."""
        async with asyncio.timeout(WITHIN_S):
            while not is_so():  # noqa: ASYNC110 (what is waited for is a view, which tells nobody that it is done)
                await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)

    async def found(self) -> None:
        await asyncio.sleep(0.2)
        await self.until(lambda: self.view.results.stage != "searching")

    async def type(self, words: str) -> None:
        for letter in words:
            QTest.keyClicks(self.tab.words, letter)
            await asyncio.sleep(BETWEEN_KEYS_S)
        await self.found()

    async def clear(self) -> None:
        self.tab.words.clear()
        while self.view.page != "home":
            self.presenters.memory.back()
        await asyncio.sleep(0.1)

    async def open_tab(self) -> None:
        self.window.open_tab("memory")
        await self.until(lambda: self.view.home.stage == "ready")

    async def navigator(self) -> None:
        """Down the navigator, and into everything it names."""
        home = self.view.home
        bar = self.tab.home.verticalScrollBar()
        await self._wheel(self.tab.home.viewport(), bar, most=60)
        things = [place for kind in home.things for place in kind.places]
        for place in (*home.sources, *home.people, *things, *home.days):
            self.presenters.memory.open_scope(place.scope)
            await self.found()
            self.presenters.memory.back()
            await asyncio.sleep(0.05)

    async def search(self) -> None:
        """Three questions letter by letter, each taken back."""
        for question in QUESTIONS:
            await self.type(question)
            await self.clear()

    async def by_meaning(self) -> None:
        self.presenters.memory.choose("meaning")
        await self.search()
        self.presenters.memory.choose("exact")

    async def switch(self) -> None:
        """To and fro between the two ways of looking up."""
        await self.type("sound card")
        for name in ("meaning", "exact") * 4:
            QTest.mouseClick(self.tab.mode.button(name), Qt.MouseButton.LeftButton)
            await self.found()
        await self.clear()

    async def scroll(self) -> None:
        """A source's passages, page after page, as fast as a wheel turns."""
        self.presenters.memory.open_scope(self.view.home.sources[0].scope)
        await self.found()
        listed = self.tab.results.list
        await self._wheel(listed.viewport(), listed.verticalScrollBar(), most=900)
        await self.clear()

    async def letters(self) -> None:
        """Opens and leaves a dozen letters, the longest among them."""
        await self.type("error")
        rows = [row for group in self.view.results.groups for row in group.members]
        for row in random.Random(3).sample(rows, min(12, len(rows))):
            await self.presenters.memory.open_letter(row.chunk_id)
            await asyncio.sleep(0.1)
            self.presenters.memory.back()
            await asyncio.sleep(0.05)
        await self.clear()
        await self.type("chronicle")
        first = self.view.results.groups[0].members[0]
        await self.presenters.memory.open_letter(first.chunk_id)
        for _ in range(6):
            self.presenters.memory.unfold(earlier=False)
            await asyncio.sleep(0.05)
        bar = self.tab.letter.area.verticalScrollBar()
        await self._wheel(self.tab.letter.area.viewport(), bar, most=60)
        await self.clear()

    async def while_reading(self) -> None:
        """The same search while another mailbox is read in."""
        source = await self.app.library.add(self.more, name="More", watched=False)
        reading = asyncio.ensure_future(self.app.library.sync(source))
        while not reading.done():
            await self.type("network card")
            await self.clear()
        await reading

    async def resize(self) -> None:
        """The window drawn wider and back, over the navigator, a list and a letter."""
        await self._breathe()
        await self.type("error")
        await self._breathe()
        await self.presenters.memory.open_letter(self.view.results.groups[0].members[0].chunk_id)
        await self._breathe()
        await self.clear()

    async def _breathe(self) -> None:
        for width in (*range(460, 1000, 30), *range(1000, 459, -30)):
            self.window.resize(width, 700 + width // 20)
            await asyncio.sleep(0.016)

    async def _wheel(self, over: QWidget, bar: QScrollBar, *, most: int) -> None:
        for _ in range(most):
            turn_wheel(over)
            await asyncio.sleep(0.008)
            if bar.value() >= bar.maximum():
                await asyncio.sleep(0.1)
                if bar.value() >= bar.maximum():
                    break


def turn_wheel(over: QWidget) -> None:
    """One notch down."""
    middle = QPointF(over.rect().center())
    nothing, notch = QPoint(), QPoint(0, -120)
    event = QWheelEvent(
        middle, over.mapToGlobal(middle), nothing, notch, Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(over, event)


def write_more(folder: Path, data: Path | None, *, now: datetime) -> None:
    """A mailbox of a stamp of its own, to be read in while the window is used."""
    inside = folder / f"more {now.timestamp():.0f}"
    inside.mkdir()
    mail, *_ = write_letters(inside, MORE, data, now=now, with_book=False)
    mail.replace(folder / "More.messages.jsonl")


async def furnished(folder: Path, number: int, data: Path | None) -> None:
    """A store in the folder with so many passages, their people and things, and their vectors."""
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    try:
        for file in write_letters(folder, number, data, now=app.clock.now()):
            source = await app.library.add(file, name=file.name.split(".")[0], watched=False)
            await app.library.sync(source)
        kinds = {name: kind for name, kind in job_kinds().items() if name in STAGES}
        await Worker(Tools(app.store, app.clock, random_id, meaning=app.meaning), lambda: kinds).settle()
    finally:
        await app.stop()


async def stays_open(work: Callable[[], object], words: str) -> None:
    """Nothing here needs the house closed."""
    raise AssertionError(f"{work} was to be done: {words}")


async def drive(folder: Path) -> None:
    """Drives the tab, and prints what each activity came to."""
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    supervisor, toasts = Supervisor(app.clock), Toasts()
    theme = Theme("light")
    presenters = assemble(app, toasts, supervisor, environment={}, with_house_closed=stays_open)
    window = IntelligenceWindow(theme, toasts, quit_asked=lambda: None, tray_is_there=lambda: True)
    shared = {
        one.name: getattr(presenters, one.name) for one in fields(Desk) if hasattr(presenters, one.name)
    }
    desk = Desk(
        theme=theme,
        slots=Slots(supervisor, toasts),
        open_tab=window.open_tab,
        show_page=window.show_page,
        **shared,
    )
    window.move_in(desk, presenters.frame.view.watch)
    window.resize(460, 700)
    window.show()
    await asyncio.sleep(0.5)
    presenters.refresh()
    await asyncio.sleep(SETTLED_AFTER_MS / 1000 + 1)
    driver = Driver(app, presenters, window, folder / "More.messages.jsonl")
    pulse = Pulse()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(pulse.beat)
    timer.start(BEAT_MS)
    activities: dict[str, Callable[[], Awaitable[None]]] = {
        "opening the tab": driver.open_tab,
        "walking through the navigator": driver.navigator,
        "typing a search, exact": driver.search,
        "typing a search, by meaning": driver.by_meaning,
        "switching exact and by meaning": driver.switch,
        "scrolling a source's passages": driver.scroll,
        "opening and unfolding letters": driver.letters,
        "resizing the window": driver.resize,
        "typing while a mailbox is read": driver.while_reading,
    }
    for name, activity in activities.items():
        pulse.begin()
        await asyncio.sleep(FIRST_BEATS_S)
        await activity()
        sys.stdout.write(pulse.told(name) + "\n")
        sys.stdout.flush()
    timer.stop()
    window.leave()
    presenters.close()
    await supervisor.stop()
    await app.stop()
    window.deleteLater()


async def main(folder: Path, number: int, data: Path | None) -> int:
    """Furnishes where nothing is there, then drives."""
    if not is_whole(folder):
        await furnished(folder, number, data)
        mark_whole(folder)
    write_more(folder, data, now=datetime.now(UTC))
    await drive(folder)
    return 0


if __name__ == "__main__":
    _folder, _number, *_data = sys.argv[1:]
    sys.exit(
        run_on_qt(
            Application([]),
            lambda _: main(Path(_folder), int(_number), Path(_data[0]) if _data else None),
        )
    )
