"""`heedful backup`: makes a backup now; while Heedful runs, one is made a day."""

import argparse
import asyncio

from heedful.cli.command import Command, Terminal


def _add_arguments(_parser: argparse.ArgumentParser) -> None:
    """It takes none."""


def _run(_asked: argparse.Namespace, terminal: Terminal) -> int:
    return asyncio.run(_back_up(terminal))


async def _back_up(terminal: Terminal) -> int:
    async with terminal.app() as app:
        await app.care.back_up()
        kept = await app.care.backups()
    newest = kept[0]
    terminal.say(f"{newest.file} · {newest.size_bytes / 1e6:.1f} MB")
    terminal.say("The newest three are kept. `heedful restore FILE` puts one back.")
    terminal.give(
        {
            "file": str(newest.file),
            "made_at": newest.made_at.isoformat(),
            "size_bytes": newest.size_bytes,
            "kept": len(kept),
        }
    )
    return 0


COMMAND = Command("backup", "make a backup now", _add_arguments, _run)
