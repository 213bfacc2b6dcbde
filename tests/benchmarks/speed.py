"""How fast the store takes in, is searched, and is looked at when nothing is new, at 100,000 chunks and at more."""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from heedful.app import App, build
from heedful.core.paths import home_at
from heedful.memory import SyncReport
from heedful.memory.embeddings.read_ahead import read_ahead
from heedful.memory.embeddings.vector_numpy import np
from heedful.storage import Connection, Key, KeyKind
from tests.benchmarks.derived_vectors import derive, embed
from tests.benchmarks.finding import Bounds, measure_finding, name_a_person, p95
from tests.benchmarks.kept import is_whole, mark_whole, place_for
from tests.benchmarks.replicated import Told, replicated, write_sources
from tests.benchmarks.report import Figure

KEY = Key(KeyKind.PASSPHRASE, "5a" * 32)
QUIET_LOOKS = 25
VECTORS = "vectors.npy"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured: messages, passages embedded for real (the rest get derived vectors), look-ups a kind."""

    messages: int
    embedded: int
    queries: int


USUAL = Size(messages=100_000, embedded=1_000_000, queries=300)
IN_TIME = Bounds(finding=12.0, vectors=5.0)


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section."""
    with place_for("speed", asked.store) as folder:
        return [*measure_at(USUAL, IN_TIME, folder, asked.data), *_start_up(folder)]


def measure_at(size: Size, bounds: Bounds, folder: Path, data: Path | None) -> list[Figure]:
    """Fills a store of this size where none is, with what it does on the way, and measures how it is asked then."""
    told = list(islice(replicated(data), size.messages))
    if is_whole(folder):  # read once, it lies in the system's cache like one that was built just now
        read_ahead([home_at(folder / "home").database])
        figures = []
    else:
        figures = _built(size, folder, told)
    figures += asyncio.run(_looked_at(folder, "public chat logs" if data is not None else "generated talk"))
    reader = Connection(home_at(folder / "home").database, KEY.hex, read_only=True)
    vectors = folder / VECTORS
    exact = np.load(vectors, mmap_mode="r") if vectors.exists() else None
    texts = [one.text for one in told]
    figures += measure_finding(reader, texts, bounds, queries=size.queries, exact=exact)
    reader.close()
    return figures


def _built(size: Size, folder: Path, told: Sequence[Told]) -> list[Figure]:
    figures = asyncio.run(_filled(folder, write_sources(folder, told)))
    writer = Connection(home_at(folder / "home").database, KEY.hex)
    figures.append(_given_vectors(writer, size, folder))
    name_a_person(writer)
    writer.close()
    mark_whole(folder)
    return figures


def _given_vectors(connection: Connection, size: Size, folder: Path) -> Figure:
    """Embeds what is to be embedded, and derives the rest; keeps the vectors as they were made, where all were."""
    began = time.perf_counter()
    real = embed(connection, size.embedded)
    rate = len(real) / (time.perf_counter() - began)
    derived = derive(connection, str(connection.value("SELECT name FROM embedding_models")), real)
    note = "one thread, in the background" + (
        f"; {derived:,} more are sums of two of them" if derived else ""
    )
    if size.embedded >= size.messages:
        np.save(folder / VECTORS, real)
    return Figure("passages given vectors by the model", rate, "vectors/s", note=note)


async def _filled(folder: Path, files: list[Path]) -> list[Figure]:
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    try:
        reports = [await _taken_in(app, file) for file in files]
        rate = sum(report.intake.new for report in reports) / sum(report.seconds for report in reports)
        size = app.store.size_bytes / 1e6
        first = await app.loop.tick("command")
        return [
            Figure("taken in, redacted, chunked and indexed", rate, "messages/s", note="no vectors yet"),
            Figure("size on disk, without vectors", size, "MB"),
            Figure("first look at all of them", first.duration_ms / 1000, "s"),
        ]
    finally:
        await app.stop()


async def _looked_at(folder: Path, kind: str) -> list[Figure]:
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    try:
        chunks = await app.store.read(lambda c: c.value("SELECT count(*) FROM chunks"))
        quiet = [await _timed_tick(app) for _ in range(QUIET_LOOKS)]
        return [
            Figure("chunks in the encrypted store", float(str(chunks)), "", note=kind),
            Figure("quiet look, median", statistics.median(quiet), "ms", 20.0),
            Figure("quiet look, p95", p95(quiet), "ms"),
        ]
    finally:
        await app.stop()


async def _taken_in(app: App, file: Path) -> SyncReport:
    return await app.library.sync(await app.library.add(file, watched=False))


async def _timed_tick(app: App) -> float:
    began = time.perf_counter()
    row = await app.loop.tick("command")
    if row.outcome != "quiet":
        raise AssertionError(f"the look was {row.outcome}, not quiet")
    return (time.perf_counter() - began) * 1000


def _start_up(folder: Path) -> list[Figure]:
    """Whole processes of `heedful items`, beside an interpreter that does nothing."""
    environment = {**os.environ, "HEEDFUL_HOME": str(folder / "small"), "HEEDFUL_PASSPHRASE": "bench"}
    command = [sys.executable, "-m", "heedful", "items"]
    bare = _processes([sys.executable, "-c", "pass"], environment)
    items = _processes(command, environment)
    return [
        Figure("a bare interpreter", bare, "ms", note="median of 9 processes"),
        Figure("`heedful items`, passphrase derived", items, "ms", 250.0, note="median of 9 processes"),
    ]


def _processes(command: list[str], environment: dict[str, str]) -> float:
    took = []
    for _ in range(10):
        began = time.perf_counter()
        subprocess.run(command, env=environment, check=True, capture_output=True)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took[1:])
