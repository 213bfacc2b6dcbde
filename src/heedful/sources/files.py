"""Reading a person's files: foreign errors translated, folders listed in a stable order, hidden things left alone."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.ids import content_id
from heedful.sources.moments import can_be_told

_MAX_FOLDER_DEPTH = 16
_ON_AN_EMPTY_DRIVE = frozenset({"lost+found"})


class FileRefusedError(UserCanFixError):
    """A file or folder that is there and may not be read."""


class FileGoneError(UserCanFixError):
    """A file or folder that is not there, or is no more."""


class _EndlessError(OSError):
    """What a path names is a pipe or a device: it may never end, or never begin."""


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns what the file system raises inside the block into an error for the person.

    Raises:
        UserCanFixError: The path is gone, or may not or cannot be read.
    """
    try:
        yield
    except FileNotFoundError as exc:
        raise FileGoneError(
            f"{path.name} is no longer there", "Heedful keeps what it has read from it.", "Choose it again."
        ) from exc
    except _EndlessError as exc:
        raise UserCanFixError(
            f"{path.name} is no file that ends", "It is a pipe or a device of the system.", "Choose a file."
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
        with _open(path) as file:
            return file.read(size)
    except OSError:
        return b""


def is_refused(path: Path) -> bool:
    """Whether a file is there and may not be read."""
    try:
        with _open(path):
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
    with translated(path), _open(path) as file:
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
        return _open(path)


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
        return _stamp(path.stat())


def stamp_of_open(file: BinaryIO) -> str:
    """As `stamp_of`, of the very file that is open, whatever has taken its name since."""
    return _stamp(os.fstat(file.fileno()))


def _stamp(stat: os.stat_result) -> str:
    return f"{stat.st_mtime_ns:x}.{stat.st_size:x}"


def stamps_below(path: Path) -> str:
    """A digest that changes with the name, size or modification time of any file at or below a path.

    Raises:
        UserCanFixError: The path can't be read.
    """
    with translated(path):
        files = list(_every_file(path)) if path.is_dir() else [(path.name, path.stat())]
    return content_id("stamps", *(f"{name} {_stamp(stat)}" for name, stat in files))


def is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether a name in a folder is that of a plain file, or of a link to one.

    A link that leads nowhere or back to itself is none; one to where nobody may look counts as one, for only its
    reading tells.
    """
    try:
        return entry.is_file()
    except PermissionError:
        return True
    except OSError as exc:
        if exc.errno == errno.ELOOP:
            return False
        raise


def _open(path: Path) -> BinaryIO:
    return open(path, "rb", opener=_ending)


def _ending(path: str, flags: int) -> int:
    """Opens a file or a folder, and waits for no pipe's other end."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if not S_ISREG(mode) and not S_ISDIR(mode):
        os.close(descriptor)
        raise _EndlessError(errno.EINVAL, "no plain file")
    return descriptor


def _every_file(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(root) / name
            try:
                if file.is_file():
                    yield relative_name(file, folder), file.stat()
            except PermissionError:  # a link to where nobody may look
                yield relative_name(file, folder), file.lstat()


def _walk(folder: Path, enters: Callable[[str], bool], *, depth: int) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        ordered = sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda e: e.name)
    for entry in ordered:
        if entry.is_dir(follow_symlinks=False):
            if depth < _MAX_FOLDER_DEPTH and enters(entry.name):
                yield from _walk(Path(entry.path), enters, depth=depth + 1)
        elif is_plain(entry):
            yield Path(entry.path)
