"""A desktop of the test's own: a screen nobody sees, a session bus, a tray, a keyring, a notification server.

Everything listens on private sockets below one folder, runs as whoever runs the test (root in a container too),
and ends with the test. The notification server and the watcher for tray items are ours, because one must be
able to press a button, and to choose an entry of the tray's menu.
"""

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from dbus_fast import Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_property, dbus_signal, method

PROGRAMS = {
    "Xvfb": "xvfb",
    "dbus-daemon": "dbus-daemon",
    "trayer": "trayer",
    "gnome-keyring-daemon": "gnome-keyring",
    "secret-tool": "libsecret-tools",
    "xdotool": "xdotool",
}
READY_WITHIN_S = 60.0
STEP_S = 0.05


def missing_programs() -> dict[str, str]:
    """Programs of the real desktop that this machine lacks, with the Debian packages that bring them."""
    return {program: package for program, package in PROGRAMS.items() if shutil.which(program) is None}


async def until(what: str, holds: Callable[[], bool], within_s: float = READY_WITHIN_S) -> None:
    """Waits until something holds in another process, which tells nobody when it does."""
    loop = asyncio.get_running_loop()
    end = loop.time() + within_s
    while not holds():
        if loop.time() > end:
            raise AssertionError(f"not within {within_s:.0f} s: {what}")
        await asyncio.sleep(STEP_S)


@dataclass(slots=True)
class Shown:
    """A notification as it came in."""

    number: int
    title: str
    body: str
    actions: dict[str, str]
    urgency: int

    def key(self, label: str) -> str:
        """The action behind a button's label."""
        return next(key for key, words in self.actions.items() if words == label)


class NotificationServer(ServiceInterface):
    """Keeps what is shown; `press` does what a person's click does."""

    def __init__(self) -> None:
        super().__init__("org.freedesktop.Notifications")
        self.shown: list[Shown] = []
        self.asked_capabilities = 0

    @method()
    def GetCapabilities(self) -> "as":  # type: ignore[valid-type] # noqa: N802, F722 (D-Bus names and signatures)
        self.asked_capabilities += 1
        return ["actions", "body", "body-markup", "persistence"]

    @method()
    def GetServerInformation(self) -> "ssss":  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        return ["test", "heedful", "1", "1.2"]

    @method()
    def Notify(  # noqa: N802 (the same)
        self,
        app: "s",  # type: ignore[name-defined] # noqa: F821 (the same)
        replaces: "u",  # type: ignore[name-defined] # noqa: F821 (the same)
        icon: "s",  # type: ignore[name-defined] # noqa: F821 (the same)
        summary: "s",  # type: ignore[name-defined] # noqa: F821 (the same)
        body: "s",  # type: ignore[name-defined] # noqa: F821 (the same)
        actions: "as",  # type: ignore[valid-type] # noqa: F722 (the same)
        hints: "a{sv}",  # type: ignore[valid-type] # noqa: F722 (the same)
        timeout: "i",  # type: ignore[name-defined] # noqa: F821 (the same)
    ) -> "u":  # type: ignore[name-defined] # noqa: F821 (the same)
        words: list[str] = actions
        pairs = dict(zip(words[::2], words[1::2], strict=True))
        urgency: dict[str, Variant] = hints
        self.shown.append(Shown(len(self.shown) + 1, summary, body, pairs, urgency["urgency"].value))
        return len(self.shown)

    @method()
    def CloseNotification(self, number: "u") -> None:  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        self.NotificationClosed(number, 3)

    @dbus_signal()
    def ActionInvoked(self, number: int, key: str) -> "us":  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        return [number, key]

    @dbus_signal()
    def NotificationClosed(self, number: int, reason: int) -> "uu":  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        return [number, reason]

    def press(self, shown: Shown, label: str) -> None:
        """Presses a button of a notification."""
        self.ActionInvoked(shown.number, shown.key(label))
        self.NotificationClosed(shown.number, 2)

    def click(self, shown: Shown) -> None:
        """Clicks a notification's body."""
        self.ActionInvoked(shown.number, "default")
        self.NotificationClosed(shown.number, 2)


