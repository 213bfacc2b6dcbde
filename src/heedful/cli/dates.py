"""`heedful dates`: what is understood as a date or time in a text, relative to a moment."""

import argparse
from datetime import datetime

from heedful.cli import batches
from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment
from heedful.cli.spoken import is_known, spoken


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    batches.add_arguments(parser, 'JSONL of {"id","text","at","lang"}')
    parser.add_argument(
        "--at", type=moment, metavar="ISO", help="the moment the text was written (default: now)"
    )
    parser.add_argument("--lang", type=spoken, default="en", help="the text's language (default: en)")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.core.clock import SystemClock
    from heedful.presenters import machine
    from heedful.reading import find_dates

    if asked.batch is not None:
        unknown: set[str] = set()
        for row in batches.rows(asked.batch, frozenset({"id", "text", "at", "lang"}), frozenset()):
            if (lang := str(row["lang"])) not in unknown and not is_known(lang):
                unknown.add(lang)
                terminal.progress(f"{lang} is no language that Heedful reads; its rows are read as English.")
            found = find_dates(str(row["text"]), at=_aware(row["at"]), lang=str(row["lang"]))
            answer = {"id": row["id"], "dates": [machine.date_mention(mention) for mention in found]}
            terminal.row(answer)
        return 0
    clock = SystemClock()
    at = asked.at or clock.now().astimezone(clock.zone)
    found = find_dates(batches.one_text(asked), at=at, lang=asked.lang)
    for mention in found:
        terminal.say(
            f"{mention.text}: {mention.kind} {machine.moment(mention.begin)} – {machine.moment(mention.finish)}"
        )
    if not found:
        terminal.say("No date was understood.")
    terminal.give([machine.date_mention(mention) for mention in found])
    return 0


def _aware(text: object) -> datetime:
    from heedful.cli.finding import moment_of
    from heedful.core.errors import RejectedError

    found = moment_of(text)
    if found is None:
        raise RejectedError("A batch row's `at` is empty", "", "Write it like 2026-12-01T09:00+01:00.")
    return found


COMMAND = Command("dates", "the dates and times in a text", _add_arguments, _run)
