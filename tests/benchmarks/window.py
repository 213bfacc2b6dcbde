"""How long the window takes to show many items: presenters, tabs and painting, on services that answer at once."""

import asyncio
import time

from PySide6.QtWidgets import QApplication

from tests.desktop.stage import open_stage
from tests.fakes import samples


def window_of(items: int, *, turns: int) -> list[float]:
    """Milliseconds from asking for the window until it is painted, turn by turn; the first is not counted."""
    app = QApplication.instance()
    application = app if isinstance(app, QApplication) else QApplication(["heedful-bench"])
    return [asyncio.run(_show(application, items)) for _ in range(turns + 1)][1:]


async def _show(application: QApplication, items: int) -> float:
    stage = open_stage(application)
    stage.decisions.put(*samples.many(items))
    began = time.perf_counter()
    await stage.show("today")
    stage.window.grab()
    took = (time.perf_counter() - began) * 1000
    await stage.close()
    return took
