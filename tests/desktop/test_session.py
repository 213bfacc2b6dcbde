"""One run of the desktop on a real store: the house closes for what needs the store alone, and opens again."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication

from heedful.app import build
from heedful.core.clock import SystemClock
from heedful.core.errors import DamageError
from heedful.core.paths import Home
from heedful.desktop.session import Session
from heedful.desktop.tray import Tray
from heedful.desktop.window.care_page import CarePage
from heedful.desktop.window.frame import IntelligenceWindow
from heedful.desktop.window.settings import SettingsTab
from heedful.memory.archivist.report import count_messages
from heedful.presenters.toasts import Toast
from heedful.storage import choose_unencrypted
from tests.cli.line import NOW, letter
from tests.desktop.stage import settle
from tests.desktop.test_tray import Hand
from tests.fakes.secrets import FakeSecrets

WITHIN_S = 20.0

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def remember_more_than_the_backup(home: Home, folder: Path) -> None:
    """A home with two messages, and a backup that holds the first."""
    choose_unencrypted(home)
    app = await build(home, environment={}, secrets=FakeSecrets())
    mailbox = folder / "inbox.mbox"
    mailbox.write_text(letter(1, "Slides", "Good morning.", NOW), encoding="utf-8")
    source = await app.library.add(mailbox, watched=False)
    await app.library.sync(source)
    await app.care.back_up()
    with mailbox.open("a", encoding="utf-8") as more:
        more.write(letter(2, "Goal", "Good evening.", NOW))
    await app.library.sync(source)
    assert await app.store.read(count_messages) == 2
    await app.stop()


async def messages_in(home: Home) -> int:
    app = await build(home, environment={}, secrets=FakeSecrets(), read_only=True)
    try:
        return await app.store.read(count_messages)
    finally:
        await app.stop()


class Desktop:
    """A session, and what its last toast says."""

    def __init__(self, application: QApplication, home: Home) -> None:
        self.application = application
        self.tray = Tray(Hand().actions(), application)
        self.session = Session(
            application, home, self.tray, environment={}, clock=SystemClock(), secrets=FakeSecrets()
        )
        self._news = asyncio.Event()
        self.session.toasts.last.watch(self._hear)

    async def toast(self) -> str:
        """The next toast."""
        await asyncio.wait_for(self._news.wait(), WITHIN_S)
        self._news.clear()
        await settle()
        last = self.session.toasts.last.value
        return "" if last is None else last.text

    def window(self) -> IntelligenceWindow:
        """The one window that is to be seen."""
        (shown,) = (
            one
            for one in self.application.topLevelWidgets()
            if isinstance(one, IntelligenceWindow) and one.isVisible()
        )
        return shown

    async def care_page(self) -> CarePage:
        self.window().open_tab("settings")
        tab = self.window().page("settings")
        assert isinstance(tab, SettingsTab)
        await press(tab.care.open)
        page = tab.care.page
        assert page is not None
        async with asyncio.timeout(WITHIN_S):
            while not page.backups.widgets:
                await settle(1)
        return page

    async def end(self) -> None:
        await self.session.end()
        self.tray.leave()
        self.session.notifications.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def _hear(self, toast: Toast | None) -> None:
        if toast is not None:
            self._news.set()


async def press(button: QAbstractButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await settle()


async def test_a_restore_in_the_window_brings_the_older_memory_and_the_window_back(
    qapp: QApplication, home: Home, tmp_path: Path
) -> None:
    await remember_more_than_the_backup(home, tmp_path)
    desktop = Desktop(qapp, home)
    try:
        await desktop.session.begin()
        desktop.session.raise_up()
        await settle()
        before = desktop.window()
        page = await desktop.care_page()
        (backup,) = page.backups.widgets
        await press(backup.restore)
        backup.really.click()
        said = await desktop.toast()
        assert said.startswith("The memory is as it was today")
        assert desktop.window() is not before
        assert desktop.window().rail is not None
    finally:
        await desktop.end()
    assert await messages_in(home) == 1


async def test_a_wipe_in_the_window_leaves_an_empty_memory_and_an_open_house(
    qapp: QApplication, home: Home, tmp_path: Path
) -> None:
    await remember_more_than_the_backup(home, tmp_path)
    desktop = Desktop(qapp, home)
    try:
        await desktop.session.begin()
        desktop.session.raise_up()
        page = await desktop.care_page()
        page.wipe_word.setText("wipe")
        page.wipe.click()
        assert await desktop.toast() == "Everything remembered is gone. Settings are kept"
        assert desktop.window().rail is not None
    finally:
        await desktop.end()
    assert await messages_in(home) == 0


async def test_the_house_opens_again_although_the_work_failed(qapp: QApplication, home: Home) -> None:
    choose_unencrypted(home)
    desktop = Desktop(qapp, home)

    def fail() -> None:
        raise DamageError("The backup is damaged", "The store was not touched.")

    try:
        await desktop.session.begin()
        await desktop.session.with_house_closed(fail, "It is back")
        assert await desktop.toast() == "The backup is damaged. The store was not touched."
        desktop.session.raise_up()
        await settle()
        assert desktop.window().rail is not None
    finally:
        await desktop.end()
