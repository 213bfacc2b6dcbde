"""Notices when a watched file or folder changes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from heedful.core.errors import UserCanFixError

_QUIET_MS = 800
_LONGEST_MS = 5000


async def watch(paths: Iterable[Path], *, stop: asyncio.Event) -> AsyncIterator[set[Path]]:
    """The watched paths that changed, each time after things have been quiet for a moment, until `stop` is set.

    Give files and folders in calls of their own: a file is watched through its folder, since programs replace
    files rather than rewrite them, but not through what lies below that folder. Without paths it just waits for
    `stop`.

    Raises:
        UserCanFixError: A folder, or the folder of a file, does not exist or can't be watched.
    """
    from watchfiles import awatch  # starts threads of its own, and not every command watches

    watched = {path.absolute(): path for path in paths}
    if not watched:
        await stop.wait()
        return
    folders = {path for path in watched if path.is_dir()}
    roots = folders or {path.parent for path in watched}
    try:
        changes = awatch(
            *roots,
            watch_filter=None,
            debounce=_LONGEST_MS,
            step=_QUIET_MS,
            stop_event=stop,
            recursive=bool(folders),
        )
        async for change in changes:
            touched = {
                original
                for _, name in change
                for path, original in watched.items()
                if path == Path(name) or path in Path(name).parents
            }
            if touched:
                yield touched
    except OSError as exc:
        raise UserCanFixError(
            "A watched folder can't be watched",
            f"The system says: {exc.strerror or exc}.",
            "Choose it again.",
        ) from exc
