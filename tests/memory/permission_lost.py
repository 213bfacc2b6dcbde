"""Takes the permission to read from every kind of source and gives it back; run as somebody whom the system refuses.

`python -m tests.memory.permission_lost FOLDER` prints what became of each source, as JSON by kind and by what was
refused: its state and number of messages while it was, and afterwards.
"""

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.clock import SystemClock
from heedful.core.errors import HeedfulError
from heedful.core.ids import SourceId
from heedful.core.paths import home_at
from heedful.memory import Library
from heedful.storage import Key, KeyKind, Store
from tests.memory.source_families import FAMILIES, Family

TEXTS = {"one": "The garden is green.", "two": "The fence is white.", "three": "The roof is red."}
NOTHING, ONLY_ENTER, ONLY_LIST = 0o000, 0o111, 0o444
Told = list[object]


def refusals(family: Family) -> dict[str, list[tuple[Path, int]]]:
    """What may be refused of a source: its place, its folder's names, the folder around it, a file, a subfolder."""
    place = family.place
    cases = {"place": [(place, NOTHING)], "around": [(place.parent, NOTHING)]}
    if place.is_dir():
        below = sorted(place.rglob("*"), key=lambda path: -len(path.parts))
        cases |= {"list": [(place, ONLY_ENTER)], "enter": [(place, ONLY_LIST)]}
        cases["file"] = [(next(path for path in below if path.is_file()), NOTHING)]
        cases["folders"] = [(path, NOTHING) for path in below if path.is_dir()]
    return cases


async def ways(library: Library, source_id: SourceId) -> Told:
    """The source after it was read, and after all of it was compared."""
    told: Told = []
    for look in (library.sync, library.reconcile):
        with suppress(HeedfulError):  # its row says so
            await look(source_id)
        row = next(row for row in await library.sources() if row.id == source_id)
        told += [row.state, row.messages, row.rejected]
    return told


async def lost_and_given_back(library: Library, family: Family) -> dict[str, list[Told]]:
    source_id = await library.add(family.place)
    await library.sync(source_id)
    found = {}
    for name, refused in refusals(family).items():
        before = [(path, path.stat().st_mode & 0o777) for path, _ in refused]
        for path, mode in refused:
            path.chmod(mode)
        during = await ways(library, source_id)
        for path, mode in reversed(before):
            path.chmod(mode)
        found[name] = [during, await ways(library, source_id)]
    await library.remove(source_id)
    return found


async def run(folder: Path) -> dict[str, dict[str, list[Told]]]:
    store = Store.open(home_at(folder / "home"), Key(KeyKind.KEYRING, "5a" * 32), Bus())
    try:
        library = Library(store, Bus(), SystemClock())
        found = {}
        for kind in FAMILIES:
            around = folder / kind.__name__
            around.mkdir()
            family = kind(around)
            family.write(TEXTS)
            family.shift(TEXTS, "two")
            found[kind.__name__.lower()] = await lost_and_given_back(library, family)
        return found
    finally:
        store.close()


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(run(Path(sys.argv[1])))))
