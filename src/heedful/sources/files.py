"""Reading a person's files: foreign errors translated, folders listed in a stable order, hidden things left alone."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.ids import content_id
from heedful.sources.moments import can_be_told

_MAX_FOLDER_DEPTH = 16
_ON_AN_EMPTY_DRIVE = frozenset({"lost+found"})


class FileRefusedError(UserCanFixError):
    """A file or folder that is there and may not be read."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns what the file system raises inside the block into an error for the person.

    Raises:
        UserCanFixError: The path is gone, or may not or cannot be read.
    """
    try:
        yield
    except FileNotFoundError as exc:
        raise UserCanFixError(
            f"{path.name} is no longer there", "Heedful keeps what it has read from it.", "Choose it again."
        ) from exc
    except PermissionError as exc:
        raise FileRefusedError(
            f"Heedful may not read {_named(exc, path)}",
            "The system refuses it.",
            "Allow reading it, then try again.",
        ) from exc
    except OSError as exc:
        raise UserCanFixError(
            f"{path.name} can't be read",
            f"The system says: {exc.strerror}.",
            "Check the disk, then try again.",
        ) from exc


def _named(exc: OSError, path: Path) -> str:
    """What the system refused, which may lie below the path that was read."""
    return Path(exc.filename).name if isinstance(exc.filename, str) else path.name


def first_bytes(path: Path, size: int) -> bytes:
    """The beginning of a file; empty for one that can't be read or is no plain file."""
    try:
        if not path.is_file():
            return b""
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def is_refused(path: Path) -> bool:
    """Whether a file is there and may not be read."""
    try:
        with path.open("rb"):
            return False
    except PermissionError:
        return True
    except OSError:
        return False


def is_bare(path: Path) -> bool:
    """Whether a folder is there with nothing in it at all, as where a drive is not connected.

    Raises:
        UserCanFixError: It may not be read.
    """
    with translated(path):
        return path.is_dir() and not {entry.name for entry in path.iterdir()} - _ON_AN_EMPTY_DRIVE


def read_file(path: Path, limit: int) -> bytes:
    """A whole file.

    Raises:
        UserCanFixError: It can't be read.
        RejectedError: It is larger than `limit` bytes.
    """
    with translated(path), path.open("rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise RejectedError(f"{path.name} is too large", f"Heedful reads up to {limit // 2**20} MB of it.")
    return data


def opened(path: Path) -> BinaryIO:
    """A file open for reading bytes.

    Raises:
        UserCanFixError: It can't be read.
    """
    with translated(path):
        return path.open("rb")


def listed(
    folder: Path, *, limit: int | None = None, enters: Callable[[str], bool] = lambda _name: True
) -> list[Path]:
    """The plain files under a folder, in a stable order, without hidden ones; links to folders are not followed.

    `enters` decides by its name whether a subfolder is entered. At most `limit` files.

    Raises:
        UserCanFixError: The folder can't be read.
    """
    with translated(folder):
        return list(islice(_walk(folder, enters, depth=0), limit))


def relative_name(file: Path, folder: Path) -> str:
    """A file's path within its folder with forward slashes on every system."""
    return file.relative_to(folder).as_posix() if file != folder else file.name


def changed_on_disk(path: Path) -> datetime | None:
    """The file's modification time; None when it is out of the calendar, as a damaged disk or archive leaves it."""
    with translated(path):
        seconds = path.stat().st_mtime
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if can_be_told(moment) else None


def stamp_of(path: Path) -> str:
    """A text that changes whenever the file's size or modification time does."""
    with translated(path):
        stat = path.stat()
    return f"{stat.st_mtime_ns:x}.{stat.st_size:x}"


def stamps_below(path: Path) -> str:
    """A digest that changes with the name, size or modification time of any file at or below a path.

    Raises:
        UserCanFixError: The path can't be read.
    """
    with translated(path):
        files = list(_every_file(path)) if path.is_dir() else [(path.name, path.stat())]
    return content_id("stamps", *(f"{name} {stat.st_mtime_ns:x}.{stat.st_size:x}" for name, stat in files))


def _every_file(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(root) / name
            if file.is_file():
                yield relative_name(file, folder), file.stat()


def _walk(folder: Path, enters: Callable[[str], bool], *, depth: int) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        ordered = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
    for entry in ordered:
        if entry.is_dir(follow_symlinks=False):
            if depth < _MAX_FOLDER_DEPTH and enters(entry.name):
                yield from _walk(Path(entry.path), enters, depth=depth + 1)
        elif entry.is_file():
            yield Path(entry.path)
