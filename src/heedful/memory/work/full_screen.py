"""Whether a program fills the screen: a film, a game, a talk before an audience.

Known on Windows and under X11; elsewhere (macOS, a Wayland desktop's own windows) nothing tells a background program
so, and the answer is no.
"""

import os
import shutil
import subprocess
import sys

ASK_WITHIN_S = 0.25

_BUSY_STATES = frozenset([2, 3, 4])
"""Busy, Direct3D in full screen, and presenting.

Source: Windows SDK, QUERY_USER_NOTIFICATION_STATE.
"""


def is_full_screen() -> bool:
    """The answer for now; it may take some milliseconds, so ask from a thread."""
    if sys.platform == "win32":
        return _windows_state() in _BUSY_STATES
    if sys.platform.startswith("linux") and os.environ.get("DISPLAY") and (tool := shutil.which("xprop")):
        window = active_window(_ask(tool, "-root", "_NET_ACTIVE_WINDOW"))
        return window is not None and fills_the_screen(_ask(tool, "-id", window, "_NET_WM_STATE"))
    return False


def active_window(told: str) -> str | None:
    """The window id in what `xprop -root _NET_ACTIVE_WINDOW` prints; None where none is active.

    Source: Extended Window Manager Hints 1.5, «_NET_ACTIVE_WINDOW».
    """
    number = told.rpartition("#")[2].split(",")[0].strip()
    return number if number.startswith("0x") and int(number, 16) else None


def fills_the_screen(told: str) -> bool:
    """Whether what `xprop -id WINDOW _NET_WM_STATE` prints says so.

    Source: Extended Window Manager Hints 1.5, «_NET_WM_STATE».
    """
    return "_NET_WM_STATE_FULLSCREEN" in told


def _ask(tool: str, *arguments: str) -> str:
    try:
        done = subprocess.run(
            [tool, *arguments], capture_output=True, text=True, timeout=ASK_WITHIN_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def _windows_state() -> int:
    """What the shell says of the person's present state; 0 where it says nothing."""
    if sys.platform == "win32":
        import ctypes

        state = ctypes.c_int(0)
        if ctypes.windll.shell32.SHQueryUserNotificationState(ctypes.byref(state)) == 0:
            return state.value
    return 0
