"""A source's batches, drawn one at a time in worker threads."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.sources import Batch, SourceKind, source_kinds
from heedful.sources.files import translated


class Feed:
    """Reads a source; `next` gives its next batch, None at the end."""

    def __init__(self, kind: SourceKind, path: Path, cursor: str, clock: Clock) -> None:
        self._path = path
        self._batches = iter(kind.read(path, cursor, clock=clock))
        self._guard = threading.Lock()

    async def next(self) -> Batch | None:
        """The next batch.

        Raises:
            HeedfulError: The source can't be read.
        """
        return await asyncio.to_thread(self._draw)

    def _draw(self) -> Batch | None:
        with self._guard, translated(self._path):
            return next(self._batches, None)

    def close(self) -> None:
        """Closes the file a half-read source holds open."""
        with self._guard:
            close = getattr(self._batches, "close", None)
            if close is not None:
                close()


@asynccontextmanager
async def feed_of(kind: SourceKind, path: Path, cursor: str, clock: Clock) -> AsyncIterator[Feed]:
    """A feed that is closed at the end, whatever happens."""
    feed = Feed(kind, path, cursor, clock)
    try:
        yield feed
    finally:
        await asyncio.shield(asyncio.to_thread(feed.close))


def known_kind(name: str) -> SourceKind:
    """The kind of source of that name.

    Raises:
        RejectedError: There is none any more.
    """
    kind = source_kinds().get(name)
    if kind is None:
        raise RejectedError(f"Heedful no longer knows sources of kind {name}", "", "Remove the source.")
    return kind
