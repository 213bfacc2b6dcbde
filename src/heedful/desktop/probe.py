"""What the desktop here can do: `heedful run --probe` prints it.

`heedful doctor` starts that as a process of its own, so that a Qt that can't load takes nothing else down.
"""

import sys
from collections.abc import Mapping

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from heedful.core.errors import UserCanFixError

Check = dict[str, object]


def require_screen(environment: Mapping[str, str]) -> None:
    """Qt would end the whole process without one, with words that help nobody.

    Raises:
        UserCanFixError: There is no screen to show anything on.
    """
    if sys.platform != "linux":
        return
    if not any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise UserCanFixError(
            "There is no screen to show a window on",
            "Neither DISPLAY nor WAYLAND_DISPLAY is set.",
            "Start it in a desktop session, or without a window: heedful run --headless.",
        )


def checks(environment: Mapping[str, str]) -> list[Check]:
    """Qt, the tray and notifications: each with a fix where it is missing; the screen alone where there is none."""
    try:
        require_screen(environment)
    except UserCanFixError as exc:
        return [_check("desktop", f"{exc.title}. {exc.message}", fix=exc.hint)]
    application = QApplication.instance() or QApplication(["heedful-probe"])
    platform = QApplication.platformName()
    found = [_check("qt", f"{qVersion()} on {platform}")]
    if QSystemTrayIcon.isSystemTrayAvailable():
        found.append(_check("tray", "there is one"))
    else:
        found.append(
            _check(
                "tray", "none, so the window stays open", fix="On GNOME, install the AppIndicator extension."
            )
        )
    found.append(_notifications())
    del application
    return found


def _notifications() -> Check:
    if sys.platform != "linux":
        return _check("notifications", "by the system")
    if _has_server():
        return _check("notifications", "a server answers")
    return _check("notifications", "no server answers", fix="Install a notification daemon, such as dunst.")


def _has_server() -> bool:
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection.sessionBus()
    interface = bus.interface() if bus.isConnected() else None
    if interface is None:
        return False
    name = "org.freedesktop.Notifications"
    return (
        bool(interface.isServiceRegistered(name).value())
        or name in interface.activatableServiceNames().value()
    )


def _check(name: str, detail: str, *, fix: str = "") -> Check:
    return {"check": name, "ok": not fix, "detail": detail, "fix": fix}
