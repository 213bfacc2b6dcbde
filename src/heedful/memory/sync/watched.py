"""Reads a watched source again when its files change, and all of them now and then, for what no watch can tell."""

import asyncio
import logging
from functools import partial
from pathlib import Path
from stat import S_ISDIR
from typing import Literal

from heedful.core.bus import Bus
from heedful.core.errors import HeedfulError, PassingError
from heedful.core.events import SourcesChanged
from heedful.memory.messages.sources_store import SourceRow
from heedful.memory.sync.library import Library
from heedful.sources.files import translated
from heedful.sources.watching import watch

log = logging.getLogger(__name__)

Shape = Literal["files", "folders"]


class WatchedSources:
    """Follows the library: a source that is added, paused or moved is watched accordingly from then on."""

    def __init__(self, library: Library, bus: Bus) -> None:
        self._library = library
        self._bus = bus
        self._reading = False
        self._watching: dict[asyncio.Event, tuple[Shape, frozenset[Path]]] = {}

    async def read_all(self) -> None:
        """Reads every watched source once; one that fails says so in its row and does not keep the others.

        Raises:
            PassingError: The store is busy.
        """
        await self._library.note_cut_off()
        await self._read(await self._rows())
        for regrouped, (shape, paths) in tuple(self._watching.items()):
            if paths != _paths(await self._rows(shape)):  # one vanished, or is there again
                regrouped.set()

    async def follow(self, shape: Shape) -> None:
        """Watches the sources that are files, or those that are folders, until cancelled."""
        while True:
            regrouped = asyncio.Event()
            unsubscribe = self._bus.subscribe(SourcesChanged, partial(self._regroup, regrouped))
            try:
                rows = await self._rows(shape)
                self._watching[regrouped] = shape, _paths(rows)
                await self._follow_these(rows, regrouped)
            finally:
                self._watching.pop(regrouped, None)
                unsubscribe()

    def _regroup(self, again: asyncio.Event, _: SourcesChanged) -> None:
        """What our own reading changes in a source's row is no reason to watch other places."""
        if not self._reading:
            again.set()

    async def _follow_these(self, rows: list[SourceRow], regrouped: asyncio.Event) -> None:
        async for touched in watch(_paths(rows), stop=regrouped):
            await self._read([row for row in rows if row.path in touched])

    async def _rows(self, shape: Shape | None = None) -> list[SourceRow]:
        known = await self._library.sources(with_pending=False)
        rows = [row for row in known if row.watched and row.state != "paused"]
        shapes = await asyncio.to_thread(lambda: {row.id: _shape_of(row.path) for row in rows})
        return [row for row in rows if shape is None or shapes[row.id] == shape]

    async def _read(self, rows: list[SourceRow]) -> None:
        self._reading = True
        try:
            async with self._library.round():  # a mail that was moved is met again before it would leave
                for row in rows:
                    await self._read_one(row)
        finally:
            self._reading = False

    async def _read_one(self, row: SourceRow) -> None:
        try:
            await self._library.sync(row.id)
        except PassingError:
            raise
        except HeedfulError as exc:
            log.info("source %s can't be read: %s", row.id, type(exc).__name__)


def _paths(rows: list[SourceRow]) -> frozenset[Path]:
    return frozenset(row.path for row in rows)


def _shape_of(path: Path) -> Shape | None:
    try:
        with translated(path):
            mode = path.stat().st_mode
    except HeedfulError:
        return None
    return "folders" if S_ISDIR(mode) else "files"
