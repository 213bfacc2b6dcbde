"""The only Qt: the loop it shares with asyncio, the tray, notifications, and the Intelligence window.

From outside: `run_desktop`. Widgets draw what presenters say and call what presenters offer; they decide nothing. A
tab is one file in `window/` that offers `TAB`.
"""

from heedful.desktop.run import run_desktop

__all__ = ["run_desktop"]
