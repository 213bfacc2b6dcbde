"""`heedful why`: why an item exists, or why a message stayed silent."""

import argparse
import asyncio

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="an item's or a message's id, or words from the message")
    parser.add_argument(
        "--stages", action="store_true", help="what each stage of the memory did with the message of that id"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_stages(asked.id, terminal) if asked.stages else _why(asked.id, terminal))


async def _why(asked: str, terminal: Terminal) -> int:
    from heedful.presenters import machine

    async with terminal.app(read_only=True) as app:
        why = await app.activity.why(asked)
    terminal.say(f"{why.subject}: {why.verdict}")
    for reason in why.reasons:
        terminal.say(f"  {reason}")
    terminal.give(machine.explanation(why))
    return 0


async def _stages(asked: str, terminal: Terminal) -> int:
    from heedful.memory.stages import stages_of

    async with terminal.app(read_only=True) as app:
        now = app.clock.now()
        found = await app.store.read(lambda connection: stages_of(connection, asked, now=now))
    terminal.say(f"{found.message_id} {found.subject}".strip())
    for stage in found.stages:
        terminal.say(f"  {stage.name}: {stage.state}")
        for name, fact in stage.facts.items():
            terminal.say(f"    {name}: {fact}")
    terminal.give(
        {
            "message_id": found.message_id,
            "subject": found.subject,
            "stages": [{"stage": one.name, "state": one.state, **one.facts} for one in found.stages],
        }
    )
    return 0


COMMAND = Command("why", "why an item exists, or a message stayed silent", _add_arguments, _run)
