"""The window's frame: header, closing, toasts, and the slot guard behind every button."""

import logging

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from heedful.core.errors import UserCanFixError
from heedful.desktop.slots import BUG_WORDS, Slots
from heedful.desktop.theme import DARK
from heedful.desktop.widgets.column import ScrollColumn
from heedful.desktop.widgets.pressable import Pressable
from heedful.desktop.window.frame import NO_TRAY_WORDS, SIZE, STILL_HERE_WORDS, WIDEST_PAGE
from heedful.desktop.window.sources import SourcesTab
from tests.desktop.stage import Stage, settle
from tests.fakes import memories, samples

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def test_the_window_has_the_size_of_its_design(stage: Stage) -> None:
    await stage.show()
    assert stage.window.size() == SIZE


async def test_the_header_says_the_state_and_the_rail_counts_what_waits(stage: Stage) -> None:
    stage.loop.next_look_at = samples.local(24, 10, 35)
    stage.decisions.put(*samples.morning())
    await stage.show()
    assert stage.window.header.accessibleName() == "3 need you · next look 10:35"
    assert stage.window.rail is not None
    assert stage.window.rail.buttons["today"].accessibleName() == "Today, 3 waiting"


async def test_closing_without_a_tray_never_hides_the_only_window(stage: Stage) -> None:
    stage.tray_is_there = False
    await stage.show()
    stage.window.close()
    await settle()
    assert stage.window.isVisible()
    assert stage.window.isMinimized()
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.text == NO_TRAY_WORDS
    stage.window.raise_up()
    assert not stage.window.isMinimized()


async def test_the_first_close_explains_and_the_next_one_hides_at_once(stage: Stage) -> None:
    await stage.show()
    stage.window.close()
    await settle()
    assert stage.window.isVisible()
    assert stage.window.toast.accessibleName() == STILL_HERE_WORDS
    stage.window.close()
    assert not stage.window.isVisible()
    stage.window.raise_up()
    assert stage.window.isVisible()


async def test_a_tab_tells_the_keys_that_open_it(stage: Stage) -> None:
    await stage.show()
    assert stage.window.rail is not None
    told = {name: button.toolTip() for name, button in stage.window.rail.buttons.items()}
    assert told["today"].startswith("Today (")
    assert told["today"].endswith("1)")


