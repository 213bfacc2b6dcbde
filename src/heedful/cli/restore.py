"""`heedful restore`: lists the backups, or puts one in the store's place."""

import argparse
import asyncio
from pathlib import Path

from heedful.cli.command import Command, Terminal


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="a backup (default: list what there is)"
    )


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return _list(terminal) if asked.file is None else asyncio.run(_restore(asked.file, terminal))


def _list(terminal: Terminal) -> int:
    from heedful.memory.archivist.backup import backups, made_at

    found = [(file, made_at(file), file.stat().st_size) for file in backups(terminal.home)]
    for file, at, size in found:
        terminal.say(f"{file} · {at:%Y-%m-%d %H:%M} UTC · {size / 1e6:.1f} MB")
    if not found:
        terminal.say(
            "There are no backups yet. `heedful backup` makes one; while Heedful runs, one is made a day."
        )
    terminal.give(
        [
            {"file": str(file), "made_at": None if at is None else at.isoformat(), "size_bytes": size}
            for file, at, size in found
        ]
    )
    return 0


async def _restore(file: Path, terminal: Terminal) -> int:
    from heedful.core.clock import SystemClock
    from heedful.core.secrets import KeyringSecrets
    from heedful.memory.archivist.backup import lock_of, restore
    from heedful.memory.archivist.report import count_messages
    from heedful.presenters.numbers import count
    from heedful.storage import unlock

    home = terminal.home
    with lock_of(home, file):
        key = unlock(home, KeyringSecrets(home.name), terminal.environment.get("HEEDFUL_PASSPHRASE"))
        aside = restore(home, key, file, now=SystemClock().now())
    async with terminal.app(read_only=True) as app:
        messages = await app.store.read(count_messages)
    terminal.say(f"Restored: {count(messages, 'message')}, as they were when the backup was made.")
    if aside is not None:
        terminal.say(f"What was there before lies in {aside} until the next backups replace it.")
    terminal.give({"messages": messages, "before": None if aside is None else str(aside)})
    return 0


COMMAND = Command("restore", "list the backups, or put one in the store's place", _add_arguments, _run)
