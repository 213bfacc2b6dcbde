"""`heedful tick`: one look now, to its end."""

import argparse
import asyncio

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none of its own."""


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:  # noqa: ARG001 (the shape of a command)
    return asyncio.run(_tick(terminal))


async def _tick(terminal: Terminal) -> int:
    from heedful.presenters import machine

    async with terminal.app() as app:
        row = await app.loop.tick("command")
    terminal.say(f"{row.outcome}: {row.new} new, {row.updated} updated. {' '.join(row.notes)}".strip())
    for sentence in row.rejected:
        terminal.say(f"  not taken: {sentence}")
    if row.error:
        terminal.progress(row.error)
    terminal.give(machine.tick(row))
    return 1 if row.outcome == "error" else 0


COMMAND = Command("tick", "look once now", _add_arguments, _run)
