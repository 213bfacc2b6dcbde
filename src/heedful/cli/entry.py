"""Reads the command line, runs one command, turns errors into one sentence and an exit code.

Exit codes: 0 done (also «nothing to do»), 1 failed with a sentence, 2 wrong usage.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from heedful import __version__
from heedful.cli.command import Command, Terminal
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
    asked = _parser(known).parse_args(_with_default(sys.argv[1:] if arguments is None else list(arguments)))
    command = known[asked.command]
    terminal = Terminal(home=find_home(asked.home, os.environ), as_json=asked.json)
    try:
        return command.run(asked, terminal)
    except HeedfulError as exc:
        terminal.give({"error": {"title": exc.title, "message": exc.message, "hint": exc.hint}})
        terminal.progress(exc.sentence())
        return FAILED
    except KeyboardInterrupt:
        terminal.progress("Stopped.")
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return FAILED


def _with_default(arguments: list[str]) -> list[str]:
    """No arguments at all means the app."""
    return arguments or ["run"]


def _parser(known: dict[str, Command]) -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--home", type=Path, metavar="DIR", default=argparse.SUPPRESS, help="keep everything below DIR"
    )
    shared.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="machine-readable result"
    )
    parser = argparse.ArgumentParser(
        prog="heedful",
        description="Reads what already reaches you and says what needs you.",
        parents=[shared],
    )
    parser.add_argument("--version", action="version", version=f"heedful {__version__}")
    parser.set_defaults(home=None, json=False)
    chosen = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in known.values():
        sub = chosen.add_parser(command.name, help=command.help, description=command.help, parents=[shared])
        command.add_arguments(sub)
    return parser
