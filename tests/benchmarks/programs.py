"""What another program waits for: `heedful mcp` as a process of its own, on a settled memory of 100,000 chunks.

Times are of whole round trips through the pipes, with the row that each call leaves in the record, after one call
that does not count. The narrowed program may see one of two sources, the one whose messages are all the older ones.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from heedful.app import build
from heedful.core.paths import home_at
from tests.benchmarks.corpus import write_messages
from tests.benchmarks.kept import is_whole, mark_whole, place_for
from tests.benchmarks.report import Figure
from tests.mcp_server.by_hand import Spoken, command, speaking

CHUNKS = 100_000
OLDER_SHARE = 0.6
CALLS = 30
STARTS = 7
ENVIRONMENT = {"HEEDFUL_PASSPHRASE": "bench"}
NO_MODEL = '[embeddings]\nkind = "none"\n'
NARROWED = "[clients.by-hand]\nsources = ['older']\n"


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section."""
    with place_for("programs", asked.store) as folder:
        return asyncio.run(_measure(folder, asked.data))


async def _measure(folder: Path, data: Path | None) -> list[Figure]:
    home = home_at(folder / "home")
    files = () if is_whole(folder) else _parts(folder, data)
    home.config.mkdir(parents=True, exist_ok=True)
    home.settings.write_text(NO_MODEL, encoding="utf-8")
    await _settled(folder, files)
    mark_whole(folder)
    figures = [*_start(folder / "home"), *await _calls(folder / "home", "")]
    home.settings.write_text(NO_MODEL + NARROWED, encoding="utf-8")
    return [*figures, *await _calls(folder / "home", ", narrowed")]


async def _settled(folder: Path, files: Sequence[Path]) -> None:
    app = await build(home_at(folder / "home"), environment=ENVIRONMENT)
    try:
        for file in files:
            await app.library.sync(await app.library.add(file, name=file.name.split(".")[0], watched=False))
        await app.worker.settle()
    finally:
        await app.stop()


def _parts(folder: Path, data: Path | None) -> tuple[Path, Path]:
    whole = folder / "whole.jsonl"
    write_messages(whole, CHUNKS, data)
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    cut = int(OLDER_SHARE * len(lines))
    older, newer = folder / "older.messages.jsonl", folder / "newer.messages.jsonl"
    older.write_text("".join(lines[:cut]), encoding="utf-8")
    newer.write_text("".join(lines[cut:]), encoding="utf-8")
    return older, newer


def _start(home: Path) -> list[Figure]:
    """A process that is asked nothing, and what the SDK's own import is of that."""
    return [
        Figure(
            "the SDK's own import", _median_of([sys.executable, "-c", "import mcp.server.lowlevel"]), "ms"
        ),
        Figure("ready, and ended at once", _median_of(command(home)), "ms", note=f"median of {STARTS}"),
    ]


async def _calls(home: Path, narrowed: str) -> list[Figure]:
    async with speaking(command(home), ENVIRONMENT) as program:
        (chunk, *_) = (await program.asks("tree.browse"))["chunks"]
        (entity, *_) = (await program.asks("tree.top_entities"))["entities"]
        calls: tuple[tuple[str, dict[str, object], float], ...] = (
            ("tree.list_sources", {}, 50.0),
            ("tree.top_entities", {}, 100.0),
            ("tree.browse", {}, 100.0),
            ("tree.browse", {"entity": entity["id"]}, 100.0),
            ("tree.read_chunk", {"chunk_id": chunk["id"]}, 50.0),
            ("memory.search", {"query": "kernel driver"}, 50.0),
            ("memory.recall", {"query": "how do I install the wireless driver?"}, 50.0),
        )
        return [
            Figure(
                f"{tool}{' of an entity' if 'entity' in arguments else ''}{narrowed}, p95",
                await _p95(program, tool, arguments),
                "ms",
                bound,
            )
            for tool, arguments, bound in calls
        ]


async def _p95(program: Spoken, tool: str, arguments: dict[str, object]) -> float:
    took = []
    await program.asks(tool, **arguments)
    for _ in range(CALLS):
        began = time.perf_counter()
        await program.asks(tool, **arguments)
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)[int(0.95 * len(took))]


def _median_of(arguments: list[str]) -> float:
    """Milliseconds of whole processes that are told nothing."""
    took = []
    for _ in range(STARTS + 1):
        began = time.perf_counter()
        subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            env={**os.environ, **ENVIRONMENT},
        )
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took[1:])
