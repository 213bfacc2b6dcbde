"""Why something can't be written on the disk, in words that say what to do."""

import errno
from pathlib import Path

from heedful.core.errors import UserCanFixError

_NO_ROOM = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])


def unwritable(exc: OSError, folder: Path, *, title: str, meanwhile: str) -> UserCanFixError:
    """What to tell of a failed write into a folder; `meanwhile` says what holds all the same."""
    what, hint = _what(exc, folder)
    return UserCanFixError(title, f"{what} {meanwhile}", hint)


def _what(exc: OSError, folder: Path) -> tuple[str, str]:
    in_the_way = _file_in(folder)
    if in_the_way is not None:
        return f"{in_the_way} is a file, not a folder.", "Name a folder, or one that is not there yet."
    if exc.errno in _NO_ROOM:
        return (
            f"The disk that {folder} is on is full.",
            "Free some space, or choose a folder on another disk.",
        )
    if exc.errno == errno.EROFS:
        return f"The disk that {folder} is on takes no changes.", "Choose a folder on another disk."
    if isinstance(exc, PermissionError):
        return f"You may not write in {folder}.", "Change the folder's permissions, or choose another one."
    said = exc.strerror or type(exc).__name__
    return f"{folder} can't be written: {said}.", "Choose another folder."


def _file_in(folder: Path) -> Path | None:
    """The file that stands where the folder, or one above it, should be."""
    try:
        return next((one for one in (folder, *folder.parents) if one.exists() and not one.is_dir()), None)
    except OSError:
        return None
