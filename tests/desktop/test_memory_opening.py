"""The Memory tab is built in pieces: what is seen first at once, the rest in turns of its own."""

import asyncio
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heedful.core.errors import UserCanFixError
from heedful.desktop.widgets.forget_panel import ForgetPanel
from heedful.desktop.widgets.reading_pane import ReadingPane
from heedful.desktop.window.memory_home import HomePage, PlaceSection
from heedful.desktop.window.memory_results import ResultsPage
from tests.desktop.memory_tab import opened
from tests.desktop.stage import Stage, button, settle, texts
from tests.fakes import memories

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LATER = (HomePage, ResultsPage, ReadingPane, ForgetPanel)


async def test_what_is_not_seen_first_is_not_built_at_once(stage: Stage) -> None:
    memories.furnish(stage.memory)
    stage.window.show()
    stage.window.open_tab("memory")
    tab = stage.window.page("memory")
    assert [kind.__name__ for kind in LATER if tab.findChildren(kind)] == []
    assert "Loading" in texts(tab)


async def test_no_question_before_forgetting_is_built_until_one_is_asked(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    assert not tab.findChildren(ForgetPanel)
    await stage.remembered.ask_to_forget_letter(whole_thread=False)
    await settle()
    assert tab.findChildren(ForgetPanel) == [tab.forgetting]
    assert tab.forgetting.keep.hasFocus()
    tab.mode.button("meaning").setFocus()
    QTest.keyClick(tab.mode.button("meaning"), Qt.Key.Key_Tab)
    assert tab.forgetting.keep.hasFocus()


async def test_the_navigator_comes_filled_and_from_top_to_bottom(stage: Stage) -> None:
    memories.furnish(stage.memory)
    stage.window.resize(460, 3_000)
    stage.window.show()
    stage.window.open_tab("memory")
    tab = stage.window.page("memory")
    seen: list[list[str]] = []
    for _ in range(40):
        await asyncio.sleep(0)
        QApplication.processEvents()
        for section in tab.findChildren(PlaceSection):
            assert section.list.rows or not section.isVisible()
        homes = [home for home in tab.findChildren(HomePage) if home.isVisible()]
        assert bool(homes) != ("Loading" in texts(tab))
        for home in homes:
            parts = {
                "days": home.days,
                "year": home.year,
                "people": home.people,
                "same": home.same,
                "things": home.things,
                "sources": home.sources,
            }
            there = [name for name, part in parts.items() if part.isVisible()]
            if not seen or seen[-1] != there:
                seen.append(there)
    every = ["days", "year", "people", "same", "things", "sources"]
    assert seen == [every[:number] for number in range(1, 7)]


async def test_the_keyboard_is_not_lost_when_trouble_gives_way_to_the_navigator(stage: Stage) -> None:
    stage.memory.failure = UserCanFixError(
        "The store can't be read", "Another program holds it.", "Close it."
    )
    await stage.show("memory")
    stage.window.activateWindow()
    again = button(stage.window, "Try again")
    again.setFocus()
    memories.furnish(stage.memory)
    stage.memory.failure = None
    QTest.keyClick(again, Qt.Key.Key_Return)
    await settle()
    assert "Ana Lopes, 214 passages" in texts(stage.window)
    here = QApplication.focusWidget()
    assert here is not None
    assert stage.window.page("memory").isAncestorOf(here)


def test_what_scrolls_makes_the_binding_set_up_no_class_that_nobody_uses() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SCROLLS], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split() == ["False", "True"]


_SCROLLS = """
from PySide6 import QtWidgets
from PySide6.QtWidgets import QApplication, QScrollArea
from heedful.desktop.theme import Theme
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.reading_pane import LetterText
from heedful.desktop.widgets.result_list import Choices, ResultList
app = QApplication([])
column = ScrollColumn()
rows = ResultList(Theme("light"), Choices(None, None, None))
letter = LetterText(Theme("light"), None, None)
letter.show()
app.processEvents()
column.viewport().update()
rows.viewport().update()
print("QWizard" in vars(QtWidgets))
QScrollArea().viewport()
print("QWizard" in vars(QtWidgets))
"""
