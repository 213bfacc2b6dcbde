"""Notices when a watched file or folder changes, and when a drive comes or goes under it."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import aclosing
from pathlib import Path

from heedful.core.errors import UserCanFixError

_QUIET_MS = 800
_LONGEST_MS = 5000
LOOK_EVERY_MS = 5000

_Identity = tuple[int, int] | None


async def watch(paths: Iterable[Path], *, stop: asyncio.Event) -> AsyncIterator[set[Path]]:
    """The watched paths that changed, each time after things have been quiet for a moment, until `stop` is set.

    Give files and folders in calls of their own: a file is watched through its folder, since programs replace
    files rather than rewrite them, but not through what lies below that folder. What may not be read below a folder
    is not watched. Without paths it just waits for `stop`.

    The system tells nothing of a folder that is another one now, as when its drive was taken out or put in: that is
    looked for every few seconds, and ends the watch after its paths were given, for it must begin anew.

    Raises:
        UserCanFixError: A folder, or the folder of a file, does not exist or can't be watched.
    """
    from watchfiles import awatch  # starts threads of its own, and not every command watches

    watched = {path.absolute(): path for path in paths}
    if not watched:
        await stop.wait()
        return
    folders = {path for path in watched if path.is_dir()}
    roots = {path: path if folders else path.parent for path in watched}
    before = await asyncio.to_thread(_identities, roots)
    if None in before.values():  # the watch itself passes over it with what may not be read
        raise _unwatchable("It is not there.")
    changes = awatch(
        *set(roots.values()),
        watch_filter=None,
        debounce=_LONGEST_MS,
        step=_QUIET_MS,
        stop_event=stop,
        rust_timeout=LOOK_EVERY_MS,
        yield_on_timeout=True,
        recursive=bool(folders),
        ignore_permission_denied=True,
    )
    try:
        async with aclosing(changes):
            async for change in changes:
                now = await asyncio.to_thread(_identities, roots)
                touched = {path for path in watched if now[path] != before[path] or _is_meant(path, change)}
                if touched:
                    yield {watched[path] for path in touched}
                if now != before:
                    return
    except OSError as exc:
        raise _unwatchable(f"The system says: {exc.strerror or exc}.") from exc


def _unwatchable(why: str) -> UserCanFixError:
    return UserCanFixError("A watched folder can't be watched", why, "Choose it again.")


def _is_meant(path: Path, changes: Iterable[tuple[object, str]]) -> bool:
    """Whether something at the path or below it changed."""
    return any(path == Path(name) or path in Path(name).parents for _, name in changes)


def _identities(roots: Mapping[Path, Path]) -> dict[Path, _Identity]:
    """Which folder each path is watched through, as the system tells folders apart; None where it is not there."""
    return {path: _identity(root) for path, root in roots.items()}


def _identity(folder: Path) -> _Identity:
    try:
        stat = folder.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
