"""Forgetting from the window: a message, a conversation, a person, a source; by mouse, menu and keyboard."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from heedful.core.ids import SourceId
from heedful.presenters.memory_views import EntityScope, SourceScope
from tests.desktop.memory_tab import look_up, opened
from tests.desktop.stage import Stage, button, settle, texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

INBOX = SourceScope(SourceId("Inbox.mbox"), "Inbox.mbox")


def choice(menu: QMenu | None, words: str) -> QAction:
    assert menu is not None
    return next(action for action in menu.actions() if action.text() == words)


def menu_open_in(widget: QWidget) -> QMenu:
    return next(menu for menu in widget.findChildren(QMenu) if menu.isVisible())


async def test_from_the_words_to_a_forgotten_message_by_keyboard_alone(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await look_up(tab, "launch")
    QTest.keyClick(tab.words, Qt.Key.Key_Return)
    await settle()
    QTest.keyClick(tab.results.list, Qt.Key.Key_Delete)
    await settle()
    assert tab.forgetting.keep.hasFocus()
    QTest.keyClick(tab.forgetting.keep, Qt.Key.Key_Tab)
    assert tab.forgetting.really.hasFocus()
    assert tab.forgetting.really.accessibleName() == "Forget 1 message for good"
    QTest.keyClick(tab.forgetting.really, Qt.Key.Key_Return)
    await settle()
    assert len(stage.memory.messages) == 8
    assert tab.results.list.hasFocus()
    assert "is forgotten: 1 message, 1 passage" in stage.window.toast.accessibleName()


async def test_escape_keeps_and_gives_the_keyboard_back(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await look_up(tab, "launch")
    QTest.keyClick(tab.words, Qt.Key.Key_Return)
    QTest.keyClick(tab.results.list, Qt.Key.Key_Delete)
    await settle()
    QTest.keyClick(tab.forgetting.keep, Qt.Key.Key_Escape)
    await settle()
    assert not tab.forgetting.isVisible()
    assert stage.window.isVisible()
    assert tab.results.list.hasFocus()
    assert len(stage.memory.messages) == 9


async def test_a_rows_menu_forgets_its_conversation(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "invoice")
    choice(tab.results.list.menu_at(QPoint(40, 30)), "Forget the conversation…").trigger()
    await settle()
    assert "Forget the whole conversation “Invoice HW-20931”?" in texts(tab.forgetting)
    await stage.press(tab.forgetting.really)
    assert all(message.subject != "Invoice HW-20931" for message in stage.memory.messages)


async def test_a_rows_menu_opens_by_key_and_by_pointer(stage: Stage) -> None:
    tab = await opened(stage)
    await look_up(tab, "invoice")
    tab.results.list.enter()
    for reason in (QContextMenuEvent.Reason.Keyboard, QContextMenuEvent.Reason.Mouse):
        where = QPoint(40, 30)
        asked = QContextMenuEvent(reason, where, tab.results.list.viewport().mapToGlobal(where))
        QApplication.sendEvent(tab.results.list.viewport(), asked)
        menu = menu_open_in(tab.results.list)
        assert [action.text() for action in menu.actions() if action.text()] == [
            "Open",
            "Forget this message…",
            "Forget the conversation…",
        ]
        menu.close()
        await settle()


async def test_a_source_is_forgotten_from_its_page(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.items = 3
    stage.remembered.open_scope(INBOX)
    await settle()
    assert tab.results.forget.accessibleName() == "Forget Inbox.mbox"
    await stage.press(tab.results.forget)
    assert "8 messages in 8 passages, and 3 items that stand on them." in texts(tab.forgetting)
    await stage.press(tab.forgetting.really)
    assert tab.home.isVisible()
    assert not any(words.startswith("Inbox.mbox") for words in texts(tab.home.sources))


async def test_a_person_is_forgotten_from_the_navigators_menu(stage: Stage) -> None:
    tab = await opened(stage)
    assert any(words.startswith("Ana Lopes") for words in texts(tab.home.people))
    row = tab.home.people.list.rows[0]
    choice(row.menu(), "Forget…").trigger()
    await settle()
    await stage.press(tab.forgetting.really)
    assert not any(words.startswith("Ana Lopes") for words in texts(tab.home.people))


async def test_things_are_not_forgotten_as_a_whole(stage: Stage) -> None:
    tab = await opened(stage)
    assert tab.home.things.list.rows[0].menu() is None
    stage.remembered.open_scope(EntityScope("e-hostwerk", "Hostwerk"))
    await settle()
    assert not tab.results.forget.isVisible()


async def test_a_letter_asks_about_itself_or_its_conversation(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    menu = tab.letter.forget.findChild(QMenu)
    choice(menu, "The whole conversation…").trigger()
    await settle()
    assert tab.forgetting.headline.accessibleName().startswith("Forget the whole conversation")
    await stage.press(button(tab.forgetting, "Keep"))
    assert tab.letter.isVisible()


async def test_delete_in_a_letter_asks_about_its_message(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    await stage.remembered.open_letter(stage.memory.messages[0].chunks[0].id)
    await settle()
    for place in (tab.letter.back, tab.letter.text):
        place.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(place, Qt.Key.Key_Delete)
        await settle()
        assert tab.forgetting.headline.accessibleName() == "Forget “Q1 launch: press text is final”?"
        await stage.press(tab.forgetting.keep)


async def test_while_it_is_forgotten_the_panel_says_so_and_takes_no_answer(stage: Stage) -> None:
    tab = await opened(stage)
    stage.memory.forgetting = asyncio.Event()
    await stage.remembered.ask_to_forget_scope(INBOX)
    await settle()
    await stage.press(tab.forgetting.really)
    assert tab.forgetting.headline.accessibleName() == "Forgetting “Inbox.mbox”"
    assert not tab.forgetting.really.isVisible()
    assert not tab.forgetting.keep.isVisible()
    stage.memory.forgetting.set()
    await settle()
    assert not tab.forgetting.isVisible()


@pytest.mark.parametrize("height", [420, 465, 700])
async def test_what_is_to_be_known_before_forgetting_is_whole_in_a_low_window(
    stage: Stage, height: int
) -> None:
    tab = await opened(stage)
    stage.window.resize(360, height)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    await stage.press(tab.results.forget)
    await settle()
    panel = tab.forgetting
    for words in (panel.headline, panel.goes, panel.stays):
        assert words.height() >= words.heightForWidth(words.width()) > 0
    under = panel.keep.mapTo(panel, QPoint(0, 0)).y()
    assert panel.stays.mapTo(panel, panel.stays.rect().bottomLeft()).y() < under
    assert panel.keep.mapTo(panel, panel.keep.rect().bottomLeft()).y() < panel.height()
