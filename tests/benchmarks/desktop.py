"""What the desktop program costs: its start until the tray icon, its idle hours, a window of 10,000 items."""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from pathlib import Path

import psutil

from tests.benchmarks.report import Figure
from tests.benchmarks.window import window_of
from tests.desktop.private_desktop import PrivateDesktop, end, missing_programs

STARTS = 7
ITEMS = 10_000
WARM_UP_S = 90.0


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section.

    Raises:
        SystemExit: The programs of a private desktop are missing; names them.
    """
    missing = missing_programs()
    if missing:
        raise SystemExit(f"the desktop's figures need: {' '.join(missing.values())}")
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_measure(Path(folder), asked.idle_minutes))
    return [*figures, *_window()]


async def _measure(folder: Path, idle_minutes: float) -> list[Figure]:
    starts = [await _start_to_tray(folder / f"start{turn}") for turn in range(STARTS)]
    memory_mb, load = await _idle(folder / "idle", idle_minutes)
    return [
        Figure("start to tray icon, median", statistics.median(starts), "ms", 600.0, note=f"{STARTS} starts"),
        Figure(f"idle {idle_minutes:g} min, memory (RSS)", memory_mb, "MB", 90.0),
        Figure(f"idle {idle_minutes:g} min, processor", 100 * load, "%", 0.1, note="of one core"),
    ]


async def _start_to_tray(folder: Path) -> float:
    """Milliseconds from the process's start until its icon has registered with a tray."""
    async with PrivateDesktop(folder) as desktop:
        watcher = await desktop.watch_tray()
        began = time.perf_counter()
        process = await desktop.heedful("run", "--background")
        await asyncio.wait_for(watcher.registered.wait(), 30)
        took = (time.perf_counter() - began) * 1000
        await end(process)
        return took


async def _idle(folder: Path, minutes: float) -> tuple[float, float]:
    """Megabytes at the end, and the share of one core over the time, after a first look has gone by."""
    async with PrivateDesktop(folder) as desktop:
        watcher = await desktop.watch_tray()
        process = await desktop.heedful("run", "--background")
        await asyncio.wait_for(watcher.registered.wait(), 30)
        await asyncio.sleep(WARM_UP_S)
        program = psutil.Process(process.pid)
        before = sum(program.cpu_times()[:2])
        await asyncio.sleep(minutes * 60)
        used = sum(program.cpu_times()[:2]) - before
        memory_mb = program.memory_info().rss / 1e6
        await end(process)
        return memory_mb, used / (minutes * 60)


def _window() -> list[Figure]:
    """A window of its own process would load Qt anew each time; one process shows it again and again."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    took = window_of(ITEMS, turns=7)
    return [Figure(f"window with {ITEMS:,} items, shown", statistics.median(took), "ms", 150.0)]
