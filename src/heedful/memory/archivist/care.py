"""The care of the memory at the person's word: its size, its soundness, its backups, an export, and the way out.

What needs the store to itself, putting a backup back and wiping, is only prepared here: whoever runs it closes the
house first.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from heedful.core.clock import Clock, from_millis, to_millis
from heedful.core.events import Event
from heedful.core.paths import Home
from heedful.memory.archivist.backup import backups, folder_of, made_at, restore
from heedful.memory.archivist.forget_all import wipe
from heedful.memory.archivist.housekeeping import Archivist, prove_sound
from heedful.memory.archivist.report import StoreReport, store_report
from heedful.memory.exporting.folder import LIST
from heedful.memory.exporting.vault import Exported, Json, export
from heedful.memory.messages import cursors_store
from heedful.storage import Connection, Key, Store

EXPORT_NAME = "Heedful memory"


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup: its file, when it was made, its size."""

    file: Path
    made_at: datetime
    size_bytes: int


class Care:
    """Looks after one open store. For the event loop; what takes long runs in threads."""

    def __init__(self, store: Store, home: Home, key: Key, clock: Clock, archivist: Archivist) -> None:
        self._store, self._home, self._key, self._clock = store, home, key, clock
        self._archivist = archivist

    @property
    def backup_folder(self) -> Path:
        """Where the backups lie."""
        return folder_of(self._home)

    async def size_bytes(self) -> int:
        """What the store takes on the disk."""
        return await asyncio.to_thread(lambda: self._store.size_bytes)

    async def report(self) -> StoreReport:
        """What takes how much; reads every page once."""
        return await self._store.read_long(store_report)

    async def backups(self) -> tuple[Backup, ...]:
        """The backups there are, the newest first."""
        return await asyncio.to_thread(_listed, self._home)

    async def check(self) -> None:
        """Reads every page of the store, and keeps when all were sound.

        Raises:
            DamageError: One does not hold what it should.
        """
        await self._store.read_long(prove_sound)
        now = to_millis(self._clock.now())

        def noted(connection: Connection) -> tuple[None, list[Event]]:
            cursors_store.advance(connection, cursors_store.FOUND_SOUND, now)
            return None, []

        await self._store.write(noted)

    async def checked_at(self) -> datetime | None:
        """When `check` last found all sound; None before the first time."""
        at = await self._store.read(
            lambda connection: cursors_store.cursor(connection, cursors_store.FOUND_SOUND)
        )
        return from_millis(at) if at else None

    async def back_up(self) -> None:
        """Makes a backup now, of a store that is proven sound first.

        Raises:
            DamageError: The store is damaged.
            UserCanFixError: There is no room for it.
        """
        await self._archivist.keep_a_copy()

    async def export(
        self, folder: Path, *, items: Sequence[Json], sources: Sequence[Json]
    ) -> tuple[Path, Exported]:
        """Writes everything into the folder, or into one below it where it holds other files; returns which.

        Raises:
            UserCanFixError: It can't be written.
        """
        target = await asyncio.to_thread(_target, folder)
        now, zone = self._clock.now(), self._clock.zone
        done = await self._store.read_long(
            lambda connection: export(connection, target, items=items, sources=sources, now=now, zone=zone)
        )
        return target, done

    def restoring(self, backup: Path) -> Callable[[], object]:
        """What puts a backup in the store's place, to be run when the store is closed; see `backup.restore`."""
        return lambda: restore(self._home, self._key, backup, now=self._clock.now())

    def wiping(self) -> Callable[[], object]:
        """What removes everything remembered, to be run when the store is closed; see `forget_all.wipe`."""
        return lambda: wipe(self._home)


def _listed(home: Home) -> tuple[Backup, ...]:
    dated = ((file, made_at(file)) for file in backups(home))
    return tuple(Backup(file, at, file.stat().st_size) for file, at in dated if at is not None)


def _target(folder: Path) -> Path:
    try:
        is_free = not folder.exists() or (folder / LIST).exists() or not any(folder.iterdir())
    except OSError:  # the export itself says what is wrong with it
        return folder
    return folder if is_free else folder / EXPORT_NAME
