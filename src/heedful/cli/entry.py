"""Reads the command line, runs one command, turns errors into one sentence and an exit code.

Exit codes: 0 done (also «nothing to do»), 1 failed with a sentence, 2 wrong usage.
"""

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from pathlib import Path

from heedful import __version__
from heedful.cli.command import Command, MisusedError, Terminal
from heedful.cli.usage import Parser
from heedful.core import discovery
from heedful.core.errors import HeedfulError
from heedful.core.paths import find_home

DONE, FAILED, MISUSED = 0, 1, 2


def commands() -> dict[str, Command]:
    """Every command of this package, by name."""
    import heedful.cli as package

    return discovery.discover(package, "COMMAND", Command, key=lambda command: command.name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what the arguments ask for (the process's own by default) and returns the exit code."""
    known = commands()
    line = sys.argv[1:] if arguments is None else list(arguments)
    terminal = Terminal(home=find_home(None, os.environ), as_json="--json" in line)
    try:
        everywhere, rest = _shared().parse_known_args(line)
        terminal = Terminal(home=find_home(everywhere.home, os.environ), as_json=everywhere.json)
        asked = _parser(known).parse_args(_known_or_default(rest, known))
        return known[asked.command].run(asked, terminal)
    except HeedfulError as exc:
        terminal.give({"error": {"title": exc.title, "message": exc.message, "hint": exc.hint}})
        terminal.progress(exc.sentence())
        return MISUSED if isinstance(exc, MisusedError) else FAILED
    except KeyboardInterrupt:
        terminal.progress("Stopped.")
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED


def _known_or_default(rest: list[str], known: Collection[str]) -> list[str]:
    """The line as it is; with the app's command in front where no command stands, since its options may stand alone.

    Raises:
        MisusedError: It begins with a word that is no command.
    """
    first = rest[0] if rest else ""
    if not first or (first.startswith("-") and first not in ("-h", "--help", "--version")):
        return ["run", *rest]
    if first in known or first.startswith("-"):
        return rest
    from difflib import get_close_matches

    meant = get_close_matches(first, known, n=1)
    raise MisusedError(
        f"There is no command called {first}",
        f"Did you mean {meant[0]}?" if meant else "",
        "`heedful --help` lists them.",
    )


def _shared() -> argparse.ArgumentParser:
    """The options that may stand anywhere on the line."""
    shared = Parser(prog="heedful", add_help=False, allow_abbrev=False)
    shared.add_argument("--home", type=Path, metavar="DIR", help="keep everything below DIR")
    shared.add_argument("--json", action="store_true", help="machine-readable result")
    return shared


def _parser(known: dict[str, Command]) -> argparse.ArgumentParser:
    parser = Parser(
        prog="heedful",
        description="Reads what already reaches you and says what needs you.",
        parents=[_shared()],
    )
    parser.add_argument("--version", action="version", version=f"heedful {__version__}")
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in known.values():
        command.add_arguments(chosen.add_parser(command.name, help=command.help, description=command.help))
    return parser
