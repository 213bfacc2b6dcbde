"""Native notifications whose buttons still work after Heedful was started anew.

Each button's identifier names this home, the verb and the item, so a press needs no memory of having shown
anything: it is taken apart here and decided on the item as it stands in the store then. On Linux the press is
heard on the session bus itself, because desktop-notifier drops one for a notification that an earlier process
showed; one for a notification of this run is heard through desktop-notifier, because some servers (dunst) tell it
to nobody but the connection that asked. Elsewhere its own handlers, which outlive a process, hear it. A click on
the body names but the server's number for it there, so numbers are kept (`shown_numbers`).

«Sent» is not «seen»: everything is in the window too.
"""

import html
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import SLOT, QObject, Slot
from PySide6.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage, QDBusPendingCallWatcher

from heedful.attention import Notification
from heedful.core.ids import ActionableId
from heedful.desktop.shown_numbers import ShownNumbers

if TYPE_CHECKING:
    from desktop_notifier import DesktopNotifier

log = logging.getLogger(__name__)

SERVICE = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
OPEN = "open"
DEFAULT = "default"
"""The action of a click on the body. Source: Desktop Notifications Specification 1.2, «Basic design», Actions."""
BUS = "org.freedesktop.DBus"
_LOOKALIKES = str.maketrans("<>&", "‹›＆")


@dataclass(frozen=True, slots=True)
class Press:
    """A pressed button: what to do with which item; the verb `open` is a click on the notification itself."""

    verb: str
    item_id: ActionableId


def button_id(home: str, verb: str, item_id: ActionableId) -> str:
    """The identifier of a button, which says all that a press must."""
    return f"heedful/{home}/{verb}/{item_id}"


def pressed(home: str, identifier: str) -> Press | None:
    """What a button's identifier says; None when it is not one of this home's."""
    parts = identifier.split("/")
    if len(parts) != 4 or parts[:2] != ["heedful", home]:
        return None
    return Press(parts[2], ActionableId(parts[3]))


def body_words(text: str, *, markup: bool | None) -> str:
    """The body as the server must get it: text from outside is never read as mark-up.

    While it is not known whether the server reads any (None), what could be some is told by signs that look like it.
    """
    if markup is None:
        return text.translate(_LOOKALIKES)
    return html.escape(text, quote=False) if markup else text