async def test_ctrl_q_wishes_to_quit_and_ctrl_numbers_turn_tabs(stage: Stage) -> None:
    await stage.show()
    stage.window.activateWindow()
    QTest.keyClick(stage.window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    await settle()
    assert stage.window.stack.currentWidget() is stage.window.page("memory")
    QTest.keyClick(stage.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert len(stage.quits) == 1


async def test_a_toast_lies_beside_the_rail_and_follows_the_window(stage: Stage) -> None:
    await stage.show()
    stage.toasts.say("Kept")
    await settle()
    assert stage.window.toast.x() >= 60
    stage.window.resize(600, 500)
    await settle()
    assert stage.window.toast.geometry().right() < 600
    assert stage.window.toast.geometry().bottom() < 500


@pytest.mark.parametrize(
    ("reason", "stays"),
    [(Qt.FocusReason.TabFocusReason, True), (Qt.FocusReason.ActiveWindowFocusReason, False)],
)
async def test_a_toast_waits_only_for_who_went_to_it_by_keyboard(
    stage: Stage, reason: Qt.FocusReason, *, stays: bool
) -> None:
    await stage.show()
    stage.window.activateWindow()
    stage.toasts.say("Kept")
    await settle()
    toast = stage.window.toast
    toast.close_button.setFocus(reason)
    await settle()
    assert toast.close_button.hasFocus()
    timer = toast.findChild(QTimer)
    assert timer is not None
    timer.timeout.emit()
    assert toast.isVisible() is stays


async def test_undo_by_mouse_lights_nothing_up(stage: Stage) -> None:
    await stage.show()
    stage.window.activateWindow()

    async def take_back() -> None:
        pass

    stage.toasts.say("Kept", take_back=take_back)
    await settle()
    before = stage.window.focusWidget()
    QTest.mouseClick(stage.window.toast.button, Qt.MouseButton.LeftButton)
    await settle()
    assert not stage.window.toast.isVisible()
    assert stage.window.focusWidget() is before
    assert not [one for one in stage.window.findChildren(Pressable) if one.shows_focus]


async def test_the_window_turns_dark_without_being_built_again(stage: Stage, qapp: QApplication) -> None:
    stage.decisions.put(*samples.morning())
    await stage.show()
    light = stage.window.grab().toImage().pixelColor(200, 10)
    page = stage.window.page("today")
    stage.theme.choose("dark")
    stage.theme.apply(qapp)
    await settle()
    assert stage.window.grab().toImage().pixelColor(200, 10).name() == DARK.card.lower()
    assert light.name() != DARK.card.lower()
    assert stage.window.page("today") is page


async def test_an_error_made_to_be_shown_is_shown_in_its_own_words(stage: Stage) -> None:
    async def work() -> None:
        raise UserCanFixError("The file was moved", "It can't be read.", "Choose it again.")

    stage.desk.slots.start("work", work)
    await settle()
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.text == "The file was moved. It can't be read. Choose it again."


async def test_a_bug_behind_a_button_is_logged_and_told_and_takes_nothing_down(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        raise ZeroDivisionError

    with caplog.at_level(logging.CRITICAL, logger="heedful"):
        stage.desk.slots.start("work", work)
        stage.desk.slots.call(lambda: 1 // 0)
        await settle()
    assert stage.toasts.last.value is not None
    assert stage.toasts.last.value.text == BUG_WORDS
    done: list[None] = []
    stage.desk.slots.call(lambda: done.append(None))
    assert len(done) == 1


async def test_work_of_one_name_runs_once_at_a_time(stage: Stage) -> None:
    slots: Slots = stage.desk.slots
    runs: list[int] = []

    async def work() -> None:
        runs.append(1)
        await settle(3)

    slots.start("same", work)
    slots.start("same", work)
    await settle()
    assert len(runs) == 1
    slots.start("same", work)
    await settle()
    assert len(runs) == 2


async def test_pages_of_a_wide_window_keep_a_measure_that_can_be_read(stage: Stage) -> None:
    await stage.show()
    stage.window.resize(1600, 900)
    await settle()
    stack, rail = stage.window.stack, stage.window.rail
    assert rail is not None
    assert stack.width() == WIDEST_PAGE
    left, right = stack.x() - rail.width(), stage.window.width() - stack.geometry().right() - 1
    assert abs(left - right) <= 1


@pytest.mark.parametrize("tab", ["today", "memory", "activity", "sources", "settings"])
async def test_nothing_is_cut_off_at_the_side_of_the_smallest_window(stage: Stage, tab: str) -> None:
    memories.furnish(stage.memory)
    stage.decisions.put(*samples.morning())
    stage.library.rows = {row.id: row for row in samples.shelves_of_sources()}
    stage.window.resize(stage.window.minimumSize())
    await stage.show(tab)
    await settle()
    columns = [one for one in stage.window.findChildren(ScrollColumn) if one.isVisible()]
    assert columns
    for column in columns:
        assert column.inside.width() <= column.viewport().width()


@pytest.mark.parametrize("tab", ["today", "memory", "settings"])
async def test_a_file_that_comes_over_any_tab_is_led_to_the_sources_and_taken_there(
    stage: Stage, tab: str
) -> None:
    await stage.show(tab)
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/mail/Inbox.mbox")])
    place, copy = QPoint(200, 300), Qt.DropAction.CopyAction
    held = (files, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    over = QDragEnterEvent(place, copy, *held)
    QApplication.sendEvent(stage.window, over)
    assert over.isAccepted()
    assert isinstance(stage.window.stack.currentWidget(), SourcesTab)
    QApplication.sendEvent(stage.window, QDropEvent(QPointF(place), copy, *held))
    await settle()
    assert [row.path.name for row in stage.library.rows.values()] == ["Inbox.mbox"]


@pytest.mark.parametrize("tab", ["today", "sources"])
async def test_a_file_that_is_offered_to_be_moved_stays_with_whoever_offers_it(
    stage: Stage, tab: str
) -> None:
    await stage.show(tab)
    page = stage.window.stack.currentWidget()
    taker = page.drop_zone if isinstance(page, SourcesTab) else stage.window
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile("/mail/Inbox.mbox")])
    either = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    held = (files, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier)
    over = QDragEnterEvent(QPoint(200, 300), either, *held)
    drop = QDropEvent(QPointF(200, 300), either, *held)
    for event in (over, drop):
        assert event.proposedAction() == Qt.DropAction.MoveAction
        QApplication.sendEvent(taker, event)
        assert (event.isAccepted(), event.dropAction()) == (True, Qt.DropAction.CopyAction)
    await settle()


@pytest.mark.parametrize("is_link", [False, True])
async def test_words_and_links_that_come_over_the_window_open_nothing(stage: Stage, *, is_link: bool) -> None:
    await stage.show()
    words = QMimeData()
    if is_link:
        words.setUrls([QUrl("https://elsewhere.example/Inbox.mbox")])
    else:
        words.setText("not a file")
    over = QDragEnterEvent(
        QPoint(200, 300),
        Qt.DropAction.CopyAction,
        words,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    over.ignore()
    QApplication.sendEvent(stage.window, over)
    assert not over.isAccepted()
    assert not isinstance(stage.window.stack.currentWidget(), SourcesTab)
