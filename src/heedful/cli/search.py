"""`heedful search`: exact retrieval, every word must be there."""

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
    from heedful.memory import search

    del app  # exact words need no model
    return lambda connection: search(connection, text, limit=limit, filters=filters)


COMMAND = Command("search", "find exact words", finding.add_arguments, _run)
