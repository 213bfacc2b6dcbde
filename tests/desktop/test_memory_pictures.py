"""Pictures of the Memory tab's pages, beside those of `test_pictures`: for eyes, kept by `HEEDFUL_PICTURES=folder`."""

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from heedful.core.ids import SourceId
from heedful.desktop.theme import Choice
from heedful.presenters.memory_views import EntityScope, SourceScope
from tests.desktop.memory_tab import look_up, opened
from tests.desktop.stage import Stage, open_stage, settle
from tests.desktop.test_pictures import picture

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def home(stage: Stage) -> None:
    tab = await opened(stage)
    bar = tab.home.verticalScrollBar()
    bar.setValue(bar.maximum())


async def found(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.share = 0.42
    await stage.press(tab.mode.button("meaning"))
    await look_up(tab, "launch party")


async def letter(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "launch")
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)


async def person(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    await stage.press(tab.results.profile.unfold)


async def forgetting(stage: Stage) -> None:
    await opened(stage)
    stage.memory.items = 3
    source = SourceScope(SourceId("Inbox.mbox"), "Inbox.mbox")
    stage.remembered.open_scope(source)
    await stage.remembered.ask_to_forget_scope(source)


PAGES = {page.__name__: page for page in (home, found, letter, person, forgetting)}


@pytest.mark.parametrize("scale", [1, 2], ids=["100", "200"])
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_every_page_of_the_memory_tab_is_drawn(
    qapp: QApplication, tmp_path: Path, theme: Choice, scale: int
) -> None:
    kept = os.environ.get("HEEDFUL_PICTURES")
    folder = Path(kept) if kept else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        stage = open_stage(qapp, theme)
        try:
            await page(stage)
            await settle()
            drawn = picture(stage.window, scale)
            drawn.save(str(folder / f"memory-{name}-{theme}-{scale}00.png"))
            assert drawn.size() == QSize(460, 700) * scale
        finally:
            await stage.close()
