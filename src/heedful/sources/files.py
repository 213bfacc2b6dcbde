"""Reading a person's files: foreign errors translated, folders listed in a stable order, hidden things left alone.

A folder below the one that is listed may be refused, or lie on a disk that fails: what else there is is listed all the
same, and it is named beside it.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import BinaryIO, NamedTuple

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.ids import content_id
from heedful.sources.moments import can_be_told

_MAX_FOLDER_DEPTH = 16
_ON_AN_EMPTY_DRIVE = frozenset({"lost+found"})


class FileGoneError(UserCanFixError):
    """A file or folder that is not there, or is no more."""


class UnreadFolder(NamedTuple):
    """A folder below a source that could not be read, and why, in words for the person."""

    path: Path
    reason: str


class Listing(NamedTuple):
    """The plain files under a folder, in a stable order, and the folders there that could not be read."""

    files: list[Path]
    unread: list[UnreadFolder]


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
        raise UserCanFixError(
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


def is_unreadable(path: Path) -> bool:
    """Whether a file is there and can't be read: the system refuses it, or its disk fails."""
    try:
        with _open(path) as file:
            file.read(1)
    except (FileNotFoundError, _EndlessError):
        return False
    except OSError as exc:
        return exc.errno != errno.ELOOP
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
) -> Listing:
    """The plain files under a folder without hidden ones; links to folders are not followed.

    `enters` decides by its name whether a subfolder is entered. At most `limit` files.

    Raises:
        UserCanFixError: The folder itself can't be read.
    """
    unread: list[UnreadFolder] = []
    return Listing(list(islice(_walk(entries_of(folder), enters, unread, depth=0), limit)), unread)


def entries_of(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, in a stable order.

    Raises:
        UserCanFixError: It can't be read, or only its names can.
    """
    with translated(folder):
        with os.scandir(folder) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
        if not os.access(folder, os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return ordered


def entries_or_unread(folder: Path, unread: list[UnreadFolder]) -> list[os.DirEntry[str]] | None:
    """As `entries_of`, of a folder below the one that is read; None for one that can't be, noted in `unread`."""
    try:
        return entries_of(folder)
    except UserCanFixError as exc:
        unread.append(UnreadFolder(folder, exc.sentence()))
        return None


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
        files = list(_every_file(path)) if path.is_dir() else [(path.name, _stamp(path.stat()))]
    return content_id("stamps", *(f"{name} {stamp}" for name, stamp in files))


def is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether a name in a folder is that of a plain file, or of a link to one.

    A link that leads nowhere or back to itself is none; one to where nobody can look counts as one, for only its
    reading tells.
    """
    try:
        return entry.is_file()
    except OSError as exc:
        return exc.errno != errno.ELOOP


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


def _every_file(folder: Path) -> Iterator[tuple[str, str]]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            file = Path(root) / name
            try:
                if file.is_file():
                    yield relative_name(file, folder), _stamp(file.stat())
            except PermissionError:  # its folder tells names only, or it is a link to where nobody may look
                yield relative_name(file, folder), "refused"


def _walk(
    entries: list[os.DirEntry[str]],
    enters: Callable[[str], bool],
    unread: list[UnreadFolder],
    *,
    depth: int,
) -> Iterator[Path]:
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if depth < _MAX_FOLDER_DEPTH and enters(entry.name):
                below = entries_or_unread(Path(entry.path), unread)
                yield from _walk(below or [], enters, unread, depth=depth + 1)
        elif is_plain(entry):
            yield Path(entry.path)
