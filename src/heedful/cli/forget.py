"""`heedful forget`: takes a message, thread, person or source out of the memory with everything made of it."""

import argparse
import asyncio
from dataclasses import asdict

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ids", nargs="+", metavar="ID", help="a source, thread, message, passage or person, or a mail address"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_forget(asked.ids, terminal))


async def _forget(ids: list[str], terminal: Terminal) -> int:
    from heedful.memory.archivist.backup import earlier_copies
    from heedful.memory.forget.at_once import forget_now
    from heedful.presenters.numbers import count

    async with terminal.app() as app:
        gone = await forget_now(app.store, app.clock, ids)
    left = len(earlier_copies(terminal.home))
    terminal.say(
        f"Forgotten: {count(gone.messages, 'message')} in {count(gone.chunks, 'passage')}, "
        f"{count(gone.entities, 'person or thing', 'people and things')}, "
        f"{count(gone.relations, 'relation')} between them, {count(gone.items, 'item')}."
    )
    terminal.say(
        f"Summaries removed or written anew: {gone.nodes}. Model calls that lost their texts: {gone.texts}. "
        f"Kept originals removed: {gone.originals}."
    )
    if gone.messages:
        terminal.say(
            "It does not come back from a source that still holds it, unless you remove and add that source."
        )
    if left:
        terminal.say(
            f"{count(left, 'older backup')} may still hold it until newer ones take its place; `heedful wipe` removes "
            "those too."
        )
    terminal.give({**asdict(gone), "older_backups": left})
    return 0


COMMAND = Command(
    "forget", "take something out of the memory, with everything made of it", _add_arguments, _run
)
