"""`heedful activity`: every look and what came of it."""

import argparse
import asyncio

from heedful.cli.command import Command, MisusedError, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, default=30, metavar="N", help="the newest N (default 30)")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    if asked.limit < 1:
        raise MisusedError("--limit takes a number from 1")
    return asyncio.run(_list(asked.limit, terminal))


async def _list(limit: int, terminal: Terminal) -> int:
    from heedful.presenters import machine

    async with terminal.app(read_only=True) as app:
        rows = await app.activity.ticks(limit=limit)
        zone = app.clock.zone
    for row in rows:
        told = row.error or " ".join(row.notes)
        terminal.say(
            f"{row.started_at.astimezone(zone):%a %H:%M}  {row.outcome:11}  {row.duration_ms:6} ms  {told}"
        )
    if not rows:
        terminal.say("Heedful has not looked yet.")
    terminal.give([machine.tick(row) for row in rows])
    return 0


COMMAND = Command("activity", "every look and what came of it", _add_arguments, _run)
