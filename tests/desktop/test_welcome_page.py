"""What is asked before there is an open store; a real store in a folder, no keyring."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from heedful.core.bus import Bus
from heedful.core.paths import Home, home_at
from heedful.core.secrets import NoKeyringError
from heedful.core.supervise import Supervisor
from heedful.desktop.slots import Slots
from heedful.desktop.theme import Theme
from heedful.desktop.window.welcome import WelcomePage
from heedful.presenters.toasts import Toasts
from heedful.presenters.welcome import Step, WelcomePresenter
from heedful.storage import Key, KeyKind, Store, choose_unencrypted, unlock
from heedful.storage.keys import kind_of
from tests.desktop.stage import button, settle, texts
from tests.fakes import samples
from tests.fakes.clock import FakeClock
from tests.fakes.services import FakeSecrets

NO_KEYRING = NoKeyringError("The system's keyring can't be used")


class Door:
    """The page on a real store; `entered` lists the keys that opened it."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.clock = FakeClock(samples.NOW, samples.ZONE)
        self.supervisor = Supervisor(self.clock)
        self.secrets = FakeSecrets()
        self.entered: list[Key] = []
        self.theme = Theme("light")
        self.welcome = WelcomePresenter(home, self.secrets, self._enter, clock=self.clock)
        self.page = WelcomePage(self.theme, Slots(self.supervisor, Toasts()), self.welcome)
        self.page.resize(460, 640)
        self.page.show()

    async def _enter(self, key: Key | None) -> None:
        used = key or unlock(self.home, self.secrets, None)
        Store.open(self.home, used, Bus()).close()
        self.entered.append(used)

    async def press(self, words: str) -> None:
        """Presses a button, and waits for the work behind it, which a thread does."""
        button(self.page, words).click()
        work = asyncio.all_tasks() - {asyncio.current_task()}
        if work:
            await asyncio.wait(work, timeout=20)
        await settle()

    def is_at(self, step: Step) -> bool:
        return self.welcome.view.value.step is step


@pytest.fixture
async def door(qapp: QApplication, tmp_path: Path) -> AsyncIterator[Door]:
    opened = Door(home_at(tmp_path))
    yield opened
    await opened.supervisor.stop()
    opened.page.deleteLater()
    await settle()


async def test_with_a_keyring_nothing_is_asked(door: Door) -> None:
    await door.welcome.open()
    assert door.is_at(Step.OPEN)
    assert door.entered[0].kind is KeyKind.KEYRING


async def test_without_a_keyring_the_person_chooses_and_nothing_is_decided_for_them(door: Door) -> None:
    door.secrets.failure = NO_KEYRING
    await door.welcome.open()
    await settle()
    assert door.is_at(Step.CHOOSE)
    assert door.entered == []
    assert not door.home.database.exists()


async def test_a_passphrase_is_typed_twice_and_is_not_too_short(door: Door) -> None:
    door.secrets.failure = NO_KEYRING
    await door.welcome.open()
    await settle()
    door.page.passphrase.setText("short")
    await door.press("Lock with")
    assert door.welcome.view.value.problem == "Take at least 8 characters."
    door.page.passphrase.setText("long enough")
    door.page.repeated.setText("long enoguh")
    await door.press("Lock with")
    assert "The two are not the same." in texts(door.page)
    door.page.repeated.setText("long enough")
    await door.press("Lock with")
    assert door.is_at(Step.OPEN)
    assert kind_of(door.home) is KeyKind.PASSPHRASE


async def test_a_choice_that_can_not_be_kept_says_what_to_do_about_it(door: Door) -> None:
    door.secrets.failure = NO_KEYRING
    await door.welcome.open()
    await settle()
    choose_unencrypted(door.home)
    door.page.passphrase.setText("long enough")
    door.page.repeated.setText("long enough")
    await door.press("Lock with")
    assert "Move it away with its key slot to start a fresh one." in door.welcome.view.value.problem
    assert door.welcome.view.value.problem in texts(door.page)


async def test_an_unencrypted_store_is_made_only_at_the_persons_word(door: Door) -> None:
    door.secrets.failure = NO_KEYRING
    await door.welcome.open()
    await settle()
    await door.press("Leave it unencrypted")
    assert door.is_at(Step.OPEN)
    assert door.entered[0].kind is KeyKind.UNENCRYPTED


async def test_a_locked_store_opens_with_its_passphrase_and_with_no_other(door: Door) -> None:
    door.secrets.failure = NO_KEYRING
    await door.welcome.choose_passphrase("long enough", "long enough")
    door.entered.clear()
    await door.welcome.open()
    await settle()
    assert door.is_at(Step.UNLOCK)
    door.page.passphrase.setText("something else")
    await door.press("Unlock")
    assert door.is_at(Step.UNLOCK)
    assert (
        door.welcome.view.value.problem
        == "That passphrase is not the store's. Nothing was changed. Try again."
    )
    door.page.passphrase.setText("long enough")
    await door.press("Unlock")
    assert door.is_at(Step.OPEN)


async def test_when_the_key_is_lost_a_fresh_store_keeps_the_old_file(door: Door) -> None:
    await door.welcome.open()
    old = door.home.database.read_bytes()
    door.secrets.kept.clear()
    door.entered.clear()
    await door.welcome.open()
    await settle()
    assert door.is_at(Step.LOST)
    await door.press("Start a fresh store")
    assert door.is_at(Step.OPEN)
    aside = door.home.database.with_name("heedful.db.20261124-093200")
    assert aside.read_bytes() == old


async def test_a_keyring_that_is_away_is_waited_for_and_no_fresh_store_is_offered(door: Door) -> None:
    await door.welcome.open()
    door.secrets.failure = NO_KEYRING
    await door.welcome.open()
    await settle()
    assert door.is_at(Step.TROUBLE)
    door.secrets.failure = None
    await door.press("Try again")
    assert door.is_at(Step.OPEN)
