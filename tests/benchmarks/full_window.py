"""Prints two medians in milliseconds: a window of so many items from load to paint, and one page more."""

import asyncio
import statistics
import sys
import time

from PySide6.QtWidgets import QApplication

from tests.desktop.stage import open_stage
from tests.fakes import samples

RUNS = 7


async def _run(app: QApplication, number: int) -> tuple[float, float]:
    items = samples.many(number)
    shown, more = [], []
    for _ in range(RUNS):
        stage = open_stage(app)
        stage.decisions.put(*items)
        stage.window.show()
        app.processEvents()
        began = time.perf_counter()
        await stage.open_items.load()
        await stage.today.load()
        stage.window.grab()
        shown.append(time.perf_counter() - began)
        began = time.perf_counter()
        stage.today.show_more()
        stage.window.grab()
        more.append(time.perf_counter() - began)
        await stage.close()
    return statistics.median(shown) * 1000, statistics.median(more) * 1000


if __name__ == "__main__":
    sys.stdout.write("{:.1f} {:.1f}\n".format(*asyncio.run(_run(QApplication([]), int(sys.argv[1])))))
