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
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.paths import find_home, home_at

DONE, FAILED, MISUSED = 0, 1, 2


def commands() -> dict[str, Command]:
    """Every command of this package, by name."""
    import heedful.cli as package

    return discovery.discover(package, "COMMAND", Command, key=lambda command: command.name)


def _commands_for(word: str) -> dict[str, Command]:
    """The command that a line begins with, alone where its file is called like it; every command otherwise."""
    import heedful.cli as package

    command = discovery.find(package, word, "COMMAND", Command)
    return {word: command} if command is not None and command.name == word else commands()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what the arguments ask for (the process's own by default) and returns the exit code."""
    line = sys.argv[1:] if arguments is None else list(arguments)
    try:
        everywhere, rest = _shared().parse_known_args(line)
    except MisusedError as exc:
        return _refused(exc, Terminal(home=home_at(Path()), as_json="--json" in line))
    terminal = Terminal(home=find_home(everywhere.home, os.environ), as_json=everywhere.json)
    try:
        _refuse_a_file(everywhere.home)
        rest = _with_default(rest)
        known = _commands_for(rest[0])
        _refuse_unknown(rest[0], known)
        asked = _parser(known).parse_args(rest)
        code = known[asked.command].run(asked, terminal)
        terminal.finish()
        return code
    except HeedfulError as exc:
        return _refused(exc, terminal)
    except KeyboardInterrupt:
        terminal.progress("Stopped.")
        return FAILED
    except BrokenPipeError:
        _say_no_more()
        return FAILED


def _refused(error: HeedfulError, terminal: Terminal) -> int:
    """Tells an error to the person, and to a program that reads the result; returns the exit code."""
    terminal.progress(error.sentence())
    try:
        terminal.give({"error": {"title": error.title, "message": error.message, "hint": error.hint}})
        terminal.finish()
    except (HeedfulError, BrokenPipeError):  # it can't be written, and that was what was told
        _say_no_more()
    return MISUSED if isinstance(error, MisusedError) else FAILED


def _say_no_more() -> None:
    """Lets what is left in the output go: at the process's end it would fail once more, with a page of words."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # no real output, or none at all
        return


def _with_default(rest: list[str]) -> list[str]:
    """The line as it is; with the app's command in front where no command stands, since its options may stand alone."""
    first = rest[0] if rest else ""
    is_bare = not first or (first.startswith("-") and first not in ("-h", "--help", "--version"))
    return ["run", *rest] if is_bare else rest


def _refuse_unknown(word: str, known: Collection[str]) -> None:
    if word in known or word.startswith("-"):
        return
    from difflib import get_close_matches

    meant = get_close_matches(word, known, n=1)
    raise MisusedError(
        f"There is no command called {word}",
        f"Did you mean {meant[0]}?" if meant else "",
        "`heedful --help` lists them.",
    )


def _shared() -> argparse.ArgumentParser:
    """The options that may stand anywhere on the line."""
    shared = Parser(prog="heedful", add_help=False, allow_abbrev=False)
    shared.add_argument("--home", type=_folder, metavar="DIR", help="keep everything below DIR")
    shared.add_argument("--json", action="store_true", help="machine-readable result")
    return shared


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    return Path(text)


def _refuse_a_file(home: Path | None) -> None:
    if home is not None and home.exists() and not home.is_dir():
        raise UserCanFixError(f"{home} is a file, not a folder", "", "Name a folder with --home.")


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
