"""A watched source is read again by itself when its file or folder changes."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.clock import SystemClock
from heedful.core.events import MemoryGrew
from heedful.core.supervise import Supervisor
from heedful.memory import Library
from heedful.memory.sync.watched import WatchedSources
from heedful.storage import Store
from tests.memory.incoming import rows

NOTE = "# Garden\n\nPlant the beans.\n"


@pytest.fixture
async def supervisor() -> AsyncIterator[Supervisor]:
    made = Supervisor(SystemClock())
    yield made
    await made.stop()


async def grown(bus: Bus) -> asyncio.Event:
    event = asyncio.Event()
    bus.subscribe(MemoryGrew, lambda _: event.set())
    return event


async def test_a_new_note_in_a_watched_folder_is_read_by_itself(
    store: Store, bus: Bus, supervisor: Supervisor, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "garden.md").write_text(NOTE, encoding="utf-8")
    library = Library(store, bus, SystemClock())
    await library.sync(await library.add(folder))
    watched = WatchedSources(library, bus)
    more = await grown(bus)
    supervisor.start("watch", watched.follow("folders"))
    await written_until(more, folder / "fence.md")
    assert more.is_set()


async def test_a_source_added_later_is_watched_from_then_on(
    store: Store, bus: Bus, supervisor: Supervisor, tmp_path: Path
) -> None:
    library = Library(store, bus, SystemClock())
    watched = WatchedSources(library, bus)
    supervisor.start("watch", watched.follow("folders"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "garden.md").write_text(NOTE, encoding="utf-8")
    await library.sync(await library.add(folder))
    more = await grown(bus)
    await written_until(more, folder / "fence.md")
    assert more.is_set()


async def test_reading_all_passes_over_a_source_that_is_gone_and_says_so_in_its_row(
    store: Store, bus: Bus, tmp_path: Path
) -> None:
    gone, there = tmp_path / "gone.md", tmp_path / "there.md"
    gone.write_text(NOTE, encoding="utf-8")
    there.write_text(NOTE, encoding="utf-8")
    library = Library(store, bus, SystemClock())
    for path in (gone, there):
        await library.add(path)
    gone.unlink()
    await WatchedSources(library, bus).read_all()
    known = {row.name: row for row in await library.sources()}
    assert known["gone.md"].state == "error"
    assert known["gone.md"].error
    assert known["there.md"].messages == 1


async def test_a_folder_that_was_away_is_watched_again_once_it_is_there(
    store: Store, bus: Bus, supervisor: Supervisor, tmp_path: Path
) -> None:
    folder, away = tmp_path / "notes", tmp_path / "away"
    folder.mkdir()
    (folder / "garden.md").write_text(NOTE, encoding="utf-8")
    library = Library(store, bus, SystemClock())
    watched = WatchedSources(library, bus)
    await library.sync(await library.add(folder))
    folder.rename(away)
    supervisor.start("watch", watched.follow("folders"))
    await watched.read_all()
    (row,) = await library.sources()
    assert (row.state, row.messages) == ("error", 1)
    away.rename(folder)
    await watched.read_all()
    (row,) = await library.sources()
    assert (row.state, row.messages) == ("active", 1)
    more = await grown(bus)
    await written_until(more, folder / "fence.md")
    assert more.is_set()


async def test_what_changed_while_nothing_ran_is_followed_by_the_first_round(
    store: Store, bus: Bus, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("garden", "fence", "roof"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nAbout the {name}.\n", encoding="utf-8")
    library = Library(store, bus, SystemClock())
    source_id = await library.add(folder)
    await library.sync(source_id)
    (folder / "fence.md").unlink()
    (folder / "roof.md").write_text("# roof\n\nNew tiles.\n", encoding="utf-8")
    (folder / "gate.md").write_text("# gate\n\nOil it.\n", encoding="utf-8")
    await WatchedSources(Library(store, bus, SystemClock()), bus).read_all()
    kept = await rows(store, "SELECT external_id, text FROM messages ORDER BY external_id")
    assert [str(name) for name, _ in kept] == ["garden.md", "gate.md", "roof.md"]
    assert "New tiles." in str(kept)


async def written_until(heard: asyncio.Event, file: Path) -> None:
    """Writes the file anew until the watch has seen it: a watch takes a moment to begin."""
    for turn in range(20):
        await asyncio.to_thread(file.write_text, f"{NOTE}\nTurn {turn}.\n", encoding="utf-8")
        try:
            async with asyncio.timeout(2):
                await heard.wait()
        except TimeoutError:
            continue
        return
