"""What stands between Heedful and the system: one instance, notifications' buttons, the end of the program."""

import sys
from pathlib import Path

import desktop_notifier as native
import pytest
from PySide6.QtCore import QProcess
from PySide6.QtDBus import QDBusMessage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heedful.attention import Notification
from heedful.core.ids import ActionableId
from heedful.desktop.notifications import DesktopNotifications, Press, body_words, button_id, pressed
from heedful.desktop.shown_numbers import ShownNumbers
from heedful.desktop.single_instance import SingleInstance, ask_to_raise

CLAIM = """
import sys
from PySide6.QtCore import QCoreApplication
from heedful.desktop.single_instance import SingleInstance
app = QCoreApplication([])
print(SingleInstance(sys.argv[1], lambda: None).claim())
"""
ITEM = ActionableId("0123456789abcdef01234567")


def test_a_second_start_asks_the_first_to_show_its_window(qtbot: QtBot, qapp: QApplication) -> None:
    asked: list[None] = []
    first = SingleInstance("heedful-test-raise", lambda: asked.append(None), qapp)
    assert first.claim()
    second = QProcess(qapp)
    second.start(sys.executable, ["-c", CLAIM, "heedful-test-raise"])
    qtbot.waitUntil(lambda: second.state() is QProcess.ProcessState.NotRunning, timeout=20_000)
    assert bytes(second.readAllStandardOutput().data()).strip() == b"False"
    assert len(asked) == 1
    first.leave()


def test_a_name_that_a_dead_process_left_behind_is_taken_over(qapp: QApplication, tmp_path: Path) -> None:
    name = str(tmp_path / "left-behind")
    Path(name).touch()
    instance = SingleInstance(name, lambda: None, qapp)
    assert instance.claim()
    instance.leave()


def test_nobody_answers_to_a_name_that_nobody_claimed(qapp: QApplication) -> None:
    assert not ask_to_raise("heedful-test-nobody")


def test_a_button_says_by_itself_what_it_is_about() -> None:
    identifier = button_id("heedful-1a2b", "dismiss", ITEM)
    assert pressed("heedful-1a2b", identifier) == Press("dismiss", ITEM)


def test_a_button_of_another_home_or_program_is_not_ours() -> None:
    assert pressed("heedful", button_id("heedful-1a2b", "dismiss", ITEM)) is None
    for foreign in ("default", "", "heedful/heedful/dismiss", "other/heedful/dismiss/1", "inline-reply"):
        assert pressed("heedful", foreign) is None


def test_text_from_outside_is_never_read_as_mark_up() -> None:
    assert body_words('<b>Pay</b> & <a href="x">go</a>', markup=True) == (
        '&lt;b&gt;Pay&lt;/b&gt; &amp; &lt;a href="x"&gt;go&lt;/a&gt;'
    )
    assert body_words("a < b", markup=False) == "a < b"
    assert not {"<", ">", "&"} & set(body_words("<b>Pay</b> &amp; go", markup=None))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no server reads mark-up")
async def test_what_is_shown_before_the_server_told_what_it_reads_holds_no_mark_up(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heedful.desktop import numbered_notifier  # loads the session bus, which only Linux has

    shown: list[str] = []

    class Backend:
        def __init__(self, *_: object) -> None:
            """Takes what the real one takes."""

        async def send_notification(self, told: native.Notification) -> str:
            shown.append(told.message)
            return told.identifier

    monkeypatch.setattr(numbered_notifier, "NumberedNotifier", Backend)
    numbers = ShownNumbers(tmp_path / "notifications.json")
    notifications = DesktopNotifications("heedful", None, numbers, lambda _: None, qapp)
    await notifications.show(Notification(ITEM, "Pay", 'Ana: <a href="x">go</a>', ()))
    assert shown == ['Ana: ‹a href="x"›go‹/a›']


def test_a_press_is_handed_on_whoever_showed_the_notification(qapp: QApplication, tmp_path: Path) -> None:
    heard: list[Press] = []
    numbers = ShownNumbers(tmp_path / "notifications.json")
    notifications = DesktopNotifications("heedful", None, numbers, heard.append, qapp)
    notifications.heard(7, button_id("heedful", "complete", ITEM), QDBusMessage())
    notifications.heard(8, "default", QDBusMessage())
    assert heard == [Press("complete", ITEM)]


def test_a_click_on_a_body_is_ours_by_the_number_of_the_same_server_only(
    qapp: QApplication, tmp_path: Path
) -> None:
    heard: list[Press] = []
    numbers = ShownNumbers(tmp_path / "notifications.json")
    numbers.keep(" ", 7, ITEM)  # a message that was sent by nobody, on a bus that told no id
    notifications = DesktopNotifications("heedful", None, numbers, heard.append, qapp)
    notifications.heard(8, "default", QDBusMessage())
    assert heard == []
    notifications.heard(7, "default", QDBusMessage())
    assert heard == [Press("open", ITEM)]


def test_the_numbers_of_another_server_or_login_are_forgotten(tmp_path: Path) -> None:
    numbers = ShownNumbers(tmp_path / "notifications.json")
    numbers.keep("bus-1 :1.5", 7, ITEM)
    assert numbers.item("bus-1 :1.5", 7) == ITEM
    assert ShownNumbers(tmp_path / "notifications.json").item("bus-1 :1.5", 7) == ITEM
    assert numbers.item("bus-1 :1.9", 7) is None
    assert numbers.item("bus-2 :1.5", 7) is None
    numbers.keep("bus-2 :1.5", 1, ITEM)
    assert numbers.item("bus-1 :1.5", 7) is None


def test_numbers_that_can_not_be_kept_or_read_cost_nothing_but_the_click(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"server": []', "utf-8")
    broken = ShownNumbers(tmp_path / "broken.json")
    assert broken.item("s", 7) is None
    broken.keep("s", 7, ITEM)
    assert broken.item("s", 7) == ITEM
    nowhere = ShownNumbers(tmp_path / "missing" / "n.json")
    nowhere.keep("s", 7, ITEM)
    assert nowhere.item("s", 7) is None
    for number in range(60):
        broken.keep("s", number, ITEM)
    assert broken.item("s", 9) is None
    assert broken.item("s", 10) == ITEM
