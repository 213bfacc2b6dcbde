"""Backups beside the store: whole, compact copies under the same key, the newest few kept; and the way back.

A copy is written beside the running writer and takes its name only when it is whole. It holds nothing of what was
forgotten before it was made. Putting one back needs the store to itself, and keeps the file it replaces.

Beside them lies a copy of the key's slot, which holds no secret: with it and the passphrase the folder of backups is
enough on another computer.
"""

import contextlib
import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from heedful.core.errors import DamageError, HeedfulError, PassingError, UserCanFixError
from heedful.core.paths import Home, make_private
from heedful.memory.exporting.unwritable import unwritable
from heedful.storage import Connection, Key
from heedful.storage.lock import WriterLock
from heedful.storage.migrating import migrations, schema_version

KEPT = 3
EVERY = timedelta(days=1)

_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"heedful-(\d{8}T\d{6}Z)\.db")
_REPLACED = re.compile(r"heedful-replaced-\d{8}T\d{6}Z\.db")
_SCRAP = re.compile(r"heedful-(?:replaced-)?\d{8}T\d{6}Z\.db\.new(?:-journal)?")


def folder_of(home: Home) -> Path:
    """Where a home's backups lie."""
    return home.data / "backups"


def backups(home: Home) -> list[Path]:
    """The backups there are, the newest first."""
    try:
        names = [one for one in folder_of(home).iterdir() if _NAME.fullmatch(one.name)]
    except FileNotFoundError:
        return []
    return sorted(names, key=lambda one: one.name, reverse=True)


def earlier_copies(home: Home) -> list[Path]:
    """Every file that holds the store as it once was: backups, what a restore set aside, what an update began from."""
    aside = [one for one in folder_of(home).glob("*.db") if _REPLACED.fullmatch(one.name)]
    return [*backups(home), *sorted(aside), *_before_updates(home)]


def made_at(backup: Path) -> datetime | None:
    """When a backup was made, by its name; None for a file that is none of ours."""
    match = _NAME.fullmatch(backup.name)
    return None if match is None else datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)


def is_due(home: Home, *, now: datetime) -> bool:
    """Whether the newest backup is a day old, or there is none."""
    newest = next(iter(backups(home)), None)
    at = None if newest is None else made_at(newest)
    return at is None or now - at >= EVERY


def back_up(home: Home, key: Key, *, now: datetime, keep: int = KEPT) -> Path:
    """Writes a backup, and removes all but the newest `keep`.

    Raises:
        UserCanFixError: There is no room, or the folder can't be written; no older backup was removed.
        HeedfulError: The store can't be read.
    """
    target = folder_of(home) / f"heedful-{now.astimezone(UTC):{_STAMP}}.db"
    partial = target.with_name(target.name + ".new")
    with _room_for(target):
        make_private(target.parent)
        _drop_scraps(home)
        _copy(home.database, partial, key)
        partial.replace(target)
        _keep_slot(home)
        for old in backups(home)[keep:]:
            old.unlink()
    _drop_replaced(home)
    _drop_outdated(home, keep)
    return target


def restore(home: Home, key: Key, backup: Path, *, now: datetime) -> Path | None:
    """Puts a backup in the store's place; returns where the store before lies, None when there was none.

    Raises:
        StoreInUseError: Heedful is running.
        UserCanFixError: The file is no backup that this key opens, is of a newer Heedful, or can't be copied.
        DamageError: The backup is damaged; the store was not touched.
    """
    lock = WriterLock(home.lock)
    make_private(home.data)
    lock.acquire()
    try:
        _prove(backup, key)
        fresh = home.database.with_name(home.database.name + ".restored")
        with _room_for(fresh):
            _drop_scraps(home)
            _copy(backup, fresh, key)
            return _exchange(home, fresh, key, now=now)
    finally:
        lock.release()


@contextlib.contextmanager
def lock_of(home: Home, backup: Path) -> Iterator[None]:
    """Locks a home in which nothing is remembered yet as the backup's was, so that its passphrase opens it.

    Where the work within fails, the home is left without a lock as it was.
    """
    slot = backup.with_name(home.key_slot.name)
    is_fresh = not home.key_slot.exists() and not home.database.exists()
    if not (is_fresh and backup.is_file() and slot.is_file()):
        yield
        return
    with _room_for(home.key_slot):
        make_private(home.data)
        shutil.copyfile(slot, home.key_slot)
    try:
        yield
    except BaseException:
        home.key_slot.unlink(missing_ok=True)
        raise


