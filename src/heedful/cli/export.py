"""`heedful export`: writes everything remembered into a folder, as notes to read and files to read in again."""

import argparse
import asyncio
from dataclasses import asdict
from pathlib import Path

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="an empty folder, or an earlier export")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_export(asked.folder, terminal))


async def _export(folder: Path, terminal: Terminal) -> int:
    from heedful.actionables import State
    from heedful.memory.exporting.vault import export
    from heedful.presenters import machine

    async with terminal.app(read_only=True) as app:
        items = [machine.actionable(item) for item in await app.decisions.items(states=tuple(State))]
        sources = [machine.source(row) for row in await app.library.sources()]
        now, zone = app.clock.now(), app.clock.zone
        done = await app.store.read(
            lambda connection: export(connection, folder, items=items, sources=sources, now=now, zone=zone)
        )
    terminal.say(
        f"{folder}: {done.messages} messages, {done.events} events, {len(items)} items, {done.notes} notes in "
        f"{done.files} files. They are not encrypted. Open the folder as a vault in Obsidian, or in any editor."
    )
    terminal.give({**asdict(done), "items": len(items), "folder": str(folder)})
    return 0


COMMAND = Command("export", "write everything remembered into a folder", _add_arguments, _run)
