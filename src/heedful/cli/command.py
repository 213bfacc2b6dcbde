"""The shape of a command and of the terminal it speaks to."""

import argparse
import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.paths import Home

if TYPE_CHECKING:  # the composition root costs more than a command that may not need it should pay
    from heedful.app import App

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control signs but for tab and line end, and those that turn the order of letters around."""


class MisusedError(RejectedError):
    """The line does not say what to do; it ends with the exit code for wrong usage."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command speaks: results on `out`, progress and complaints on `err`. JSON only when asked for."""

    home: Home
    as_json: bool
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    out: TextIO = field(default_factory=lambda: spoken_to(sys.stdout))
    err: TextIO = field(default_factory=lambda: spoken_to(sys.stderr))

    def say(self, text: str) -> None:
        """A line for the person, silent when JSON was asked for. Signs that would steer the terminal are shown as �."""
        if not self.as_json:
            self.put(_plain(text))

    def give(self, value: object) -> None:
        """The machine-readable result, on one line; silent unless JSON was asked for."""
        if self.as_json:
            self.row(value)

    def row(self, value: object) -> None:
        """One line of JSON, whether or not it was asked for: a row of a batch."""
        told = json.dumps(value, ensure_ascii=not _holds_everything(self.out))
        self.put(_STEERING.sub(lambda sign: f"\\u{ord(sign[0]):04x}", told))

    def put(self, text: str) -> None:
        """A line of the result, sign by sign.

        Raises:
            UserCanFixError: It can't be written.
            BrokenPipeError: Whoever read it has gone.
        """
        with _translated():
            self.out.write(f"{text}\n")

    def finish(self) -> None:
        """Hands over what was said; raises as `put`."""
        with _translated():
            self.out.flush()

    def progress(self, text: str) -> None:
        """A line on standard error, as plain as `say`."""
        self.err.write(_plain(text) + "\n")
        self.err.flush()

    @asynccontextmanager
    async def app(self, *, read_only: bool = False) -> "AsyncIterator[App]":
        """The home's App, closed at the end; nothing of it runs by itself.

        Raises:
            HeedfulError: The store can't be opened.
        """
        from heedful.app import build

        opened = await build(self.home, environment=self.environment, read_only=read_only)
        try:
            yield opened
        finally:
            await opened.stop()


def spoken_to(stream: TextIO | None) -> TextIO:
    """The stream, which takes every sign from now on; one that swallows all where the process has none."""
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def _holds_everything(stream: TextIO) -> bool:
    encoding = getattr(stream, "encoding", None) or "utf-8"  # one in memory has none
    return encoding.lower().replace("-", "").startswith("utf")


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as exc:
        why = exc.strerror or type(exc).__name__
        raise UserCanFixError(
            "The result can't be written", f"{why}.", "Free some space, or send it elsewhere."
        ) from exc


def _plain(text: str) -> str:
    """The text as a terminal shows it and nothing more: what others wrote may hold orders to it."""
    return _STEERING.sub("\ufffd", text)


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name, one line of help, its arguments, and what it does; `run` returns the exit code."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Terminal], int]
