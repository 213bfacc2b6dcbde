"""Pictures of every tab, light and dark, at 100 % and 200 %: for eyes, and for the README.

`HEEDFUL_PICTURES=folder` keeps them; `HEEDFUL_PICTURES=docs/screenshots` makes the README's anew. The data is
invented and the clock stands still, so that a picture changes only when the window does.
"""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QApplication, QWidget

from heedful.core.ids import SourceId
from heedful.desktop.theme import DARK, LIGHT, Choice
from heedful.inference import LocalServer
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


@pytest.mark.usefixtures("letters")
async def test_the_readme_shows_the_window_as_it_is(qapp: QApplication, folder: Path) -> None:
    shots = []
    for theme, tab in (("light", "today"), ("dark", "activity"), ("light", "sources")):
        stage = open_stage(qapp, "dark" if theme == "dark" else "light")
        furnish(stage)
        await stage.show(tab)
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
