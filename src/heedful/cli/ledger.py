"""`heedful ledger`: every model call, with what was sent and what came back."""

import argparse
import asyncio
import json
from datetime import datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment

if TYPE_CHECKING:  # imported when it runs
    from heedful.inference import LedgerEntry

MOST_ROWS = 10_000
SHOWN = 160
"""Characters of what was sent that a person is shown in a line; the whole of it is in the JSON."""


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
        zone = app.clock.zone
    for entry in entries:
        _say(entry, zone, terminal)
    terminal.say(
        "With --json each call has all that was sent and answered." if entries else "No model was called."
    )
    terminal.give([machine.ledger_entry(entry) for entry in entries])
    return 0


def _say(entry: "LedgerEntry", zone: tzinfo, terminal: Terminal) -> None:
    from heedful.presenters.numbers import dollars

    cost = "" if entry.cost_microdollars is None else f", {dollars(entry.cost_microdollars / 1e6)}"
    terminal.say(
        f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M}  {entry.provider}/{entry.model} at {entry.host}  "
        f"{entry.outcome.value}  {entry.usage.input} in, {entry.usage.output} out, {entry.duration_ms} ms{cost}"
    )
    if entry.request is not None:
        sent = " ".join(_asked(entry.request).split())
        terminal.say(f"    sent: {sent[:SHOWN]}{'…' if len(sent) > SHOWN else ''}")


def _asked(request: str) -> str:
    """What was asked, without the prompt before it; texts to embed are as they are."""
    try:
        messages = json.loads(request)
    except (ValueError, RecursionError):
        return request
    match messages:
        case [*_, {"role": "user", "content": str(content)}]:
            return content
    return request


COMMAND = Command("ledger", "every model call", _add_arguments, _run)
