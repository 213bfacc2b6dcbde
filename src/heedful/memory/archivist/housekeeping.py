"""Keeps the store in order while nobody needs the machine: tidy, proven sound, and backed up once a day.

A backup is made only of a store that was found sound just before, so that damage never rotates good copies out.
"""

import asyncio
import logging
import shutil
from collections.abc import Callable

from heedful.core.clock import Clock
from heedful.core.errors import DamageError, UserCanFixError
from heedful.core.events import Event
from heedful.core.paths import Home
from heedful.memory.archivist.backup import back_up, is_due
from heedful.memory.forget.retention import forget_expired
from heedful.memory.work.host_load import Pace, Verdict
from heedful.storage import Connection, Key, Store

log = logging.getLogger(__name__)

MERGE_PAGES = 64
FREE_SHARE = 2
"""A backup needs its own size free on the disk, and leaves as much again."""


class Archivist:
    """One round at a time, on the event loop; asking the machine, copying and checking run in threads."""

    def __init__(
        self, store: Store, home: Home, key: Key, clock: Clock, *, gauge: Callable[[], Verdict]
    ) -> None:
        self._store, self._home, self._key, self._clock = store, home, key, clock
        self._gauge = gauge

    async def turn(self) -> None:
        """One round: what is past its source's time is forgotten, the index merged a little, a backup made when due.

        Does nothing at any pace but full.

        Raises:
            DamageError: The store is damaged; no backup was made or removed.
            UserCanFixError: There is no room for a backup.
        """
        if (await asyncio.to_thread(self._gauge)).pace is not Pace.FULL:
            return
        await forget_expired(self._store, self._clock)
        await self._store.write(_tidy)
        if await asyncio.to_thread(is_due, self._home, now=self._clock.now()):
            await self.keep_a_copy()

    async def keep_a_copy(self) -> None:
        """Makes a backup now, of a store that is proven sound first.

        Raises:
            DamageError, UserCanFixError: As `turn` says.
        """
        await self._store.read_long(prove_sound)
        await asyncio.to_thread(self._refuse_without_room)
        backup = await asyncio.to_thread(back_up, self._home, self._key, now=self._clock.now())
        log.info("backed up, %d bytes", backup.stat().st_size)

    def _refuse_without_room(self) -> None:
        if shutil.disk_usage(self._home.data).free < FREE_SHARE * self._store.size_bytes:
            raise UserCanFixError(
                "There is no room for a backup",
                "The disk has less free space than twice the store's size; the older backups are kept.",
                "Free some space; the backup is then made by itself.",
            )


def prove_sound(connection: Connection) -> None:
    """Reads every page of the store.

    Raises:
        DamageError: One does not hold what it should.
    """
    if connection.value("PRAGMA quick_check") != "ok":
        raise DamageError(
            "The store is damaged",
            "Nothing more is backed up, and the backups there are stay.",
            "Quit Heedful and put the newest back with `heedful restore`.",
        )


def _tidy(connection: Connection) -> tuple[None, list[Event]]:
    """Merges the full-text indexes a little and lets SQLite refresh the figures its plans stand on."""
    for index in ("chunk_index", "node_index"):
        connection.execute(f"INSERT INTO {index} ({index}, rank) VALUES ('merge', ?)", (MERGE_PAGES,))
    connection.execute("PRAGMA optimize")
    return None, []
