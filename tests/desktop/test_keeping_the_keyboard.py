"""Whoever walks by keyboard stays where they pressed, or arrives where the press led."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from heedful.core.events import SourceProgressed
from heedful.core.ids import SourceId
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.window.care_page import CarePage
from heedful.desktop.window.matching_box import MatchingBox
from heedful.desktop.window.settings import SettingsTab
from heedful.desktop.window.sources import SourceCard
from tests.desktop.stage import Stage, settle
from tests.fakes import memories, samples

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

SERVER = "http://127.0.0.1:8080/v1"


async def press(one: QWidget) -> QWidget | None:
    """Presses it by keyboard, and tells who has the keyboard afterwards."""
    one.setFocus(Qt.FocusReason.TabFocusReason)
    assert one.hasFocus(), one.accessibleName()
    QTest.keyClick(one, Qt.Key.Key_Space)
    await settle()
    return QApplication.focusWidget()


async def settings(stage: Stage) -> SettingsTab:
    await stage.show("settings")
    stage.window.activateWindow()
    page = stage.window.page("settings")
    assert isinstance(page, SettingsTab)
    return page


async def care(stage: Stage) -> CarePage:
    tab = await settings(stage)
    await stage.press(tab.care.open)
    assert tab.care.page is not None
    return tab.care.page


async def server(stage: Stage) -> MatchingBox:
    """The fields of an embedding server, filled in."""
    box = (await settings(stage)).matching
    at = box.choice.findData("openai_compatible")
    box.choice.setCurrentIndex(at)
    box.choice.activated.emit(at)
    await settle()
    for field, words in ((box.fields.address, SERVER), (box.fields.key, "sk-invented")):
        field.setText(words)
        field.editingFinished.emit()
    box.fields.model.setEditText("nomic-embed-text")
    box.fields.model.activated.emit(0)
    await settle()
    return box


async def test_a_backup_a_check_and_an_export_leave_the_keyboard_where_it_was(stage: Stage) -> None:
    page = await care(stage)
    for one in (page.back_up, page.check):
        assert await press(one) is one
        assert one.is_live
    page.export.setFocus(Qt.FocusReason.TabFocusReason)
    page.export_into(Path("/notes"))
    await settle()
    assert page.export.hasFocus()


async def test_a_question_about_a_backup_takes_the_keyboard_and_gives_it_back(stage: Stage) -> None:
    page = await care(stage)
    row = page.backups.widgets[0]
    assert await press(row.restore) is row.keep
    assert await press(row.keep) is row.restore


async def test_every_step_to_a_server_keeps_the_keyboard_at_the_steps(stage: Stage) -> None:
    box = await server(stage)
    steps = box.steps
    assert await press(steps.use) is steps.use
    assert await press(steps.consent.agree) is steps.test
    assert await press(steps.test) is steps.test
    assert await press(steps.withdraw) is steps.test
    assert await press(steps.forget_key) is steps.test
    assert await press(steps.test) is steps.test
    assert await press(steps.consent.decline) is steps.test


async def test_what_is_not_allowed_any_more_does_nothing_and_leaves_with_the_keyboard(stage: Stage) -> None:
    box = await server(stage)
    steps = box.steps
    await press(steps.use)
    await press(steps.consent.agree)
    stage.matching.edit(stage.matching.view.value.form)
    steps.test.setFocus(Qt.FocusReason.TabFocusReason)
    assert not steps.use.isEnabled()
    pressed: list[bool] = []
    steps.test.allow(allowed=False)
    steps.test.clicked.connect(pressed.append)
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Return):
        QTest.keyClick(steps.test, key)
    QTest.mouseClick(steps.test, Qt.MouseButton.LeftButton)
    assert (pressed, steps.test.hasFocus()) == ([], True)
    box.choice.setFocus()
    assert not steps.test.isEnabled()


async def test_a_source_that_is_read_keeps_the_keyboard_at_the_button_that_was_pressed(stage: Stage) -> None:
    stage.library.rows = {row.id: row for row in samples.shelves_of_sources()}
    await stage.show("sources")
    stage.window.activateWindow()
    card = next(one for one in stage.window.findChildren(SourceCard) if "Inbox.mbox" in one.accessibleName())
    stage.library.gate = asyncio.Event()
    assert await press(card.read) is card.read
    stage.bus.publish([SourceProgressed(SourceId("Inbox.mbox"), 1_204, 3_980, 0)])
    await settle()
    assert card.status.accessibleName() == "reading"
    assert QApplication.focusWidget() is card.read
    assert not card.read.is_live
    stage.library.gate.set()
    await settle()
    assert card.read.is_live


@pytest.mark.parametrize("name", ["memory", "settings"])
async def test_no_press_in_a_tab_throws_the_keyboard_to_another_control(stage: Stage, name: str) -> None:
    memories.furnish(stage.memory)
    await stage.show(name)
    stage.window.activateWindow()
    page = stage.window.page(name)
    found = [one for one in page.findChildren(Pressable) if one.isVisible() and one.isEnabled()]
    assert len(found) > 5
    for one in found:
        if not one.isVisible() or not one.isEnabled():
            continue
        words = one.accessibleName()
        after = await press(one)
        if one.isVisible():
            assert after is one, f"{words} threw to {after and after.accessibleName()}"
        else:
            front = stage.window.stack.currentWidget()
            assert front is not None
            assert after is not None, words
            assert front.isAncestorOf(after), f"{words} left the keyboard behind"
        stage.window.open_tab(name)
        while stage.remembered.view.value.page != "home":
            stage.remembered.back()
            await settle()
