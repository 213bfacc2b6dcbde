"""The strip «Background work» in a real window."""

from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from heedful.desktop.window.activity import ActivityTab
from heedful.desktop.window.background_work import BackgroundWorkStrip
from heedful.memory.background_work import WorkNow
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import Pace, Verdict
from tests.desktop.stage import Stage, settle, texts
from tests.fakes import samples

AWAY = KindWork("embed", 0, 1, 0, 0, 0, samples.NOW + timedelta(minutes=4), "The server does not answer.")
BROKEN = KindWork("extract_entities", 0, 0, 0, 0, 2, None, "It can't be read.")
STATE = WorkNow((AWAY, BROKEN), Verdict(Pace.SLOW, "On battery, at 60 %."), None)


async def strip(stage: Stage) -> BackgroundWorkStrip:
    await stage.show("activity")
    page = stage.window.page("activity")
    assert isinstance(page, ActivityTab)
    return page.work


async def test_the_closed_strip_is_one_line_that_says_the_most_important(stage: Stage) -> None:
    stage.work.state = STATE
    shown = await strip(stage)
    assert not shown.ground.isVisible()
    assert shown.head.accessibleName() == "Background work, 2 failed · 1 put off"


async def test_it_unfolds_into_kinds_with_state_reason_and_pace(stage: Stage) -> None:
    stage.work.state = STATE
    shown = await strip(stage)
    await stage.press(shown.head)
    assert shown.ground.isVisible()
    said = texts(shown)
    assert "Slow: on battery, at 60 %." in said
    assert "Noting people and things, 2 failed, It can't be read." in said
    assert "Preparing to match by meaning, put off until 10:36, The server does not answer." in said


async def test_failed_work_is_retried_with_the_keyboard_alone(stage: Stage) -> None:
    stage.work.state = STATE
    shown = await strip(stage)
    shown.head.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(shown.head, Qt.Key.Key_Return)
    await settle()
    assert shown.retry.isVisible()
    shown.retry.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(shown.retry, Qt.Key.Key_Return)
    await settle()
    assert stage.work.asked == ["retry failed"]
    assert not shown.retry.isVisible()


async def test_what_is_put_off_can_be_tried_now(stage: Stage) -> None:
    stage.work.state = STATE
    shown = await strip(stage)
    await stage.press(shown.head)
    await stage.press(shown.wake)
    assert stage.work.asked == ["wake"]


async def test_the_queue_is_looked_at_again_only_while_it_can_be_seen(stage: Stage) -> None:
    shown = await strip(stage)
    stage.work.state = STATE
    stage.window.open_tab("today")
    await settle()
    assert shown.head.accessibleName() == "Background work, nothing to do"
    stage.window.open_tab("activity")
    await settle()
    assert shown.head.accessibleName() == "Background work, 2 failed · 1 put off"
