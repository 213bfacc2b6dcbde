"""One writer a store: an operating-system lock that a dead process releases by dying."""

import os
import sys
from pathlib import Path
from typing import IO

from heedful.core.errors import UserCanFixError


class StoreInUseError(UserCanFixError):
    """Another Heedful holds the store for writing."""


class WriterLock:
    """Holds the lock from `acquire` to `release`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: IO[str] | None = None

    def acquire(self) -> None:
        """Takes the lock at once or not at all.

        Raises:
            StoreInUseError: Another process holds it.
            UserCanFixError: The folder can't be written.
        """
        try:
            handle = self._file.open("a+")
        except OSError as exc:
            raise UserCanFixError(
                "The store can't be opened for writing",
                f"The folder {self._file.parent} is read-only or missing.",
                "Correct its permissions, or choose another folder with --home.",
            ) from exc
        try:
            _lock(handle)
        except OSError as exc:
            handle.close()
            raise StoreInUseError(
                "Heedful is running already and holds the store",
                "Two programs may not write to it at once.",
                "Use its window, or quit it from the tray and try again.",
            ) from exc
        self._handle = handle

    def release(self) -> None:
        """Lets go; quietly when not held."""
        if self._handle is not None:
            self._handle.close()
            self._handle = None


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: IO[str]) -> None:
        os.lseek(handle.fileno(), 0, os.SEEK_SET)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: IO[str]) -> None:
        fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
