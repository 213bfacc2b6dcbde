"""`heedful mcp`: the memory for other programs, on standard input and output; and the record of what they read."""

import argparse
import asyncio
import gc
import logging
import os
import secrets
import sys
from typing import TYPE_CHECKING

from heedful.cli.command import Command, MisusedError, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.mcp_server import OpenMemory
    from heedful.memory.reads import Read
    from heedful.storage import Key


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--client",
        metavar="NAME",
        help="the name of [clients.NAME] in the settings, whatever the program says",
    )
    parser.add_argument("--reads", action="store_true", help="show what other programs read, and end")
    parser.add_argument("-k", type=int, default=50, metavar="N", help="with --reads: at most N (default 50)")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    if asked.k < 1:
        raise MisusedError("-k takes a number from 1")
    if asked.reads:
        return _show_reads(asked, terminal)
    return asyncio.run(_serve(asked, terminal))


async def _serve(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.core import logs

    sink = _claimed_output()
    handler = logs.log_to(terminal.home.logs)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # it logs what was asked and answered
    gc.disable()  # the SDK builds thousands of models as it loads; a fifth of the start went to sifting them
    try:
        from heedful.core.clock import SystemClock
        from heedful.mcp_server import Desk, Wire, every_tool, serve

        gc.freeze()
        gc.enable()
        desk = Desk(
            terminal.home, SystemClock(), lambda: _open(terminal), every_tool(), lambda: secrets.token_hex(4)
        )
        await serve(desk, Wire(sys.stdin.fileno(), sink), client=asked.client)
    finally:
        logs.stop_logging(handler)
    return 0


def _claimed_output() -> int:
    """A descriptor of its own for the protocol; whatever else is printed from now on goes to standard error."""
    sink = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return sink


async def _open(terminal: Terminal) -> "OpenMemory":
    from heedful.core.bus import Bus
    from heedful.core.clock import SystemClock
    from heedful.core.settings import load_settings
    from heedful.mcp_server import OpenMemory
    from heedful.memory import Meaning
    from heedful.memory.reads import Reads
    from heedful.storage import Store

    meaning = Meaning(lambda: load_settings(terminal.home.settings).embeddings)

    def opened() -> OpenMemory:
        key = _unlocked(terminal)
        store = Store.open(terminal.home, key, Bus(), read_only=True)
        try:
            return OpenMemory(store, meaning, Reads.open(terminal.home, key, now=SystemClock().now()))
        except BaseException:
            store.close()
            raise

    return await asyncio.to_thread(opened)


def _unlocked(terminal: Terminal) -> "Key":
    from heedful.core.secrets import KeyringSecrets
    from heedful.storage import unlock

    return unlock(
        terminal.home, KeyringSecrets(terminal.home.name), terminal.environment.get("HEEDFUL_PASSPHRASE")
    )


def _show_reads(asked: argparse.Namespace, terminal: Terminal) -> int:
    rows = _reads(asked, terminal)
    for row in rows:
        told = f"{len(row.handed)} handed out" if row.outcome == "answered" else f"{row.outcome}: {row.note}"
        terminal.say(
            f"{row.at.astimezone():%Y-%m-%d %H:%M:%S}  {row.client}  {row.tool}  {told}\n    {row.arguments}"
        )
    if not rows:
        terminal.say("No other program has read anything.")
    terminal.give([_as_json(row) for row in rows])
    return 0


def _reads(asked: argparse.Namespace, terminal: Terminal) -> "list[Read]":
    from heedful.core.clock import SystemClock
    from heedful.memory.reads import Reads, place_of

    if not place_of(terminal.home).exists():
        return []
    record = Reads.open(terminal.home, _unlocked(terminal), now=SystemClock().now())
    try:
        return record.newest(limit=asked.k)
    finally:
        record.close()


def _as_json(row: "Read") -> dict[str, object]:
    return {
        "at": row.at.isoformat(timespec="milliseconds"),
        "client": row.client,
        "tool": row.tool,
        "arguments": row.arguments,
        "outcome": row.outcome,
        "note": row.note,
        "handed": list(row.handed),
        "duration_ms": row.duration_ms,
    }


COMMAND = Command("mcp", "let other programs read the memory", _add_arguments, _run)
