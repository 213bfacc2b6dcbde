"""`heedful wipe`: removes everything remembered, with the backups."""

import argparse
import asyncio

from heedful.cli.command import Command, MisusedError, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="really do it; nothing brings it back")


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.memory.archivist.forget_all import wipe
    from heedful.presenters.numbers import count

    if not asked.yes:
        raise MisusedError(
            "That removes everything Heedful remembers, with its backups",
            "Nothing was removed. Your mailboxes and files are never touched.",
            "Say `heedful wipe --yes` to do it; `heedful export DIR` keeps a copy first.",
        )
    messages = asyncio.run(_count(terminal)) if terminal.home.database.exists() else 0
    files = wipe(terminal.home)
    told = "what could not be read" if messages is None else count(messages, "message")
    terminal.say(f"Removed: {told} and everything made of it, {count(files, 'file')}. Settings are kept.")
    terminal.give({"messages": messages, "files": files})
    return 0


async def _count(terminal: Terminal) -> int | None:
    """How many messages there are; None where the store can't be opened, which is no reason to keep it."""
    from heedful.core.errors import HeedfulError
    from heedful.memory.archivist.report import count_messages

    try:
        async with terminal.app(read_only=True) as app:
            return await app.store.read(count_messages)
    except HeedfulError:
        return None


COMMAND = Command("wipe", "remove everything remembered, with the backups", _add_arguments, _run)
