"""Pictures of every tab, light and dark, at 100 % and 200 %: for eyes, and for the README.

`HEEDFUL_PICTURES=folder` keeps them; `HEEDFUL_PICTURES=docs/screenshots` makes the README's anew. The data is
invented and the clock stands still, so that a picture changes only when the window does.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QApplication, QWidget

from heedful.core.ids import SourceId
from heedful.desktop.theme import DARK, LIGHT, Choice
from heedful.desktop.window.activity import ActivityTab
from heedful.desktop.window.settings import SettingsTab
from heedful.desktop.window.today import TodayTab
from heedful.inference import LocalServer
from heedful.memory.background_work import Share, WorkNow
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import Pace, Verdict
from tests.desktop.stage import Stage, open_stage, settle
from tests.fakes import memories, samples

TABS = ("today", "memory", "activity", "sources", "settings")
OLLAMA = LocalServer("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("qwen2.5:1.5b",))
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kept = os.environ.get("HEEDFUL_PICTURES")
    chosen = Path(kept) if kept else tmp_path
    chosen.mkdir(parents=True, exist_ok=True)
    return chosen


@pytest.fixture
def letters(qapp: QApplication) -> None:
    """Sets the type that the design is drawn in, where it is installed."""
    if "Inter" in QFontDatabase.families():
        qapp.setFont(QFont("Inter", 10))


def furnish(stage: Stage) -> None:
    """An ordinary Tuesday morning."""
    stage.decisions.put(*samples.morning(), *samples.set_aside())
    stage.library.rows = {row.id: row for row in samples.shelves_of_sources()}
    stage.library.addresses = {own.address: own for own in samples.ADDRESSES}
    stage.library.rejected[SourceId("Inbox.mbox")] = samples.REJECTS
    stage.activity.rows = list(samples.looks())
    stage.activity.summary = samples.SUMMARY
    stage.activity.answers = {"season sale": samples.explanation()}
    stage.loop.next_look_at = samples.local(24, 10, 35)
    stage.servers.found = (OLLAMA,)
    memories.furnish(stage.memory)


def picture(widget: QWidget, scale: int) -> QImage:
    """The widget as a screen of that density shows it."""
    image = QImage(widget.size() * scale, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    widget.render(image)
    return image


@pytest.mark.parametrize("scale", [1, 2], ids=["100", "200"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.usefixtures("letters")
async def test_every_tab_is_drawn_in_its_theme(
    qapp: QApplication, folder: Path, theme: Choice, scale: int
) -> None:
    stage = open_stage(qapp, theme)
    furnish(stage)
    try:
        for tab in TABS:
            await stage.show(tab)
            drawn = picture(stage.window, scale)
            drawn.save(str(folder / f"{tab}-{theme}-{scale}00.png"))
            assert drawn.size() == QSize(460, 700) * scale
            ground = DARK.bg if theme == "dark" else LIGHT.bg
            corner = drawn.pixelColor(66 * scale, 48 * scale)
            assert corner.name() == ground.lower()
    finally:
        await stage.close()


async def unfold_work(stage: Stage) -> None:
    """Activity with its background work open."""
    away = KindWork(
        "embed", put_off=1, next_at=samples.local(24, 10, 36), reason="The server does not answer."
    )
    stage.work.state = WorkNow(
        (
            away,
            KindWork("extract_entities", failed=2, reason="It can't be read."),
            KindWork("summarise", running=1),
        ),
        Verdict(Pace.SLOW, "On battery, at 60 %."),
        Share(1_204, 3_980),
    )
    await stage.show("activity")
    page = stage.window.page("activity")
    assert isinstance(page, ActivityTab)
    await stage.press(page.work.head)


async def ask_for_consent(stage: Stage) -> None:
    """Settings with the question before an embedding server is used."""
    await stage.show("settings")
    await stage.matching.choose("openai_compatible")
    typed = replace(
        stage.matching.view.value.form, base_url="https://vectors.example/v1", model="nomic-embed-text"
    )
    stage.matching.edit(typed)
    await stage.matching.steps.use()
    page = stage.window.page("settings")
    assert isinstance(page, SettingsTab)
    await settle()
    page.ensureWidgetVisible(page.matching.steps.consent)


async def open_care(stage: Stage) -> None:
    """The page of the memory's care."""
    await stage.show("settings")
    page = stage.window.page("settings")
    assert isinstance(page, SettingsTab)
    await stage.press(page.care.open)


async def filter_today(stage: Stage) -> None:
    """Today narrowed to one card."""
    await stage.show("today")
    page = stage.window.page("today")
    assert isinstance(page, TodayTab)
    page.seek("slides")
    while stage.today.view.value.sought != "slides":
        await settle(1)


UNFOLDED = {
    "activity-work": unfold_work,
    "settings-consent": ask_for_consent,
    "care": open_care,
    "today-filter": filter_today,
}


@pytest.mark.parametrize("scale", [1, 2], ids=["100", "200"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.usefixtures("letters")
async def test_what_unfolds_is_drawn_in_its_theme(
    qapp: QApplication, folder: Path, theme: Choice, scale: int
) -> None:
    for name, unfold in UNFOLDED.items():
        stage = open_stage(qapp, theme)
        furnish(stage)
        try:
            await unfold(stage)
            await settle()
            drawn = picture(stage.window, scale)
            drawn.save(str(folder / f"{name}-{theme}-{scale}00.png"))
            ground = DARK.bg if theme == "dark" else LIGHT.bg
            assert drawn.pixelColor(66 * scale, 48 * scale).name() == ground.lower()
        finally:
            await stage.close()


@pytest.mark.usefixtures("letters")
async def test_the_readme_shows_the_window_as_it_is(qapp: QApplication, folder: Path) -> None:
    shots = []
    for theme, tab in (("light", "today"), ("dark", "memory"), ("light", "activity")):
        stage = open_stage(qapp, "dark" if theme == "dark" else "light")
        furnish(stage)
        await stage.show(tab)
        if tab == "memory":
            stage.remembered.ask("launch")
            await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
        if tab == "activity":
            await stage.looks.ask_why("season sale")
        if tab == "today":
            stage.toasts.say("“Renew passport” snoozed until tomorrow 08:00", undo=samples.set_aside()[0].id)
        await settle()
        shots.append(picture(stage.window, 2))
        await stage.close()
    sheet = beside_each_other(shots)
    assert sheet.save(str(folder / "window.png"))
    assert sheet.width() > 3 * 460 * 2


def beside_each_other(shots: list[QImage]) -> QImage:
    """Pictures in a row with rounded corners, on a grey desk."""
    gap, side = 24, QSize(460, 700)
    width = gap + (side.width() + gap) * len(shots)
    sheet = QImage(QSize(width, side.height() + 2 * gap) * 2, QImage.Format.Format_RGB32)
    sheet.setDevicePixelRatio(2)
    sheet.fill(QColor("#CFD3D8"))
    painter = QPainter(sheet)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, shot in enumerate(shots):
        corner = QPoint(gap + place * (side.width() + gap), gap)
        window = QPainterPath()
        window.addRoundedRect(QRectF(corner, side), 10, 10)
        painter.setClipPath(window)
        painter.drawImage(corner, shot)
    painter.end()
    return sheet
