"""`heedful detect`: what the built-in finder sees in a text, before any gating."""

import argparse

from heedful.cli import batches
from heedful.cli.command import Command, Terminal
from heedful.cli.finding import moment_of
from heedful.cli.spoken import spoken


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    batches.add_arguments(parser, 'JSONL of {"id","text","lang"?,"sent_at"?,"from_me"?}')
    parser.add_argument("--lang", type=spoken, help="the text's language; guessed where none is given")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.judgement import detect
    from heedful.presenters import machine

    if asked.batch is not None:
        optional = frozenset({"lang", "sent_at", "from_me"})
        for row in batches.rows(asked.batch, frozenset({"id", "text"}), optional):
            found = detect(
                str(row["text"]),
                lang=str(row["lang"]) if row.get("lang") else None,
                sent_at=moment_of(row.get("sent_at")),
                from_me=bool(row.get("from_me", False)),
            )
            answer = {"id": row["id"], "found": [machine.sighting(seen) for seen in found]}
            terminal.row(answer)
        return 0
    seen_all = detect(batches.one_text(asked), lang=asked.lang)
    for seen in seen_all:
        terminal.say(f"{seen.kind:10} {seen.score:.2f}  {' '.join(seen.quote.split())}")
    if not seen_all:
        terminal.say("It asks nothing of anybody.")
    terminal.give([machine.sighting(seen) for seen in seen_all])
    return 0


COMMAND = Command("detect", "what the built-in finder sees in a text", _add_arguments, _run)
