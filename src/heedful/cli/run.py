"""`heedful run`: the tray app, or the same loops without a screen."""

import argparse
import asyncio
import signal
from pathlib import Path

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--headless", action="store_true", help="run the loops without a window")
    parser.add_argument("--demo", action="store_true", help="show a sample mailbox in a throw-away home")
    parser.add_argument("--probe", action="store_true", help="only say what the desktop here can do, as JSON")
    parser.add_argument("--background", action="store_true", help="start hidden in the tray")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    if asked.headless:
        return asyncio.run(_headless(terminal))
    if asked.probe:
        from heedful.desktop.probe import checks

        terminal.row(checks(terminal.environment))
        return 0
    if asked.demo:
        return _demo(terminal, background=asked.background)
    from heedful.desktop import run_desktop  # the only place that brings Qt in

    return run_desktop(terminal.home, background=asked.background, environment=terminal.environment)


def _demo(terminal: Terminal, *, background: bool) -> int:
    """The app on a sample mailbox, in a home that goes when it ends."""
    import tempfile

    from heedful.core.paths import home_at
    from heedful.desktop import run_desktop
    from heedful.desktop.demo import furnish

    with tempfile.TemporaryDirectory(prefix="heedful-demo-") as folder:
        home = home_at(Path(folder))
        asyncio.run(furnish(home, Path(folder) / "sample"))
        return run_desktop(home, demo=True, background=background, environment=terminal.environment)


async def _headless(terminal: Terminal) -> int:
    from heedful.core.logs import log_to, stop_logging

    handler = log_to(terminal.home.logs)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM"):
        if hasattr(signal, name) and hasattr(loop, "add_signal_handler"):
            loop.add_signal_handler(getattr(signal, name), ended.set)
    try:
        async with terminal.app() as app:
            await app.start()
            terminal.progress("Heedful runs without a window; stop it with Ctrl-C.")
            await ended.wait()
    finally:
        stop_logging(handler)
    return 0


COMMAND = Command("run", "start Heedful", _add_arguments, _run)
