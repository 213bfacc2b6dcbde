"""`heedful recall`: fuzzy retrieval, the best match first."""

import argparse

from heedful.cli import finding
from heedful.cli.command import Command, Terminal


def _run(asked: argparse.Namespace, terminal: Terminal) -> int:
    from heedful.memory import recall

    return finding.find(
        asked, terminal, lambda c, text, k, filters: recall(c, text, limit=k, filters=filters)
    )


COMMAND = Command("recall", "find what fits a question", finding.add_arguments, _run)
