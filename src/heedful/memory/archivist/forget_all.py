"""Removes the store with everything beside it that holds its content, as if Heedful had never read anything.

Sources and how far they were read go too, so whatever is added again comes in whole. Settings, secrets and the way
the store is locked stay.
"""

from pathlib import Path

from heedful.core.errors import UserCanFixError
from heedful.core.paths import Home
from heedful.memory.archivist.backup import folder_of
from heedful.storage.lock import WriterLock

_BESIDE = (
    "{store}.db",
    "{store}.db-*",
    "{store}.db.restored*",
    "{store}.schema-*.backup.db*",
    "reads.db*",
    "notifications.json*",
)
_IN_BACKUPS = ("heedful-*.db*",)


def wipe(home: Home) -> int:
    """Removes the store, its backups, the record of reads and that of notifications; returns how many files went.

    The store goes first: a run that is cut off leaves nothing that a new store would read.

    Raises:
        StoreInUseError: Heedful is running.
        UserCanFixError: A file can't be removed.
    """
    if not home.data.exists():
        return 0
    lock = WriterLock(home.lock)
    lock.acquire()
    try:
        files = _files(home)
        for file in files:
            _remove(file)
    finally:
        lock.release()
    return len(files)


def _files(home: Home) -> list[Path]:
    patterns = [pattern.format(store=home.database.stem) for pattern in _BESIDE]
    beside = [file for pattern in patterns for file in sorted(home.data.glob(pattern))]
    kept = [file for pattern in _IN_BACKUPS for file in sorted(folder_of(home).glob(pattern))]
    return list(dict.fromkeys([*beside, *kept]))


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as exc:
        raise UserCanFixError(
            "Not everything could be removed",
            f"{file} can't be removed; another program may be reading it.",
            "Close other Heedful windows and commands, then wipe again.",
        ) from exc
