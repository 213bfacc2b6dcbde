"""`heedful import`: brings files or folders in, once."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.core.events import SourceProgressed


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="PATH",
        help="a mailbox, calendar, chat export or folder, or what `heedful export` wrote",
    )
    parser.add_argument("--source", metavar="KIND", help="what it is, where its content does not tell")
    parser.add_argument(
        "--as", dest="name", metavar="NAME", help="the source's name; the same name is the same source"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_import(asked.paths, asked.source, asked.name, terminal))


async def _import(paths: list[Path], kind: str | None, name: str | None, terminal: Terminal) -> int:
    from heedful.core.errors import HeedfulError

    files: list[dict[str, object]] = []
    failed = False
    new = 0
    async with terminal.app() as app:
        began = app.clock.monotonic()
        for path, called in _spread(paths, name):
            try:
                count, told = await _import_one(app, path, kind, called, terminal)
                new += count
            except HeedfulError as exc:
                terminal.progress(f"{path}: {exc.sentence()}")
                told = {"path": str(path), "kind": kind, "messages_new": 0, "messages_known": 0}
                told["rejected"] = [{"where": str(path), "reason": exc.sentence()}]
                failed = True
            files.append(told)
        seconds = round(app.clock.monotonic() - began, 3)
    terminal.say(f"{new} new in {seconds:.1f} s.")
    terminal.give({"files": files, "messages_new": new, "seconds": seconds})
    return 1 if failed else 0


def _spread(paths: list[Path], name: str | None) -> list[tuple[Path, str | None]]:
    """The paths with their sources' names; an export of Heedful's own as the parts that bring everything back."""
    from heedful.memory.exporting.folder import read_in_again

    found: list[tuple[Path, str | None]] = []
    for path in paths:
        parts = read_in_again(path)
        found += [(part, f"{name} {part.name}" if name else None) for part in parts] or [(path, name)]
    return found


async def _import_one(
    app: "App", path: Path, kind: str | None, name: str | None, terminal: Terminal
) -> tuple[int, dict[str, object]]:
    from heedful.presenters.source_words import empty_words

    def tell(news: "SourceProgressed") -> None:
        of = f" of {news.total:,}" if news.total is not None else ""
        terminal.progress(f"{path.name}: {news.done:,}{of}, {news.rejected} rejected")

    source_id = await app.library.add(path, kind=kind, name=name, watched=False)
    report = await app.library.sync(source_id, path=path, progress=tell)
    row = next(row for row in await app.library.sources() if row.id == source_id)
    intake = report.intake
    terminal.say(
        f"{path} ({row.label}): {intake.new} new, {intake.known} known, {len(report.rejected)} rejected."
    )
    if nothing := empty_words(row):
        terminal.say(f"  {nothing}")
    for rejected in report.rejected:
        terminal.say(f"  {rejected.place}: {rejected.reason}")
    return intake.new, {
        "path": str(path),
        "kind": row.kind,
        "source_id": source_id,
        "messages_new": intake.new,
        "messages_known": intake.known + intake.edited,
        "rejected": [{"where": r.place, "reason": r.reason} for r in report.rejected],
    }


COMMAND = Command("import", "bring files or folders in, once", _add_arguments, _run)
