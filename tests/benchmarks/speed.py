"""How fast the store takes in, is searched, and is looked at when nothing is new, at 100,000 chunks."""

import argparse
import asyncio
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from heedful.app import App, build
from heedful.core.paths import home_at
from heedful.memory import Filters, recall, search
from heedful.reading import content_tokens
from heedful.storage import Connection, Key, KeyKind
from tests.benchmarks.corpus import write_messages
from tests.benchmarks.report import Figure

CHUNKS = 100_000
QUERIES = 400
KEY = Key(KeyKind.PASSPHRASE, "5a" * 32)


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), asked.data))


async def _measure(folder: Path, data: Path | None) -> list[Figure]:
    kind = "public chat logs" if data is not None else "generated talk"
    corpus = folder / "corpus.messages.jsonl"
    texts = write_messages(corpus, CHUNKS, data)
    app = await build(home_at(folder / "home"), environment={}, key=KEY)
    try:
        source = await app.library.add(corpus, watched=False)
        report = await app.library.sync(source)
        chunks = await app.store.read(lambda c: c.value("SELECT count(*) FROM chunks"))
        rate = report.intake.new / report.seconds
        first = await app.loop.tick("command")
        quiet = [await _timed_tick(app) for _ in range(25)]
        words = _queries(texts)
        plain = _baseline(app, words)
        figures = [
            Figure("chunks in the encrypted store", float(str(chunks)), "", note=kind),
            Figure("taken in, redacted, chunked and indexed", rate, "messages/s"),
            Figure("first look at all of them", first.duration_ms / 1000, "s"),
            Figure("quiet look, median", statistics.median(quiet), "ms", 20.0),
            Figure("quiet look, p95", _p95(quiet), "ms"),
            Figure("plain FTS5 on the same words, p95", _p95(plain), "ms", note="the peer"),
            Figure("search, p95", _p95(_search(app, words)), "ms", 12.0),
            Figure("recall, p95", _p95(_recall(app, words)), "ms", 12.0),
            Figure("size on disk", app.store.size_bytes / 1e6, "MB"),
        ]
    finally:
        await app.stop()
    return [*figures, *_start_up(folder)]


async def _timed_tick(app: App) -> float:
    began = time.perf_counter()
    row = await app.loop.tick("command")
    if row.outcome != "quiet":
        raise AssertionError(f"the look was {row.outcome}, not quiet")
    return (time.perf_counter() - began) * 1000


def _queries(texts: list[str]) -> list[str]:
    """Two telling words of a random message each."""
    rng = random.Random(11)
    found: list[str] = []
    while len(found) < QUERIES:
        words = content_tokens(rng.choice(texts), "en")
        if len(words) >= 2:
            found.append(" ".join(rng.sample(list(words), 2)))
    return found


def _search(app: App, words: list[str]) -> list[float]:
    return _timed(app, words, lambda c, text: search(c, text, limit=10, filters=Filters()))


def _recall(app: App, words: list[str]) -> list[float]:
    return _timed(app, words, lambda c, text: recall(c, text, limit=10, filters=Filters()))


def _baseline(app: App, words: list[str]) -> list[float]:
    def plain(connection: Connection, text: str) -> object:
        query = " ".join(f'"{word}"' for word in text.split())
        return connection.rows(
            "SELECT rowid FROM chunk_index WHERE chunk_index MATCH ? ORDER BY rank LIMIT 10", (query,)
        )

    return _timed(app, words, plain)


def _timed(app: App, words: list[str], find: Callable[[Connection, str], object]) -> list[float]:
    took = []
    for text in words:
        began = time.perf_counter()
        app.store.read_now(partial(_swapped, find, text))
        took.append((time.perf_counter() - began) * 1000)
    return took


def _swapped(find: Callable[[Connection, str], object], text: str, connection: Connection) -> object:
    return find(connection, text)


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


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]
