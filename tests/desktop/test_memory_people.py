"""Who is whom, asked and answered with the mouse and the keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from heedful.presenters.memory_views import EntityScope
from tests.desktop.memory_tab import opened
from tests.desktop.stage import Stage, settle, texts

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

BOTH = {"e-jonas brandt", "e-j. brandt"}


async def test_the_question_shows_both_with_the_evidence(stage: Stage) -> None:
    tab = await opened(stage)
    said = texts(tab.home.same)
    assert "Jonas Brandt, jonas@brandt.example, 96 passages" in said
    assert "J. Brandt, j.brandt@post.example, 4 passages" in said
    assert "One signs with the other's address; almost the same name." in said


async def test_a_yes_is_kept_and_undo_takes_it_back(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.press(tab.home.same.yes)
    assert stage.memory.identities.said == [("merge", "e-jonas brandt", "e-j. brandt")]
    assert "Marta Reis, 71 passages" in texts(tab.home.same)
    await stage.press(stage.window.toast.button)
    assert stage.memory.identities.said == []
    assert tab.home.same.first.one.name == "Jonas Brandt"


async def test_a_no_ends_the_question_and_the_last_one_takes_the_card_away(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.press(tab.home.same.no)
    assert {*stage.memory.identities.said[0][1:]} == BOTH
    await stage.press(tab.home.same.unsure)
    assert not tab.home.same.isVisible()


async def test_either_of_the_two_can_be_looked_at_first(stage: Stage) -> None:
    tab = await opened(stage)
    await stage.press(tab.home.same.second)
    assert stage.remembered.view.value.results.scope == EntityScope("e-j. brandt", "J. Brandt")
    assert stage.memory.identities.said == []


async def test_the_answers_are_given_by_keyboard(stage: Stage) -> None:
    tab = await opened(stage)
    stage.window.activateWindow()
    tab.home.same.yes.setFocus(Qt.FocusReason.TabFocusReason)
    assert tab.home.same.yes.accessibleName() == "Yes, Jonas Brandt and J. Brandt are one person"
    QTest.keyClick(tab.home.same.yes, Qt.Key.Key_Return)
    await settle()
    QTest.keyClick(stage.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    await settle()
    assert stage.memory.identities.said == []


async def test_a_persons_page_lists_what_counts_as_them_and_parts_it(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-ana lopes", "Ana Lopes"))
    await settle()
    known = tab.results.profile
    assert "Person · ana@ciclone.example and 1 more · also Nita Lopes" in texts(known)
    await stage.press(known.unfold)
    second = known.rows[1].part
    assert second.accessibleName() == "lopes@mar.example is not the same person"
    await stage.press(second)
    assert stage.memory.identities.said == [("part", "e-ana lopes 1")]
    await stage.press(stage.window.toast.button)
    assert stage.memory.identities.said == []


async def test_one_who_goes_by_one_address_has_nothing_to_part(stage: Stage) -> None:
    tab = await opened(stage)
    stage.remembered.open_scope(EntityScope("e-jonas brandt", "Jonas Brandt"))
    await settle()
    assert not tab.results.profile.unfold.isVisible()
