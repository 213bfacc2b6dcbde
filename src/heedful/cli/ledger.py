"""`heedful ledger`: every model call, with what was sent and what came back."""

import argparse
import asyncio
from datetime import datetime, timedelta

from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment

MOST_ROWS = 10_000


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--since", type=moment, metavar="ISO", help="calls from then on (default: the last 30 days)"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_list(asked.since, terminal))


async def _list(since: datetime | None, terminal: Terminal) -> int:
    from heedful.presenters import machine

    async with terminal.app(read_only=True) as app:
        begin = since or app.clock.now() - timedelta(days=30)
        entries = await app.inference.ledger.entries(begin, limit=MOST_ROWS)
    for entry in entries:
        terminal.say(
            f"{entry.at:%Y-%m-%d %H:%M}  {entry.provider}/{entry.model} at {entry.host}  {entry.outcome.value}  "
            f"{entry.usage.input} in, {entry.usage.output} out, {entry.duration_ms} ms"
        )
    if not entries:
        terminal.say("No model was called.")
    terminal.give([machine.ledger_entry(entry) for entry in entries])
    return 0


COMMAND = Command("ledger", "every model call", _add_arguments, _run)
