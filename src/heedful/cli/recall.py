"""`heedful recall`: fuzzy retrieval, the best match first."""

import argparse
from typing import TYPE_CHECKING

from heedful.cli import finding
from heedful.cli.command import Command, Terminal

if TYPE_CHECKING:  # imported when it runs
    from heedful.app import App
    from heedful.memory import Filters


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    return finding.find(asked, terminal, _look)


async def _look(app: "App", text: str, limit: int, filters: "Filters") -> "finding.Look":
    from heedful.memory import recall

    sense, now = await app.meaning.sense(text), app.clock.now()
    return lambda connection: recall(connection, text, limit=limit, filters=filters, sense=sense, now=now)


COMMAND = Command("recall", "find what fits a question", finding.add_arguments, _run)
