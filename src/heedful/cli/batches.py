"""A text from the command line or a JSONL batch of texts, for the commands that only read."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

Row = dict[str, object]


def add_arguments(parser: argparse.ArgumentParser, batch_help: str) -> None:
    """One text (or standard input), or a batch."""
    parser.add_argument("text", nargs="*", help="the text; standard input where none is given")
    parser.add_argument("--batch", type=Path, metavar="FILE", help=batch_help)


def one_text(asked: argparse.Namespace) -> str:
    """The text given, else standard input."""
    return " ".join(asked.text) if asked.text else sys.stdin.read()


def rows(file: Path, required: frozenset[str], optional: frozenset[str]) -> Iterator[Row]:
    """The batch's rows in order.

    Raises:
        UserCanFixError: The file can't be read.
        RejectedError: A line is not JSON, lacks a field, or has an unknown one; the message names the line.
    """
    from heedful.core.errors import RejectedError, UserCanFixError

    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as exc:
        raise UserCanFixError(f"{file} can't be read as text", "", "Check the path.") from exc
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as exc:
            raise RejectedError(f"Line {number} of the batch is not JSON") from exc
        if not isinstance(row, dict) or not required <= set(row) or set(row) - required - optional:
            known = ", ".join(sorted(required | optional))
            raise RejectedError(
                f"Line {number} of the batch has not the fields it needs", "", f"Known are: {known}."
            )
        yield row
