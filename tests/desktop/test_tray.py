"""The tray's menu, and what happens where there is no tray: the offscreen platform has none."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from heedful.core.errors import UserCanFixError
from heedful.core.ids import ActionableId
from heedful.core.paths import home_at
from heedful.desktop import run_desktop
from heedful.desktop.tray import Tray, TrayActions
from heedful.presenters.moods import FrameView, MenuItem, Mood


class Hand:
    """Keeps what the menu asked for."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def actions(self) -> TrayActions:
        return TrayActions(
            open_window=lambda: self.did.append("open"),
            open_item=lambda item_id: self.did.append(f"item {item_id}"),
            look_now=lambda: self.did.append("look"),
            pause_hour=lambda: self.did.append("hour"),
            pause_until_tomorrow=lambda: self.did.append("tomorrow"),
            resume=lambda: self.did.append("resume"),
            quit=lambda: self.did.append("quit"),
            no_tray=lambda: self.did.append("no tray"),
        )


def words(tray: Tray) -> list[str]:
    return [action.text() for action in tray.menu.actions() if action.isVisible() and action.text()]


def choose(tray: Tray, text: str) -> None:
    next(action for action in tray.menu.actions() if action.text() == text).trigger()


def test_the_menu_says_the_state_and_offers_what_is_urgent(qapp: QApplication) -> None:
    hand = Hand()
    tray = Tray(hand.actions(), qapp)
    top = (MenuItem(ActionableId("a"), "Pay R&D"), MenuItem(ActionableId("b"), "Call Ana"))
    tray.say(FrameView(Mood.NEEDS_YOU, "2 need you", 2, top))
    assert words(tray) == [
        "Open Intelligence", "2 need you", "Pay R&&D", "Call Ana", "Look now", "Pause for 1 hour",
        "Pause until tomorrow", "Quit",
    ]  # fmt: skip
    for text in (
        "Open Intelligence",
        "Call Ana",
        "Look now",
        "Pause for 1 hour",
        "Pause until tomorrow",
        "Quit",
    ):
        choose(tray, text)
    assert hand.did == ["open", "item b", "look", "hour", "tomorrow", "quit"]
    tray.leave()


def test_a_paused_state_offers_to_resume_instead(qapp: QApplication) -> None:
    hand = Hand()
    tray = Tray(hand.actions(), qapp)
    tray.say(FrameView(Mood.PAUSED, "Paused", is_paused=True))
    assert words(tray) == ["Open Intelligence", "Paused", "Look now", "Resume", "Quit"]
    choose(tray, "Resume")
    assert hand.did == ["resume"]
    tray.leave()


def test_where_no_panel_takes_the_icon_it_is_told_once(qapp: QApplication, qtbot: QtBot) -> None:
    hand = Hand()
    tray = Tray(hand.actions(), qapp, eager_ms=1)
    assert not tray.is_there
    qtbot.waitUntil(lambda: hand.did == ["no tray"], timeout=5_000)
    tray.leave()


def test_without_a_screen_one_sentence_says_what_to_do(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(UserCanFixError, match="no screen"):
        run_desktop(home_at(tmp_path_factory.mktemp("home")), environment={})
