"""`heedful why`: why an item exists, or why a message stayed silent."""

import argparse
import asyncio

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="an item's or a message's id, or words from the message")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_why(asked.id, terminal))


async def _why(asked: str, terminal: Terminal) -> int:
    from heedful.presenters import machine

    async with terminal.app(read_only=True) as app:
        why = await app.activity.why(asked)
    terminal.say(f"{why.subject}: {why.verdict}")
    for reason in why.reasons:
        terminal.say(f"  {reason}")
    terminal.give(machine.explanation(why))
    return 0


COMMAND = Command("why", "why an item exists, or a message stayed silent", _add_arguments, _run)
