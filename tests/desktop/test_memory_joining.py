"""«Same person as…» on a person's page, with the mouse and with the keyboard alone."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heedful.desktop.widgets.join_person import JoinPanel
from heedful.desktop.window.memory import MemoryTab
from heedful.presenters.memory_views import EntityScope
from tests.desktop.memory_tab import opened
from tests.desktop.stage import Stage, settle, texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

JONAS = EntityScope("e-jonas brandt", "Jonas Brandt")
MERGED = [("merge", "e-jonas brandt", "e-marta reis")]


async def at(stage: Stage, scope: EntityScope) -> MemoryTab:
    tab = await opened(stage)
    stage.window.activateWindow()
    stage.remembered.open_scope(scope)
    await settle()
    return tab


async def looking(stage: Stage) -> tuple[MemoryTab, JoinPanel]:
    tab = await at(stage, JONAS)
    await stage.press(tab.results.same)
    panel = tab.results.joining
    assert panel is not None
    return tab, panel


async def press(key: Qt.Key) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key)
    await settle()


async def test_two_whom_nothing_speaks_for_are_made_one_and_undo_takes_it_back(stage: Stage) -> None:
    _, panel = await looking(stage)
    assert "J. Brandt, j.brandt@post.example · almost the same name, 4 passages" in texts(panel)
    QTest.keyClicks(panel.field, "marta r")
    await settle()
    assert [row.one.name for row in panel.rows] == ["Marta Reis"]
    await stage.press(panel.rows[0])
    assert "Jonas Brandt and Marta Reis become one person?" in texts(panel)
    assert any("parts them again" in said for said in texts(panel))
    await stage.press(panel.yes)
    assert stage.memory.identities.said == MERGED
    assert not panel.isVisible()
    await stage.press(stage.window.toast.button)
    assert stage.memory.identities.said == []


async def test_the_whole_way_is_gone_by_keyboard(stage: Stage) -> None:
    tab = await at(stage, JONAS)
    tab.results.same.setFocus(Qt.FocusReason.TabFocusReason)
    await press(Qt.Key.Key_Return)
    panel = tab.results.joining
    assert panel is not None
    assert panel.field.hasFocus()
    QTest.keyClicks(panel.field, "marta")
    await settle()
    await press(Qt.Key.Key_Down)
    assert panel.rows[0].hasFocus()
    await press(Qt.Key.Key_Down)
    assert panel.rows[1].hasFocus()
    await press(Qt.Key.Key_Up)
    await press(Qt.Key.Key_Return)
    assert panel.yes.hasFocus()
    await press(Qt.Key.Key_Return)
    assert stage.memory.identities.said == MERGED
    assert tab.results.same.hasFocus()


async def test_those_on_offer_lie_on_the_card(stage: Stage) -> None:
    _, panel = await looking(stage)
    QTest.keyClicks(panel.field, "marta")
    await settle()
    first, second = panel.rows
    between = first.mapTo(panel, QPoint(first.width() // 2, first.height()))
    assert second.mapTo(panel, QPoint()).y() > between.y()
    assert panel.grab().toImage().pixelColor(between) == stage.theme.colour("card")


async def test_nothing_of_it_is_laid_over_anything_in_the_smallest_window(stage: Stage) -> None:
    stage.window.resize(stage.window.minimumSize())
    _, panel = await looking(stage)
    parts = [panel.title, panel.field, *([panel.advice] if panel.advice.isVisible() else [])]
    for upper, lower in pairwise(parts):
        assert upper.geometry().bottom() < lower.geometry().top()
    assert panel.title.height() >= panel.title.heightForWidth(panel.title.width())
    assert panel.field.height() >= panel.field.minimumSizeHint().height()
    assert panel.rect().contains(parts[-1].geometry())
    assert stage.window.rect().contains(QRect(panel.mapTo(stage.window, QPoint()), panel.size()))
    assert panel.rows[0].height() >= panel.rows[0].minimumSizeHint().height()


async def test_escape_leads_a_step_back_and_then_away_and_leaves_the_window_open(stage: Stage) -> None:
    tab, panel = await looking(stage)
    await press(Qt.Key.Key_Down)
    await press(Qt.Key.Key_Return)
    await press(Qt.Key.Key_Escape)
    assert panel.isVisible()
    assert panel.field.isVisible()
    await press(Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert tab.results.same.hasFocus()
    assert stage.window.isVisible()
    assert stage.memory.identities.said == []


async def test_it_is_offered_for_people_alone_and_leaves_with_their_page(stage: Stage) -> None:
    tab, panel = await looking(stage)
    stage.remembered.open_scope(EntityScope("e-hostwerk", "Hostwerk"))
    await settle()
    assert not panel.isVisible()
    assert not tab.results.same.isVisible()
