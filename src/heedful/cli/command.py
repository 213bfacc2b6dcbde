"""The shape of a command and of the terminal it speaks to."""

import argparse
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from heedful.core.errors import RejectedError
from heedful.core.paths import Home

if TYPE_CHECKING:  # the composition root costs more than a command that may not need it should pay
    from heedful.app import App


class MisusedError(RejectedError):
    """The line does not say what to do; it ends with the exit code for wrong usage."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where a command speaks: results on `out`, progress and complaints on `err`. JSON only when asked for."""

    home: Home
    as_json: bool
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)

    def say(self, text: str) -> None:
        """A line for the person; silent when JSON was asked for."""
        if not self.as_json:
            self.out.write(text + "\n")

    def give(self, value: object) -> None:
        """The machine-readable result, on one line; silent unless JSON was asked for."""
        if self.as_json:
            self.out.write(json.dumps(value, ensure_ascii=False) + "\n")

    def progress(self, text: str) -> None:
        """A line on standard error."""
        self.err.write(text + "\n")
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


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its name, one line of help, its arguments, and what it does; `run` returns the exit code."""

    name: str
    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Terminal], int]
