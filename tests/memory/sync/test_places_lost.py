"""A drive that is taken out and a permission that is taken away: nothing goes, it is told, and it mends by itself."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.supervise import Supervisor
from heedful.memory import Library, SourceRow
from heedful.memory.sync.watched import WatchedSources
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.presenters.source_words import standing
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.memory.forgetting import put_item, stored
from tests.memory.incoming import do, rows
from tests.memory.permission_lost import TEXTS
from tests.memory.source_families import FAMILIES, Family
from tests.memory.workshop import tools_of

ROOT = Path(__file__).parents[3]
MESSAGES = "SELECT id, external_id, text FROM messages ORDER BY seq"
FOLDERS = {
    "mbox": ["More.sbd"],
    "eml": ["kept"],
    "maildir": [".Archive/cur"],
    "notes": ["old"],
    "ics": ["more"],
}
"""The kinds that have folders below, and the one that holds a text."""
ALL_FOLDERS = {"maildir": [".Archive", "cur", "new"]}
ALL_THERE = {"state": "active", "messages": 3, "rejected": 0, "unread": [], "missing": 0}
Told = dict[str, object]
Refused = dict[str, dict[str, list[list[Told]]]]
"""What became of a source while the system refused a part of it, and afterwards: by kind, by what was refused."""


class Drive:
    """A file system of its own at a place, with what it holds kept while it is not connected."""

    def __init__(self, place: Path, kept: Path) -> None:
        self.place = place
        self._kept = kept
        self._is_in = False

    def connect(self) -> None:
        self.place.mkdir(parents=True, exist_ok=True)
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "none", str(self.place)], check=False, capture_output=True
        )
        if made.returncode:
            pytest.skip("nothing can be mounted here")
        self._is_in = True
        if self._kept.exists():
            shutil.copytree(self._kept, self.place, dirs_exist_ok=True)

    def take_out(self) -> None:
        if self._is_in:
            shutil.rmtree(self._kept, ignore_errors=True)
            shutil.copytree(self.place, self._kept)
            subprocess.run(["umount", "-l", str(self.place)], check=True)
            self._is_in = False


@pytest.fixture
def library(store: Store, bus: Bus, clock: FakeClock) -> Library:
    return Library(store, bus, clock)


@pytest.fixture
async def supervisor(clock: FakeClock) -> AsyncIterator[Supervisor]:
    made = Supervisor(clock)
    yield made
    await made.stop()


@pytest.fixture(params=FAMILIES, ids=lambda family: family.__name__.lower())
def family(request: pytest.FixtureRequest, tmp_path: Path) -> Family:
    made: Family = request.param(tmp_path / "drive")
    return made


@pytest.fixture
def drive(family: Family, tmp_path: Path) -> Iterator[Drive]:
    """One that a folder fills, or on which a file lies."""
    is_file = family.place.suffix != ""
    made = Drive(family.place.parent if is_file else family.place, tmp_path / "kept")
    made.connect()
    family.write(TEXTS)
    yield made
    made.take_out()


async def only(library: Library) -> SourceRow:
    (row,) = await library.sources()
    return row


async def test_a_drive_taken_out_takes_nothing_and_all_is_well_once_it_is_back(
    library: Library, store: Store, bus: Bus, clock: FakeClock, family: Family, drive: Drive
) -> None:
    work = Worker(tools_of(store, clock), lambda: {"reconcile": job_kinds()["reconcile"]})
    watched = WatchedSources(library, bus)
    await library.sync(await library.add(family.place))
    before = await rows(store, MESSAGES)
    message = await stored(store, str(before[0][1]))
    await do(store, lambda c: put_item(c, "i1", "Look after it", message, state="snoozed"))
    drive.take_out()
    for _ in range(2):
        await watched.read_all()
        await work.settle()
        row = await only(library)
        assert (row.state, row.messages) == ("error", 3)
        assert standing(row, clock.now()) == "needs you"
        assert row.error
        assert "Heedful keeps what it has read from it" in row.error
    drive.connect()
    await watched.read_all()
    await work.settle()
    row = await only(library)
    assert standing(row, clock.now()) == "up to date"
    assert (row.error, row.missing, row.messages) == (None, 0, 3)
    assert await rows(store, MESSAGES) == before
    assert await rows(store, "SELECT state FROM actionables") == [("snoozed",)]


async def test_what_was_emptied_on_purpose_leaves_at_the_persons_word(
    library: Library, store: Store, clock: FakeClock, family: Family, drive: Drive
) -> None:
    if family.place.suffix:
        pytest.skip("a file that is gone is chosen again")
    source_id = await library.add(family.place)
    await library.sync(source_id)
    for path in family.place.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    await WatchedSources(library, Bus()).read_all()
    assert (await only(library)).missing == 3
    clock.advance(timedelta(minutes=1))
    assert (await library.reconcile(source_id, believes=True)).gone == 3
    assert await rows(store, MESSAGES) == []
    row = await only(library)
    assert (row.state, row.missing) == ("active", 0)


async def test_a_watched_drive_is_missed_and_met_again_by_itself(
    library: Library,
    bus: Bus,
    supervisor: Supervisor,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("heedful.sources.watching.LOOK_EVERY_MS", 50)
    place, away = tmp_path / "notes", tmp_path / "away"
    place.mkdir()
    (place / "one.md").write_text("# One\n\nThe garden is green.\n")
    await library.sync(await library.add(place))
    supervisor.start("watch", WatchedSources(library, bus).follow("folders"))

    async def stands(state: str) -> None:
        async with asyncio.timeout(20):
            while (await only(library)).state != state:
                await asyncio.to_thread(os.utime, place)  # a watch takes a moment to begin

    await asyncio.to_thread(os.utime, place)
    place.rename(away)
    place.mkdir()
    await stands("error")
    place.rmdir()
    away.rename(place)
    await stands("active")
    assert (await only(library)).messages == 1


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> Refused:
    """The superuser may read everything, so it is run without that power."""
    command = [sys.executable, "-m", "tests.memory.permission_lost", str(tmp_path_factory.mktemp("refused"))]
    if os.name != "posix":
        pytest.skip("permissions are another thing here")
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("the superuser can't be refused here")
        powerless = ["--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"]
        command = ["setpriv", *powerless, *command]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: Refused = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("kind", [family.__name__.lower() for family in FAMILIES])
def test_a_permission_taken_away_takes_nothing_and_all_is_well_once_it_is_given_back(
    refused: Refused, kind: str
) -> None:
    for name, (during, after) in refused[kind].items():
        if name == "deleted beside":
            continue
        for told in during:
            assert told["messages"] == 3, name
            assert told["state"] in ("active", "error"), name
            if name in ("place", "around", "list", "enter"):
                assert (told["state"], told["rejected"]) == ("error", 0), name
        assert after[-1] == ALL_THERE, name


def test_a_single_file_that_may_not_be_read_is_told_by_its_name_and_the_others_are_read(
    refused: Refused,
) -> None:
    for kind in FOLDERS:
        (_, told), _ = refused[kind]["file"]
        assert (told["state"], told["rejected"], told["unread"]) == ("active", 1, []), kind


@pytest.mark.parametrize("name", ["folders", "folders' files", "one folder"])
@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_below_that_may_not_be_read_is_told_by_its_name_and_the_rest_is_read(
    refused: Refused, kind: str, name: str
) -> None:
    folders = FOLDERS[kind] if name == "one folder" else ALL_FOLDERS.get(kind, FOLDERS[kind])
    during, after = refused[kind][name]
    for told in during:
        assert (told["state"], told["unread"], told["rejected"]) == ("active", folders, len(folders))
    assert after[0]["unread"] == []


@pytest.mark.parametrize("kind", ["eml", "maildir", "notes"])
def test_what_lies_in_a_folder_that_may_not_be_read_is_never_taken_for_deleted_and_what_goes_beside_it_leaves(
    refused: Refused, kind: str
) -> None:
    during, after = refused[kind]["deleted beside"]
    assert [told["messages"] for told in (*during, *after)] == [2] * 6
    assert during[-1]["missing"] == 1
    assert after[-1] == ALL_THERE | {"messages": 2}
