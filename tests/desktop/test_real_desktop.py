"""The real thing: a real X server, a real tray, a real Secret Service, a real notification with buttons.

Never skipped where it can run: on Linux, programs that are missing fail these tests and are named.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from heedful.desktop.tray_icons import RING

pytestmark = [
    pytest.mark.desktop,
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux", reason="the desktops of other systems can't be had in a test"
    ),
]

if sys.platform == "linux":
    from tests.desktop.private_desktop import (
        PrivateDesktop,
        Shown,
        end,
        missing_programs,
        settings_for,
        until,
    )

QUIT_WITHIN_S = 2.0
SETTINGS = """
[loop]
first_look_after_s = 0
[notifications]
quiet_from = 00:00:00
quiet_until = 00:00:00
"""
GRAB = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
app.primaryScreen().grabWindow(0).save(sys.argv[1])
"""


@pytest.fixture
async def desktop(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator["PrivateDesktop"]:
    missing = missing_programs()
    assert not missing, f"the real desktop needs: apt-get install {' '.join(missing.values())}"
    async with PrivateDesktop(tmp_path_factory.mktemp("d")) as there:
        file = settings_for(there.environment)
        file.parent.mkdir(parents=True)
        file.write_text(SETTINGS, encoding="utf-8")
        yield there


async def receive(desktop: "PrivateDesktop", *invoices: str) -> None:
    """Brings in a letter for each invoice, due today."""
    said = datetime.now(UTC) - timedelta(minutes=2)  # noqa: TID251 (the program under test reads the machine's clock)
    file = desktop.folder / "Mail.messages.jsonl"
    rows = [
        {
            "id": name, "thread": name, "thread_title": f"Invoice {name}",
            "author": {"name": "Hostwerk billing", "address": "billing@hostwerk.example"},
            "to": [{"name": "Rui Prado", "address": "rui@prado.example"}],
            "sent_at": said.isoformat(timespec="seconds"), "subject": f"Invoice {name}",
            "text": f"Dear customer,\n\nyour invoice {name} over EUR 84.20 is due today. Please transfer the amount"
            " by 23:59, otherwise your server will be suspended.\n\nHostwerk <b>billing</b>",
            "reply_to": None, "from_me": False, "channel": "email",
        }
        for name in invoices
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    brought = await desktop.ask_heedful("import", str(file))
    assert brought["messages_new"] == len(invoices)


async def notification(desktop: "PrivateDesktop", about: str) -> "Shown":
    """The notification about something, once it is shown."""

    def found() -> "Shown | None":
        return next((one for one in desktop.notifications.shown if about in one.title), None)

    await until(f"a notification about {about}", lambda: found() is not None)
    shown = found()
    assert shown is not None
    return shown


async def state_of(desktop: "PrivateDesktop", about: str, state: str) -> None:
    """Waits until the store says that the item about something is in a state."""
    seen: list[str] = []
    for _ in range(100):
        items = await desktop.ask_heedful("items", "--all")
        seen = [item["state"] for item in items if about in item["title"]]
        if seen == [state]:
            return
        await asyncio.sleep(0.2)
    raise AssertionError(f"{about} is {seen}, not {state}")


async def test_the_critical_item_reaches_the_desktop_and_its_button_dismisses_it_in_the_store(
    desktop: "PrivateDesktop",
) -> None:
    await receive(desktop, "HW-20931")
    heedful = await desktop.heedful("run", "--background")
    shown = await notification(desktop, "HW-20931")
    assert shown.urgency == 2
    assert "<b>" not in shown.body
    desktop.notifications.press(shown, "Dismiss")
    await state_of(desktop, "HW-20931", "dismissed")
    assert await end(heedful) == 0


async def test_the_button_still_works_after_heedful_was_started_anew(desktop: "PrivateDesktop") -> None:
    await receive(desktop, "HW-20932")
    first = await desktop.heedful("run", "--background")
    shown = await notification(desktop, "HW-20932")
    assert await end(first) == 0
    asked = desktop.notifications.asked_capabilities
    second = await desktop.heedful("run", "--background")
    await until("the new run listens", lambda: desktop.notifications.asked_capabilities > asked)
    desktop.notifications.press(shown, "Dismiss")
    await state_of(desktop, "HW-20932", "dismissed")
    assert await end(second) == 0


async def test_a_click_that_only_the_sender_is_told_opens_the_window_too(desktop: "PrivateDesktop") -> None:
    await receive(desktop, "HW-20936")
    heedful = await desktop.heedful("run", "--background")
    shown = await notification(desktop, "HW-20936")
    assert await desktop.windows() == []
    await desktop.click_for_the_sender_only(shown)
    await shows_a_window(desktop)
    assert await end(heedful) == 0


async def test_a_click_on_the_body_opens_the_window_also_after_heedful_was_started_anew(
    desktop: "PrivateDesktop",
) -> None:
    await receive(desktop, "HW-20935")
    first = await desktop.heedful("run", "--background")
    shown = await notification(desktop, "HW-20935")
    kept = desktop.folder / "home" / "data" / "notifications.json"
    await until("its number is kept", kept.exists)
    assert await end(first) == 0
    asked = desktop.notifications.asked_capabilities
    second = await desktop.heedful("run", "--background")
    await until("the new run listens", lambda: desktop.notifications.asked_capabilities > asked)
    assert await desktop.windows() == []
    desktop.notifications.click(Shown(shown.number + 1, "of another program", "", {}, 1))
    desktop.notifications.click(shown)
    await shows_a_window(desktop)
    assert await end(second) == 0


async def test_the_store_key_lies_in_the_secret_service(desktop: "PrivateDesktop") -> None:
    await receive(desktop, "HW-20933")
    slot = json.loads((desktop.folder / "home" / "data" / "heedful.key.json").read_text())
    assert slot["kind"] == "keyring"
    found = await desktop.ask("secret-tool", "search", "--all", "username", "store-key")
    assert re.search(r"^secret = [0-9a-f]{64}$", found, re.MULTILINE)


async def test_a_locked_secret_service_is_told_from_an_open_one_without_a_dialog(
    desktop: "PrivateDesktop",
) -> None:
    asking = "from heedful.core.secrets import KeyringSecrets; print(KeyringSecrets('heedful').is_locked())"
    assert (await desktop.ask(sys.executable, "-c", asking)).strip() == "False"
    await desktop.ask(
        "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
        "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login",
    )  # fmt: skip
    assert (await desktop.ask(sys.executable, "-c", asking)).strip() == "True"
    assert await desktop.windows() == []


async def test_the_icon_appears_in_a_tray_of_the_old_kind(desktop: "PrivateDesktop", tmp_path: Path) -> None:
    await desktop.start(
        "trayer", "--edge", "top", "--align", "left", "--width", "20", "--height", "32", "--SetDockType", "true",
        "--expand", "false", "--transparent", "false",
    )  # fmt: skip
    heedful = await desktop.heedful("run", "--background")
    file = Path(os.environ.get("HEEDFUL_PICTURES", str(tmp_path))) / "tray.png"
    for _ in range(120):
        await desktop.ask(sys.executable, "-c", GRAB, str(file))
        if blue_pixels(file) > 20:
            break
        await asyncio.sleep(0.2)
    assert blue_pixels(file) > 20
    assert await end(heedful) == 0


def blue_pixels(file: Path) -> int:
    """How much of the ring's own blue is on a screen."""
    image = QImage(str(file))
    wanted = QColor(RING).rgb()
    return sum(
        image.pixel(x, y) == wanted
        for x in range(min(320, image.width()))
        for y in range(min(64, image.height()))
    )


async def test_the_menu_of_a_modern_tray_opens_the_window_and_quits_within_two_seconds(
    desktop: "PrivateDesktop",
) -> None:
    watcher = await desktop.watch_tray()
    await receive(desktop, "HW-20934")
    heedful = await desktop.heedful("run", "--background")
    await until("the icon registers", lambda: bool(watcher.items))
    menu = await desktop.menu_of(watcher)
    await notification(desktop, "HW-20934")
    entries = await menu.entries_with("1 needs you")
    for words in ("Open Intelligence", "Look now", "Pause for 1 hour", "Pause until tomorrow", "Quit"):
        assert words in entries
    assert any("HW-20934" in words for words in entries)
    assert await desktop.windows() == []
    await menu.choose("Open Intelligence")
    await shows_a_window(desktop)
    began = time.monotonic()
    await menu.choose("Quit")
    assert await asyncio.wait_for(heedful.wait(), 10) == 0
    assert time.monotonic() - began <= QUIT_WITHIN_S, own_log(desktop)


async def test_a_tray_that_starts_after_heedful_gets_the_icon_too(desktop: "PrivateDesktop") -> None:
    heedful = await desktop.heedful("run")
    await shows_a_window(desktop)
    watcher = await desktop.watch_tray()
    await until("the icon registers late", lambda: bool(watcher.items))
    assert await end(heedful) == 0


async def test_a_second_start_shows_the_first_ones_window_and_leaves(desktop: "PrivateDesktop") -> None:
    watcher = await desktop.watch_tray()
    first = await desktop.heedful("run", "--background")
    await until("the icon registers", lambda: bool(watcher.items))
    assert await desktop.windows() == []
    second = await desktop.heedful("run")
    assert await asyncio.wait_for(second.wait(), 10) == 0
    await shows_a_window(desktop)
    assert first.returncode is None
    assert await end(first) == 0


async def test_an_ended_session_ends_heedful_in_order(desktop: "PrivateDesktop") -> None:
    heedful = await desktop.heedful("run")
    await shows_a_window(desktop)
    began = time.monotonic()
    assert await end(heedful) == 0
    assert time.monotonic() - began <= QUIT_WITHIN_S, own_log(desktop)
    assert "Traceback" not in desktop.log_of("python")


def own_log(desktop: "PrivateDesktop") -> str:
    """What Heedful wrote into its own log."""
    file = desktop.folder / "home" / "logs" / "heedful.log"
    return file.read_text(encoding="utf-8") if file.exists() else ""


async def shows_a_window(desktop: "PrivateDesktop") -> None:
    """Waits until Heedful's window can be seen."""
    for _ in range(300):
        if await desktop.windows():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("no window")
