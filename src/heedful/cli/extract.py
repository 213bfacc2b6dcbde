"""`heedful extract`: the actionables of some files, with nothing of them stored."""

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.actionables import Actionable
    from heedful.app import App


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="a mailbox, calendar, chat export or folder"
    )
    parser.add_argument("--source", metavar="KIND", help="what it is, where its content does not tell")
    parser.add_argument(
        "--provider", metavar="P", help="ask this provider too, as set and agreed to in the home"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_extract(asked, terminal))


async def _extract(asked: argparse.Namespace, terminal: Terminal) -> int:
    import tempfile

    from heedful.presenters import machine

    with tempfile.TemporaryDirectory(prefix="heedful-extract-") as folder:
        if asked.provider in (None, "builtin"):
            items = await _found(asked, terminal, Path(folder), None)
        else:
            async with terminal.app() as real:
                items = await _found(asked, terminal, Path(folder), real)
    for item in items:
        terminal.say(f"{item.draft.priority.value:9}  {item.draft.title}")
        for evidence in item.draft.evidence:
            terminal.say(f"    “{' '.join(evidence.quote.split())}”")
    if not items:
        terminal.say("Nothing in there needs you.")
    terminal.give([machine.actionable(item) for item in items])
    return 0


async def _found(
    asked: argparse.Namespace, terminal: Terminal, folder: Path, real: "App | None"
) -> "tuple[Actionable, ...]":
    """The items, by way of a store that is encrypted with a key nobody keeps and goes with its folder."""
    import secrets

    from heedful.app import build
    from heedful.core.errors import UserCanFixError
    from heedful.core.paths import home_at
    from heedful.storage import Key, KeyKind

    throw_away = Key(KeyKind.PASSPHRASE, secrets.token_hex(32))
    if real is not None and real.settings.provider.preset != asked.provider:
        raise UserCanFixError(
            f"The provider {asked.provider} is not the one in use", "", "Choose it in Settings first."
        )
    lent = None if real is None else real.inference
    app = await build(home_at(folder), environment=terminal.environment, key=throw_away, inference=lent)
    try:
        for path in asked.paths:
            source_id = await app.library.add(path, kind=asked.source, watched=False)
            report = await app.library.sync(source_id)
            for rejected in report.rejected:
                terminal.progress(f"{path}: {rejected.place}: {rejected.reason}")
        row = await app.loop.tick("command")
        if row.error:
            terminal.progress(row.error)
        for note in (*row.notes, *row.rejected):
            terminal.progress(note)
        return await app.decisions.items()
    finally:
        await app.stop()


COMMAND = Command("extract", "what needs you in some files, nothing stored", _add_arguments, _run)
