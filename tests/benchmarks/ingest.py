"""How much longer a source takes to be searchable while the memory embeds what came before it.

Alone and beside the running worker by turns, in stores made anew, so that what else the machine does touches both.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from heedful.app import App, build
from heedful.core.paths import home_at
from heedful.memory.work.host_load import AT_FULL_PACE, Pace, Verdict
from heedful.memory.work.kind import Tools
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.storage import Key, KeyKind
from tests.benchmarks.replicated import Told, replicated, write_sources
from tests.benchmarks.report import Figure

KEY = Key(KeyKind.PASSPHRASE, "5a" * 32)
BEFORE, NEW, TURNS = 4_000, 3_000, 5
SLOWER_AT_MOST = 1.05
A_MOMENT_S = 0.01

Beside = Literal["nothing", "the worker", "a worker that never waits"]


def measure(data: Path | None) -> list[Figure]:
    """The share of time that reading takes longer beside the worker, as it runs and as it would without waiting."""
    told = list(islice(replicated(data), BEFORE + NEW))
    ways: tuple[Beside, ...] = ("nothing", "the worker", "a worker that never waits")
    taken: dict[Beside, list[float]] = {way: [] for way in ways}
    for _ in range(TURNS):
        for way in ways:
            with TemporaryDirectory() as folder:
                taken[way].append(asyncio.run(_taken(Path(folder), told, way)))
    alone = taken["nothing"]
    return [
        Figure("reading alone, to searchable", NEW / statistics.median(alone), "messages/s"),
        Figure(
            "reading beside running embedding, against alone", _against(taken["the worker"], alone), "times",
            SLOWER_AT_MOST, note="it waits while a source is read",
        ),
        Figure(
            "the same if it did not wait", _against(taken["a worker that never waits"], alone), "times",
        ),
    ]  # fmt: skip


def _against(beside: Sequence[float], alone: Sequence[float]) -> float:
    return statistics.median(one / other for one, other in zip(beside, alone, strict=True))


async def _taken(folder: Path, told: Sequence[Told], way: Beside) -> float:
    """Seconds in which a file is read beside something, into a store with a backlog."""
    before, new = folder / "before", folder / "new"
    before.mkdir()
    new.mkdir()
    write_sources(before, told[:BEFORE])
    write_sources(new, told[BEFORE:])
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    try:
        for file in before.iterdir():
            await app.library.sync(await app.library.add(file, watched=False))
        sources = [await app.library.add(file, watched=False) for file in new.iterdir()]
        async with _working(app, way):
            began = time.perf_counter()
            for source in sources:
                await app.library.sync(source)
            return time.perf_counter() - began
    finally:
        await app.stop()


@contextlib.asynccontextmanager
async def _working(app: App, way: Beside) -> AsyncIterator[None]:
    """A worker in the middle of embedding."""
    if way == "nothing":
        yield
        return
    gauge: Callable[[], Verdict] = lambda: AT_FULL_PACE  # noqa: E731 (one of two)
    if way == "the worker":
        gauge = lambda: Verdict(Pace.PAUSED) if app.library.is_reading else AT_FULL_PACE  # noqa: E731 (one of two)
    tools = Tools(app.store, app.clock, lambda: "id", meaning=app.meaning)
    worker = Worker(tools, lambda: {"embed": job_kinds()["embed"]}, gauge=gauge)

    async def work() -> None:
        while True:
            await worker.turn()
            await asyncio.sleep(A_MOMENT_S)

    app.supervisor.start("work", work())
    while not await app.store.read(lambda c: c.value("SELECT 1 FROM vectors LIMIT 1")):  # noqa: ASYNC110 (a row tells nobody)
        await asyncio.sleep(A_MOMENT_S)
    try:
        yield
    finally:
        app.supervisor.cancel("work")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    found = measure(parser.parse_args().data)
    sys.stdout.writelines(f"{figure.row()}\n" for figure in found)
    sys.exit(any(not figure.held for figure in found))
