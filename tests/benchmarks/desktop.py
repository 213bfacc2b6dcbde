"""Start to tray, what the program costs while nothing happens, the end, a window of ten thousand items, and frames.

Measured on a private X server with a session bus, a tray and a keyring: the program as a person runs it.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.kept import place_for
from tests.benchmarks.report import Figure
from tests.desktop.private_desktop import READY_WITHIN_S, PrivateDesktop, end, settings_for, until

STARTS = 5
ITEMS = 10_000
PASSAGES = 100_000
FRAME_MS = 16.0
# The first look comes with the first minute, so that what it loads is counted as idle memory.
SETTINGS = "[loop]\nfirst_look_after_s = 0\n"


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section."""
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_program(Path(folder) / "d", asked.idle_minutes))
    with place_for("desktop", asked.store) as kept:
        figures += _memory(kept, asked.data)
    return [*figures, *_window()]


async def _program(folder: Path, idle_minutes: float) -> list[Figure]:
    async with PrivateDesktop(folder) as desktop:
        file = settings_for(desktop.environment)
        file.parent.mkdir(parents=True)
        file.write_text(SETTINGS, encoding="utf-8")
        watcher = await desktop.watch_tray()
        starts, ends = [], []
        for _ in range(STARTS):
            watcher.registered.clear()
            began = time.perf_counter()
            program = await desktop.heedful("run", "--background")
            await asyncio.wait_for(watcher.registered.wait(), READY_WITHIN_S)
            starts.append(time.perf_counter() - began)
            await asyncio.sleep(2)
            began = time.perf_counter()
            await end(program)
            ends.append(time.perf_counter() - began)
        figures = [
            Figure("start to tray, median", statistics.median(starts) * 1000, "ms", 600.0),
            Figure("told to quit to ended, worst", max(ends) * 1000, "ms", 2000.0),
        ]
        return figures + await _idle(desktop, idle_minutes)


async def _idle(desktop: PrivateDesktop, minutes: float) -> list[Figure]:
    program = await desktop.heedful("run", "--background")
    await until("the first look", lambda: desktop.notifications.asked_capabilities > 0)
    await asyncio.sleep(10)
    _forget_what_was_touched(program.pid)
    before = _cpu_s(program.pid)
    await asyncio.sleep(minutes * 60)
    cpu = (_cpu_s(program.pid) - before) / (minutes * 60) * 100
    memory = _memory_mb(program.pid)
    await end(program)
    note = f"after {minutes:g} min in the tray"
    return [
        Figure("idle, resident memory", memory["Rss"], "MB", 90.0, note=note),
        Figure(
            "idle, of that the program's own",
            memory["Anonymous"],
            "MB",
            note="the rest is code mapped from files",
        ),
        Figure("idle, touched at all in that time", memory["Referenced"], "MB", note="the working set"),
        Figure("idle, processor", cpu, "%", 0.1, note=note),
    ]


def _forget_what_was_touched(process: int) -> None:
    Path(f"/proc/{process}/clear_refs").write_text("1")


def _cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(process: int) -> dict[str, float]:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) / 1000 for line in lines}


def _window() -> list[Figure]:
    """In a process of its own, because Qt's platform is chosen once."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.full_window", str(ITEMS)],
        capture_output=True, text=True, check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    shown, more = (float(word) for word in done.stdout.split())
    return [
        Figure("window with 10,000 items, loaded to painted", shown, "ms", 150.0, note="median of 7"),
        Figure("one more page on scrolling", more, "ms"),
    ]


def _memory(folder: Path, data: Path | None) -> list[Figure]:
    """The longest time in which the window could neither draw nor hear a key, for each way of using the tab."""
    command = [sys.executable, "-m", "tests.benchmarks.memory_window", str(folder), str(PASSAGES)]
    done = subprocess.run(
        [*command, *([] if data is None else [str(data)])],
        capture_output=True, text=True, check=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    return [_frames(json.loads(line)) for line in done.stdout.splitlines()]


def _frames(told: dict[str, float | str]) -> Figure:
    worked = f"of that {told['worked_ms']} ms its own work, {told['late']} of {told['beats']} beats late"
    bound = None if told["beside"] else FRAME_MS
    what = f"Memory tab at 100,000 passages, {told['activity']}: longest stall"
    return Figure(what, float(told["wall_ms"]), "ms", bound, note=worked)
