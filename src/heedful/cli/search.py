"""`heedful search`: exact retrieval, every word must be there."""

import argparse

from heedful.cli import finding
from heedful.cli.command import Command, Terminal


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.memory import search

    return finding.find(
        asked, terminal, lambda c, text, k, filters: search(c, text, limit=k, filters=filters)
    )


COMMAND = Command("search", "find exact words", finding.add_arguments, _run)
