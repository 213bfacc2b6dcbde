"""`heedful sources`: lists and manages sources."""

import argparse
import asyncio
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from heedful.cli.command import Command, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.memory import SourceRow


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    verbs.add_parser("list", help="all sources")
    add = verbs.add_parser("add", help="read a path now and whenever it changes")
    add.add_argument("path", type=Path)
    add.add_argument("--source", metavar="KIND")
    add.add_argument("--as", dest="name", metavar="NAME")
    for verb, told in (
        ("remove", "forget a source and what only it brought in"),
        ("pause", "stop reading it"),
        ("resume", "read it again"),
        ("sync", "read it now"),
        ("keep-local", "nothing of it may leave this machine"),
        ("allow", "a chosen provider may see it"),
    ):
        verbs.add_parser(verb, help=told).add_argument("id")
    reconcile = verbs.add_parser("reconcile", help="compare all it holds with what is remembered of it")
    reconcile.add_argument("id")
    reconcile.add_argument(
        "--believe-missing", action="store_true", help="forget what is not there, however much it is"
    )
    keep = verbs.add_parser("keep-for", help="forget what it brought in so many days after it was sent")
    keep.add_argument("id")
    keep.add_argument("days", type=_days, metavar="DAYS", help="a number from 1, or `ever`")


def _days(text: str) -> int | None:
    if text == "ever":
        return None
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("say a number of days from 1, or `ever`")
    return int(text)


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_do(asked, terminal))


async def _do(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.presenters import machine

    verb = asked.verb or "list"
    async with terminal.app(read_only=verb == "list") as app:
        await _change(app, verb, asked)
        rows = await app.library.sources()
        now = app.clock.now()
    for row in rows:
        _say(row, now, terminal)
    if not rows:
        terminal.say("There are no sources yet. Add one with `heedful sources add PATH`.")
    terminal.give([machine.source(row) for row in rows])
    return 0


def _say(row: "SourceRow", now: datetime, terminal: Terminal) -> None:
    from heedful.presenters import source_words as words

    parts = [
        f"{row.id}  {row.label}: {row.name}",
        words.things(row, row.messages) + (f", {row.rejected} rejected" if row.rejected else ""),
        words.standing(row, now),
        words.fresh_words(row, now),
        words.pending_words(row),
        "stays on this computer" if row.egress == "local-only" else "",
        words.kept_words(row),
    ]
    terminal.say(" · ".join(part for part in parts if part))
    if row.error:
        terminal.say(f"    {row.error}")
    if stopped := words.stop_words(row, now):
        terminal.say(f"    {stopped} The next reading goes on from there.")
    if unread := words.unread_words(row):
        terminal.say(f"    {unread}")
    if missing := words.missing_words(row):
        say_so = f" If they were deleted, say so: heedful sources reconcile {row.id} --believe-missing"
        terminal.say(f"    {missing}{say_so if words.belief_words(row) else ''}")


async def _change(app: "App", verb: str, asked: argparse.Namespace) -> None:
    from heedful.core.ids import SourceId

    library = app.library
    match verb:
        case "add":
            await library.sync(await library.add(asked.path, kind=asked.source, name=asked.name))
        case "remove":
            await library.remove(SourceId(asked.id))
        case "pause":
            await library.pause(SourceId(asked.id))
        case "resume":
            await library.resume(SourceId(asked.id))
        case "sync":
            await library.sync(SourceId(asked.id))
        case "reconcile":
            await library.reconcile(SourceId(asked.id), believes=asked.believe_missing)
        case "keep-local":
            await library.set_egress(SourceId(asked.id), "local-only")
        case "allow":
            await library.set_egress(SourceId(asked.id), "allowed")
        case "keep-for":
            await library.keep_for(SourceId(asked.id), asked.days)


COMMAND = Command("sources", "list and manage sources", _add_arguments, _run)