class DesktopNotifications(QObject):
    """Fills attention's `Notifier` port; `on_press` hears every press, also of an earlier run's notification."""

    def __init__(
        self,
        home: str,
        icon: Path | None,
        numbers: ShownNumbers,
        on_press: Callable[[Press], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._numbers = numbers
        self._bus_id = ""
        self._items: dict[str, ActionableId] = {}
        self._home = home
        self._icon = icon
        self._on_press = on_press
        self._markup: bool | None = None if sys.platform.startswith("linux") else False
        self._is_listening = False
        self._backend: DesktopNotifier | None = None
        self._shown: dict[ActionableId, str] = {}
        self._own: dict[int, ActionableId] = {}

    def listen(self) -> None:
        """Hears presses from now on; returns at once, and does nothing when it hears already."""
        if self._is_listening:
            return
        self._is_listening = True
        if not sys.platform.startswith("linux"):
            self._notifier()
            return
        bus = QDBusConnection.sessionBus()
        if not bus.isConnected():
            log.info("no session bus: notifications have no buttons here")
            return
        slot = SLOT("heard(uint,QString,QDBusMessage)")
        bus.connect(SERVICE, PATH, SERVICE, "ActionInvoked", self, slot)  # type: ignore[call-overload] # the stubs ask for bytes, which PySide6 6.11 refuses
        self._ask_for_bus(bus)
        self._ask_for_markup(bus)

    async def show(self, notification: Notification) -> None:
        """Hands the notification to the desktop."""
        import desktop_notifier as native  # 30 ms and 4 MB that only a notification needs

        item_id = notification.item_id
        told = native.Notification(
            title=notification.title,
            message=body_words(notification.body, markup=self._markup),
            urgency=native.Urgency.Critical,
            buttons=tuple(
                native.Button(title=button.label, identifier=button_id(self._home, button.verb, item_id))
                for button in notification.buttons
            ),
        )
        if not sys.platform.startswith("linux"):
            told = replace(told, identifier=button_id(self._home, OPEN, item_id))
        self._items[told.identifier] = item_id
        self._shown[item_id] = await self._notifier().send_notification(told)

    async def withdraw(self, item_id: ActionableId) -> None:
        """Takes away what this run showed about an item."""
        identifier = self._shown.pop(item_id, None)
        if identifier is not None and identifier in await self._notifier().get_current_notifications():
            await self._notifier().clear(identifier)

    @Slot("uint", str, QDBusMessage)
    def heard(self, number: int, identifier: str, message: QDBusMessage) -> None:
        """A button or a body was pressed somewhere on the session bus; those of other programs are not ours to hear."""
        if number in self._own:
            return
        if identifier == DEFAULT:
            item_id = self._numbers.item(f"{self._bus_id} {message.service()}", number)
            press = None if item_id is None else Press(OPEN, item_id)
        else:
            press = pressed(self._home, identifier)
        if press is not None:
            self._on_press(press)

    def _hear_own(self, number: int, identifier: str) -> None:
        """A button or a body of a notification of this run was pressed."""
        item_id = self._own.get(number)
        if item_id is None:
            return
        press = Press(OPEN, item_id) if identifier == DEFAULT else pressed(self._home, identifier)
        if press is not None:
            self._on_press(press)

    def _keep_number(self, identifier: str, number: int) -> None:
        """Asks the bus who the server is that gave the number, and keeps both."""
        item_id = self._items.get(identifier)
        if item_id is None:
            return
        self._own[number] = item_id
        bus = self._bus_interface(QDBusConnection.sessionBus())
        call = QDBusPendingCallWatcher(bus.asyncCallWithArgumentList("GetNameOwner", [SERVICE]), self)
        call.finished.connect(lambda done: self._told_server(done, number, item_id))

    def _told_server(self, call: QDBusPendingCallWatcher, number: int, item_id: ActionableId) -> None:
        words = call.reply().arguments()
        if words and not call.isError():
            self._numbers.keep(f"{self._bus_id} {words[0]}", number, item_id)
        call.deleteLater()

    def _hear_native(self, identifier: str) -> None:
        press = pressed(self._home, identifier)
        if press is not None:
            self._on_press(press)

    def _notifier(self) -> "DesktopNotifier":
        if self._backend is None:
            from desktop_notifier import DesktopNotifier, Icon

            icon = Icon(path=self._icon) if self._icon is not None else None
            if sys.platform.startswith("linux"):
                from heedful.desktop.numbered_notifier import NumberedNotifier

                self._backend = NumberedNotifier("Heedful", icon, self._keep_number, self._hear_own)
            else:
                self._backend = DesktopNotifier(app_name="Heedful", app_icon=icon)
                self._backend.on_button_pressed = lambda _, identifier: self._hear_native(identifier)
                self._backend.on_clicked = self._hear_native
        return self._backend

    def _bus_interface(self, bus: QDBusConnection) -> QDBusInterface:
        return QDBusInterface(BUS, "/org/freedesktop/DBus", BUS, bus, self)

    def _ask_for_bus(self, bus: QDBusConnection) -> None:
        """Asks the bus for its own id, which tells one login from the next."""
        call = QDBusPendingCallWatcher(self._bus_interface(bus).asyncCall("GetId"), self)
        call.finished.connect(self._told_bus)

    def _told_bus(self, call: QDBusPendingCallWatcher) -> None:
        words = call.reply().arguments()
        self._bus_id = str(words[0]) if words else ""
        call.deleteLater()

    def _ask_for_markup(self, bus: QDBusConnection) -> None:
        """Asks the server whether it reads mark-up."""
        server = QDBusInterface(SERVICE, PATH, SERVICE, bus, self)
        call = QDBusPendingCallWatcher(server.asyncCall("GetCapabilities"), self)
        call.finished.connect(self._told_capabilities)

    def _told_capabilities(self, call: QDBusPendingCallWatcher) -> None:
        words = call.reply().arguments()
        if words and not call.isError():
            self._markup = "body-markup" in words[0]
        call.deleteLater()