class TrayWatcher(ServiceInterface):
    """The modern kind of tray: keeps the items that register."""

    def __init__(self) -> None:
        super().__init__("org.kde.StatusNotifierWatcher")
        self.items: list[str] = []
        self.registered = asyncio.Event()

    @method()
    def RegisterStatusNotifierItem(self, service: "s") -> None:  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        self.items.append(service)
        self.registered.set()

    @method()
    def RegisterStatusNotifierHost(self, service: "s") -> None:  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        """We are the host."""

    @dbus_property(access=PropertyAccess.READ)
    def RegisteredStatusNotifierItems(self) -> "as":  # type: ignore[valid-type] # noqa: N802, F722 (the same)
        return self.items

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> "b":  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        return True

    @dbus_property(access=PropertyAccess.READ)
    def ProtocolVersion(self) -> "i":  # type: ignore[name-defined] # noqa: N802, F821 (the same)
        return 0


@dataclass(slots=True)
class PrivateDesktop:
    """`async with PrivateDesktop(folder) as desktop:` has a screen, a bus, a keyring and a notification server."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    notifications: NotificationServer = field(default_factory=NotificationServer)
    _bus: MessageBus | None = None
    _sender: str = ""
    _running: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        for name in ("run", "data", "config", "cache"):
            (self.folder / name).mkdir(mode=0o700, parents=True)
        address = f"unix:path={self.folder / 'run' / 'bus'}"
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        self.environment = kept | {
            "HOME": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "DBUS_SESSION_BUS_ADDRESS": address,
            "HEEDFUL_HOME": str(self.folder / "home"),
            "QT_QPA_PLATFORM": "xcb",
            "NO_AT_BRIDGE": "1",
        }
        await self._start_screen()
        await self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}")
        await until("the session bus listens", (self.folder / "run" / "bus").exists)
        await self._unlock_keyring()
        self._bus = await MessageBus(bus_address=address).connect()
        self._bus.export("/org/freedesktop/Notifications", self.notifications)
        self._bus.add_message_handler(self._note_sender)
        await self._bus.request_name("org.freedesktop.Notifications")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._bus is not None:
            self._bus.disconnect()
            await self._bus.wait_for_disconnect()  # type: ignore[no-untyped-call] # dbus-fast leaves it untyped
        for process in reversed(self._running):
            await end(process)

    async def start(self, *command: str, stdin: int | None = None) -> asyncio.subprocess.Process:
        """Starts a program on this desktop; it is ended with it."""
        with (self.folder / f"{Path(command[0]).name}.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *command, env=self.environment, stdin=stdin, stdout=log, stderr=log
            )
        self._running.append(process)
        return process

    async def heedful(self, *arguments: str) -> asyncio.subprocess.Process:
        """Starts Heedful."""
        return await self.start(sys.executable, "-m", "heedful", *arguments)

    async def ask(self, *command: str) -> str:
        """Runs a program to its end and returns what it printed."""
        process = await asyncio.create_subprocess_exec(
            *command, env=self.environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        out, _ = await asyncio.wait_for(process.communicate(), READY_WITHIN_S)
        return out.decode()

    async def ask_heedful(self, *arguments: str) -> Any:  # noqa: ANN401 (whatever the command gives)
        """Runs one command of Heedful's and returns its JSON."""
        return json.loads(await self.ask(sys.executable, "-m", "heedful", *arguments, "--json"))

    async def watch_tray(self) -> TrayWatcher:
        """Becomes the modern tray."""
        if self._bus is None:
            raise AssertionError("the desktop is not there")
        watcher = TrayWatcher()
        self._bus.export("/StatusNotifierWatcher", watcher)
        await self._bus.request_name("org.kde.StatusNotifierWatcher")
        return watcher

    async def menu_of(self, watcher: TrayWatcher) -> "TrayMenu":
        """The menu of the first item that registered."""
        if self._bus is None:
            raise AssertionError("the desktop is not there")
        service = watcher.items[0]
        item = await self._interface(service, "/StatusNotifierItem", "org.kde.StatusNotifierItem")
        menu = await self._interface(service, await item.get_menu(), "com.canonical.dbusmenu")
        return TrayMenu(item, menu)

    def _note_sender(self, message: Message) -> None:
        if message.member == "Notify" and message.sender is not None:
            self._sender = message.sender

    async def click_for_the_sender_only(self, shown: Shown) -> None:
        """Clicks a notification's body as dunst does it: nobody but the connection that asked for it is told."""
        if self._bus is None:
            raise AssertionError("the desktop is not there")
        await self._bus.send(
            Message(
                message_type=MessageType.SIGNAL,
                destination=self._sender,
                path="/org/freedesktop/Notifications",
                interface="org.freedesktop.Notifications",
                member="ActionInvoked",
                signature="us",
                body=[shown.number, "default"],
            )
        )

    async def windows(self) -> list[str]:
        """The visible windows that are named Heedful."""
        return (await self.ask("xdotool", "search", "--onlyvisible", "--name", "^Heedful$")).split()

    def log_of(self, program: str) -> str:
        """What a program wrote."""
        file = self.folder / f"{program}.log"
        return file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""

    async def _interface(self, service: str, path: str, name: str) -> Any:  # noqa: ANN401 (made at run time)
        if self._bus is None:
            raise AssertionError("the desktop is not there")
        known = await self._bus.introspect(service, path)
        return self._bus.get_proxy_object(service, path, known).get_interface(name)

    async def _start_screen(self) -> None:
        """Lets the X server choose a free number itself, and tell it."""
        ours, theirs = os.pipe()
        with (self.folder / "Xvfb.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                "Xvfb", "-displayfd", str(theirs), "-screen", "0", "1024x768x24", "-nolisten", "tcp",
                env=self.environment, pass_fds=(theirs,), stdout=log, stderr=log,
            )  # fmt: skip
        self._running.append(process)
        os.close(theirs)
        number = await asyncio.wait_for(asyncio.to_thread(_first_line, ours), READY_WITHIN_S)
        self.environment["DISPLAY"] = f":{number}"

    async def _unlock_keyring(self) -> None:
        process = await self.start(
            "gnome-keyring-daemon",
            "--foreground",
            "--unlock",
            "--components=secrets",
            stdin=asyncio.subprocess.PIPE,
        )
        if process.stdin is None:
            raise AssertionError("the keyring takes no password")
        process.stdin.write(b"\n")
        process.stdin.close()
        for _ in range(100):
            listed = await self.ask(
                "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                "org.freedesktop.DBus.ListNames",
            )  # fmt: skip
            if "org.freedesktop.secrets" in listed:
                return
            await asyncio.sleep(STEP_S)
        raise AssertionError(f"no Secret Service: {self.log_of('gnome-keyring-daemon')}")


