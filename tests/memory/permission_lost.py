"""Takes the permission to read from every kind of source and gives it back; run as somebody whom the system refuses.

`python -m tests.memory.permission_lost FOLDER` prints what became of each source, as JSON by kind and by what was
refused: its state, its messages, what of it could not be read and which folders; when it was read and when all of it
was compared, while it was refused and afterwards.
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
ONE_FILE_EACH = ("eml", "maildir", "notes")
Told = dict[str, object]


def refusals(family: Family) -> dict[str, list[tuple[Path, int]]]:
    """What may be refused of a source: its place, its folder's names, the folder around it, a file, subfolders."""
    place = family.place
    cases = {"place": [(place, NOTHING)], "around": [(place.parent, NOTHING)]}
    if place.is_dir():
        below = sorted(place.rglob("*"), key=lambda path: -len(path.parts))
        cases |= {"list": [(place, ONLY_ENTER)], "enter": [(place, ONLY_LIST)]}
        cases["file"] = [(next(path for path in below if path.is_file()), NOTHING)]
        for name, mode in (("folders", NOTHING), ("folders' files", ONLY_LIST)):
            cases[name] = [(path, mode) for path in below if path.is_dir()]
        cases["one folder"] = [(holder_of(family, "two").parent, NOTHING)]
    return cases


def holder_of(family: Family, key: str) -> Path:
    """The file that a text lies in."""
    return next(
        path for path in sorted(family.place.rglob("*")) if path.is_file() and TEXTS[key] in path.read_text()
    )


async def ways(library: Library, source_id: SourceId) -> list[Told]:
    """The source after it was read, and after all of it was compared."""
    told = []
    for look in (library.sync, library.reconcile):
        with suppress(HeedfulError):  # its row says so
            await look(source_id)
        told.append(await standing(library, source_id))
    return told


async def standing(library: Library, source_id: SourceId) -> Told:
    row = next(row for row in await library.sources() if row.id == source_id)
    told: Told = {"state": row.state, "messages": row.messages, "rejected": row.rejected}
    return told | {"unread": row.unread, "missing": row.missing}


async def lost_and_given_back(library: Library, family: Family) -> dict[str, list[list[Told]]]:
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
    if type(family).__name__.lower() in ONE_FILE_EACH:
        found["deleted beside"] = await deleted_beside(library, family, source_id)
    await library.remove(source_id)
    return found


async def deleted_beside(library: Library, family: Family, source_id: SourceId) -> list[list[Told]]:
    """One thing goes while another's folder may not be read, and a person takes what is missing for deleted."""
    folder = holder_of(family, "two").parent
    holder_of(family, "one").unlink()
    folder.chmod(NOTHING)
    during = await ways(library, source_id)
    await library.reconcile(source_id, believes=True)
    during.append(await standing(library, source_id))
    folder.chmod(0o755)
    await library.sync(source_id)
    back = [await standing(library, source_id)]
    return [during, back + await ways(library, source_id)]


async def run(folder: Path) -> dict[str, dict[str, list[list[Told]]]]:
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