def _keep_slot(home: Home) -> None:
    if home.key_slot.is_file():
        beside = folder_of(home) / home.key_slot.name
        partial = beside.with_name(beside.name + ".new")
        shutil.copyfile(home.key_slot, partial)
        partial.replace(beside)


def _prove(backup: Path, key: Key) -> None:
    if not backup.is_file():
        raise UserCanFixError(
            f"There is no backup at {backup}", "", "`heedful restore` without a file lists them."
        )
    connection = Connection(backup, key.hex, read_only=True)
    try:
        if connection.value("PRAGMA quick_check") != "ok":
            raise DamageError(
                "The backup is damaged", "The store was not touched.", "Choose an older backup."
            )
        version = schema_version(connection)
    finally:
        connection.close()
    if not 0 < version <= len(migrations()):
        raise UserCanFixError(
            "This is no backup that this Heedful can read",
            f"It has schema {version}; this program knows up to {len(migrations())}. The store was not touched.",
            "Update Heedful, or choose another file.",
        )


def _copy(file: Path, target: Path, key: Key) -> None:
    """A compact copy under the same key: no freed page comes along."""
    connection = Connection(file, key.hex, read_only=True)
    try:
        connection.execute("VACUUM INTO ?", (str(target),))
    except HeedfulError:
        with contextlib.suppress(OSError):
            target.unlink(missing_ok=True)
        raise
    finally:
        connection.close()


def _exchange(home: Home, fresh: Path, key: Key, *, now: datetime) -> Path | None:
    """Keeps a copy of the old file, then lets the fresh one take its name; at no moment is there none."""
    aside: Path | None = None
    if home.database.exists():
        make_private(folder_of(home))
        aside = folder_of(home) / f"heedful-replaced-{now.astimezone(UTC):{_STAMP}}.db"
        _fold_log(home, key, aside)
        partial = aside.with_name(aside.name + ".new")
        shutil.copy2(home.database, partial)
        partial.replace(aside)
    fresh.replace(home.database)
    return aside


def _fold_log(home: Home, key: Key, aside: Path) -> None:
    """Leaves no log beside the old file that the fresh one could be taken to have written."""
    try:
        connection = Connection(home.database, key.hex)
    except (
        HeedfulError
    ):  # the store can't be opened, which may be why it is replaced: its log is kept as it is
        for ending in ("-wal", "-shm"):
            part = home.database.with_name(home.database.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        return
    try:
        if connection.value("PRAGMA wal_checkpoint(TRUNCATE)"):
            raise PassingError(
                "The store can't be replaced while another program reads it",
                "It was left as it is.",
                "Close other Heedful windows and commands, then try again.",
            )
    finally:
        connection.close()


def _drop_scraps(home: Home) -> None:
    """Removes halves of copies that a run which was cut off left: they may hold what was forgotten since."""
    beside = [home.database.with_name(home.database.name + end) for end in (".restored", ".restored-journal")]
    folder = folder_of(home)
    halves = [one for one in folder.iterdir() if _SCRAP.fullmatch(one.name)] if folder.exists() else []
    for scrap in (*beside, *halves):
        scrap.unlink(missing_ok=True)


def _drop_replaced(home: Home) -> None:
    """Removes what a restore set aside once a backup was made after it."""
    newest = backups(home)[0].name.removeprefix("heedful-")
    for old in folder_of(home).iterdir():
        if _REPLACED.fullmatch(old.name.removesuffix("-wal").removesuffix("-shm")) and (
            old.name.removeprefix("heedful-replaced-") < newest
        ):
            old.unlink()


def _before_updates(home: Home) -> list[Path]:
    """The copies that were made before the store was brought to a newer schema (`storage.migrating`)."""
    return sorted(home.data.glob(f"{home.database.stem}.schema-*.backup.db"))


def _drop_outdated(home: Home, keep: int) -> None:
    """Removes what an update began from once `keep` backups were made after it: it holds what was forgotten since."""
    kept = backups(home)
    oldest = made_at(kept[-1])
    for copy in _before_updates(home):
        if len(kept) >= keep and oldest is not None and copy.stat().st_mtime < oldest.timestamp():
            copy.unlink()


@contextlib.contextmanager
def _room_for(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        title = "The backup can't be written"
        raise unwritable(exc, target.parent, title=title, meanwhile="The store is as it was.") from exc