@dataclass(slots=True)
class TrayMenu:
    """An item of the modern tray with its menu."""

    item: Any
    menu: Any

    async def entries(self) -> dict[str, int]:
        """The visible entries' words and numbers."""
        await self.menu.call_about_to_show(0)
        _, root = await self.menu.call_get_layout(0, -1, [])
        listed = [child.value for child in root[2]]
        return {
            str(properties["label"].value): number
            for number, properties, _ in listed
            if "label" in properties and properties.get("visible", Variant("b", True)).value
        }

    async def entries_with(self, words: str) -> list[str]:
        """The entries, once one of them says these words."""
        for _ in range(100):
            listed = list(await self.entries())
            if any(words in entry for entry in listed):
                return listed
            await asyncio.sleep(STEP_S)
        raise AssertionError(f"the menu never says {words!r}: {listed}")

    async def choose(self, words: str) -> None:
        """Chooses an entry."""
        number = (await self.entries())[words]
        await self.menu.call_event(number, "clicked", Variant("s", ""), 0)


async def end(process: asyncio.subprocess.Process) -> int:
    """Ends a process, kindly first; returns its exit code."""
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), 5)
        except TimeoutError:
            process.kill()
    return await process.wait()


def _first_line(descriptor: int) -> str:
    with os.fdopen(descriptor, encoding="ascii") as pipe:
        return pipe.readline().strip()


def settings_for(home: Mapping[str, str]) -> Path:
    """The settings file of that environment's home."""
    return Path(home["HEEDFUL_HOME"]) / "config" / "settings.toml"
