"""Comparing all that a source holds with what is stored of it: interrupted or not, it comes out the same."""

import json
import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from heedful.core.bus import Bus
from heedful.core.clock import to_millis
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.events import MemoryGrew
from heedful.core.ids import SourceId
from heedful.memory import Library
from heedful.memory.intake.door import Intake
from heedful.memory.sync.reconciling import compare
from heedful.memory.work.host_load import Pace, Verdict
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Worker
from heedful.sources.kinds import BATCH_SIZE
from heedful.storage import Store
from heedful.storage.store import WriteWork
from tests.fakes.clock import FakeClock
from tests.fakes.zones import BrokenZone
from tests.memory.incoming import do, rows
from tests.memory.workshop import tools_of
from tests.sources.letters import SEPARATOR, letter

T = TypeVar("T")

COUNT = "SELECT count(*) FROM messages"


@pytest.fixture
def library(store: Store, bus: Bus, clock: FakeClock) -> Library:
    return Library(store, bus, clock)


@pytest.fixture
def work(store: Store, clock: FakeClock) -> Worker:
    return Worker(tools_of(store, clock), lambda: {"reconcile": job_kinds()["reconcile"]})


def notes(folder: Path, *numbers: int) -> Path:
    folder.mkdir(exist_ok=True)
    for number in numbers:
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nPlant beans in row {number}.\n")
    return folder


def mbox(file: Path, *numbers: int) -> Path:
    letters = (letter(f"Water row {n}.\n", number=n, subject=f"Row {n}") for n in numbers)
    file.write_text("".join(f"{SEPARATOR}{one}\n" for one in letters))
    return file


def chat(file: Path, *numbers: int) -> Path:
    lines = (
        {"id": f"m{n}", "sent_at": f"2026-12-01T10:{n // 60:02}:{n % 60:02}+00:00", "text": f"Word {n}"}
        for n in numbers
    )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


async def read(library: Library, path: Path, clock: FakeClock) -> SourceId:
    source_id = await library.add(path)
    await library.sync(source_id)
    clock.advance(timedelta(minutes=1))
    return source_id


async def test_a_comparison_finds_what_is_new_edited_and_gone_whatever_the_cursor_says(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    source_id = await read(library, notes(tmp_path / "notes", 1, 2, 3), clock)
    held = str((await rows(store, "SELECT cursor FROM sources"))[0][0])
    (tmp_path / "notes" / "2.md").write_text("# Note 2\n\nPlant peas.\n")
    (tmp_path / "notes" / "3.md").unlink()
    notes(tmp_path / "notes", 4)
    done = await library.reconcile(source_id)
    assert (done.intake.new, done.intake.edited, done.gone, done.missing) == (1, 1, 1, 0)
    kept = {str(name) for (name,) in await rows(store, "SELECT external_id FROM messages")}
    assert kept == {"1.md", "2.md", "4.md"}
    assert await rows(store, "SELECT cursor FROM sources") == [(held,)]
    assert (await library.sync(source_id)).intake.gone == 0


async def test_every_week_a_watched_source_is_compared_by_itself(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    box = mbox(tmp_path / "box.mbox", 1, 2, 3)
    await read(library, box, clock)
    # A mail program marks what is deleted in place, which no cursor of a growing file notices.
    raw = box.read_text().replace("From: Ana", "X-Mozilla-Status: 0000\nFrom: Ana")
    box.write_text(raw)
    assert (await work.settle()).done == 0
    clock.advance(timedelta(days=7))
    assert (await work.settle()).done == 1
    head, mark, tail = raw.rpartition("X-Mozilla-Status: 0000")
    box.write_text(f"{head}X-Mozilla-Status: 0008{tail}" if mark else raw)
    clock.advance(timedelta(days=7))
    await work.settle()
    assert await rows(store, COUNT) == [(2,)]


async def test_a_source_that_was_only_imported_is_compared_when_asked_and_not_before(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    folder = notes(tmp_path / "notes", 1, 2)
    source_id = await library.add(folder, watched=False)
    await library.sync(source_id)
    clock.advance(timedelta(days=30))
    assert (await work.settle()).done == 0
    await library.reconcile(source_id)
    assert await rows(store, "SELECT 1 FROM jobs WHERE kind = 'reconcile'") == []


async def test_a_comparison_that_is_interrupted_goes_on_where_it_was(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    file = chat(tmp_path / "chat.messages.jsonl", *range(900))
    source_id = await read(library, file, clock)
    chat(file, *(n for n in range(900) if n % 100))
    await library.sync(source_id)
    looks, is_paused = 0, False

    def gauge() -> Verdict:
        nonlocal looks, is_paused
        looks += 1
        is_paused = is_paused or looks % 4 == 0
        return Verdict(Pace.PAUSED if is_paused else Pace.FULL)

    worker = Worker(tools_of(store, clock), lambda: {"reconcile": job_kinds()["reconcile"]}, gauge=gauge)
    counts = []
    for _ in range(20):
        await worker.turn()
        is_paused = False
        counts += await rows(
            store, "SELECT count(*) FROM origins WHERE held_at = (SELECT max(held_at) FROM origins)"
        )
    assert len(set(counts)) > 2, "it was not interrupted"
    assert await rows(store, COUNT) == [(892,)]
    # The export's oldest message is younger than message 0 now: of what is older it tells nothing.
    assert await rows(store, "SELECT 1 FROM messages WHERE external_id = 'm0'") == [(1,)]


async def test_a_folder_that_vanished_takes_nothing_with_it(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    folder = notes(tmp_path / "notes", *range(8))
    source_id = await read(library, folder, clock)
    away = folder.rename(tmp_path / "away")
    for look in (library.sync, library.reconcile):
        with pytest.raises(UserCanFixError, match="no longer there"):
            await look(source_id)
        (row,) = await library.sources()
        assert (row.state, row.messages) == ("error", 8)
    away.rename(folder)
    await library.sync(source_id)
    (row,) = await library.sources()
    assert (row.state, row.error, row.messages) == ("active", None, 8)


async def test_an_empty_place_where_a_drive_should_be_takes_nothing_until_the_person_says_so(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    folder = notes(tmp_path / "notes", *range(8))
    source_id = await read(library, folder, clock)
    away = folder.rename(tmp_path / "away")
    (folder / "lost+found").mkdir(parents=True)
    for look in (library.sync, library.reconcile):
        with pytest.raises(UserCanFixError, match="is empty now"):
            await look(source_id)
        (row,) = await library.sources()
        assert (row.state, row.missing, row.messages) == ("error", 8, 8)
    shutil.rmtree(folder)
    away.rename(folder)
    clock.advance(timedelta(minutes=1))
    assert (await library.reconcile(source_id)).missing == 0
    shutil.rmtree(folder)
    folder.mkdir()
    clock.advance(timedelta(minutes=1))
    assert (await library.reconcile(source_id, believes=True)).gone == 8
    assert await rows(store, COUNT) == [(0,)]


async def test_a_mailbox_cut_to_less_than_half_keeps_what_it_held_and_says_how_much_is_missing(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    box = mbox(tmp_path / "box.mbox", *range(40))
    source_id = await read(library, box, clock)
    whole = box.read_bytes()
    box.write_bytes(whole[: len(whole) // 4])
    await library.sync(source_id)
    await work.settle()
    (row,) = await library.sources()
    assert row.messages == 40
    assert 20 <= row.missing < 40
    box.write_bytes(whole)
    clock.advance(timedelta(minutes=1))
    await library.sync(source_id)
    await work.settle()
    assert (await library.sources())[0].missing == 0
    assert await rows(store, COUNT) == [(40,)]


async def test_what_is_doubted_is_compared_again_the_next_day_and_what_is_sure_the_next_week(
    library: Library, store: Store, work: Worker, clock: FakeClock, tmp_path: Path
) -> None:
    await read(library, mbox(tmp_path / "box.mbox", *range(60)), clock)
    for held, days in ((range(10), 1), (range(60), 7)):
        mbox(tmp_path / "box.mbox", *held)
        await do(store, lambda connection: connection.execute("UPDATE jobs SET available_at = 0"))
        await work.settle()
        ((due,),) = await rows(
            store, "SELECT available_at FROM jobs WHERE kind = 'reconcile' AND state = 'ready'"
        )
        assert int(due or 0) == to_millis(clock.now() + timedelta(days=days))


async def test_what_was_read_from_elsewhere_makes_no_absence_look_small(
    library: Library, clock: FakeClock, tmp_path: Path
) -> None:
    source_id = await read(library, mbox(tmp_path / "box.mbox", *range(30)), clock)
    await library.sync(source_id, path=mbox(tmp_path / "old.mbox", *range(100, 200)))
    mbox(tmp_path / "box.mbox", *range(5))
    done = await library.reconcile(source_id)
    assert (done.gone, done.missing) == (0, 25)


async def test_a_source_that_is_removed_while_it_is_compared_ends_the_comparison_with_a_sentence(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    source_id = await read(library, chat(tmp_path / "chat.messages.jsonl", *range(BATCH_SIZE + 1)), clock)
    (row,) = await library.sources()
    steps = 0

    async def write(work: WriteWork[T]) -> T:
        nonlocal steps
        steps += 1
        if steps == 2:
            await library.remove(source_id)
        return await store.write(work)

    with pytest.raises(RejectedError, match="no such source"):
        await compare(row, store, clock, write=write, finish=write, believes=False)
    assert await rows(store, COUNT) == [(0,)]


async def test_a_bare_place_that_never_held_anything_is_no_drive_that_was_taken_out(
    library: Library, tmp_path: Path
) -> None:
    place = tmp_path / "notes"
    place.mkdir()
    source_id = await library.add(place, kind="markdown")
    await library.sync(source_id)
    done = await library.reconcile(source_id)
    assert (done.gone, done.missing) == (0, 0)
    (only,) = await library.sources()
    assert only.state == "active"


async def test_a_file_replaced_in_one_stroke_while_nobody_watched_is_followed(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    box = mbox(tmp_path / "box.mbox", 1, 2, 3)
    source_id = await read(library, box, clock)
    mbox(tmp_path / "fresh", 1, 3, 4).replace(box)
    await library.sync(source_id)
    await work.settle()
    kept = await rows(store, "SELECT external_id FROM messages ORDER BY external_id")
    assert kept == [("1@prado.example",), ("3@prado.example",), ("4@prado.example",)]


async def test_a_comparison_that_is_due_is_told_until_it_is_done_whoever_does_it(
    library: Library, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    box = mbox(tmp_path / "box.mbox", 1, 2, 3, 4, 5)
    source_id = await read(library, box, clock)
    due: list[object] = []
    for left in ([1, 3, 4, 5], [1, 3, 4]):
        mbox(tmp_path / "fresh", *left).replace(box)
        await library.sync(source_id)
        (asked,) = await library.sources()
        due.append(asked.comparing_at == clock.now())
        if len(left) == 4:
            await library.reconcile(source_id)
        else:
            await work.settle()
        (only,) = await library.sources()
        due.append((only.messages, only.comparing_at == clock.now() + timedelta(days=7)))
        clock.advance(timedelta(minutes=1))
    assert due == [True, (4, True), True, (3, True)]
    assert (await work.settle()).done == 0


async def test_a_place_that_changes_while_it_is_compared_is_compared_again_before_anything_goes(
    library: Library, store: Store, bus: Bus, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    folder = notes(tmp_path / "notes", *range(250))
    source_id = await read(library, folder, clock)
    (folder / "7.md").unlink()
    (folder / "5.md").write_text("# Note 5\n\nPlant peas.\n")

    notes(folder, 300)

    def meddle(_: MemoryGrew) -> None:
        (folder / "6.md").write_text("# Note 6\n\nPlant peas.\n")

    unsubscribe = bus.subscribe(MemoryGrew, meddle)
    assert (await library.reconcile(source_id)).gone == 0
    unsubscribe()
    clock.advance(timedelta(minutes=5))
    await work.settle()
    assert await rows(store, "SELECT 1 FROM messages WHERE external_id = '7.md'") == []


async def test_a_paused_source_that_is_compared_when_asked_stays_paused(
    library: Library, clock: FakeClock, tmp_path: Path
) -> None:
    source_id = await read(library, notes(tmp_path / "notes", 1, 2), clock)
    await library.pause(source_id)
    (tmp_path / "notes" / "2.md").unlink()
    assert (await library.reconcile(source_id)).gone == 1
    assert [one.state for one in await library.sources()] == ["paused"]


async def test_a_letter_that_can_no_longer_be_read_is_not_taken_for_deleted(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    box = mbox(tmp_path / "box.mbox", 1, 2, 3)
    source_id = await read(library, box, clock)
    whole = box.read_text()
    box.write_text(whole[: whole.rindex("Subject:")])
    done = await library.reconcile(source_id)
    assert (done.gone, done.missing) == (0, 1)
    assert await rows(store, COUNT) == [(3,)]


async def test_a_note_that_a_bug_keeps_from_being_read_again_is_not_taken_for_deleted(
    library: Library, store: Store, bus: Bus, clock: FakeClock, tmp_path: Path, expected_logs: list[str]
) -> None:
    source_id = await read(library, notes(tmp_path / "notes", 1, 2, 3), clock)
    broken = datetime(2026, 11, 2, 12, tzinfo=UTC)
    os.utime(tmp_path / "notes" / "2.md", (broken.timestamp(), broken.timestamp()))
    await Library(store, bus, FakeClock(clock.now(), BrokenZone(broken.date()))).reconcile(source_id)
    assert await rows(store, COUNT) == [(3,)]
    assert expected_logs


async def test_what_was_read_from_elsewhere_under_a_sources_name_is_not_missed_in_its_place(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    source_id = await read(library, notes(tmp_path / "notes", 1, 2), clock)
    await library.sync(source_id, path=notes(tmp_path / "more", 8, 9))
    assert (await library.sync(source_id)).intake.gone == 0
    clock.advance(timedelta(minutes=1))
    assert (await library.reconcile(source_id)).gone == 0
    assert await rows(store, COUNT) == [(4,)]
    (tmp_path / "notes" / "2.md").unlink()
    await library.sync(source_id)
    assert await rows(store, COUNT) == [(3,)]


async def test_a_source_that_is_paused_or_gone_when_its_turn_comes_is_left_alone(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    paused = await read(library, notes(tmp_path / "notes", 1, 2), clock)
    gone = await read(library, notes(tmp_path / "others", 3), clock)
    await library.pause(paused)
    await library.remove(gone)
    (tmp_path / "notes" / "2.md").unlink()
    clock.advance(timedelta(days=8))
    settled = await work.settle()
    assert (settled.failed, settled.deferred) == (0, 0)
    assert await rows(store, COUNT) == [(2,)]


async def test_a_place_that_reads_well_again_is_no_longer_told_as_unreadable(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path, work: Worker
) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    for name in ("one", "two", "three"):
        (folder / f"{name}.eml").write_text("" if name != "one" else letter(), encoding="utf-8")
    source_id = await read(library, folder, clock)
    assert [one.place for one in await library.rejects(source_id)] == ["three.eml", "two.eml"]
    (folder / "two.eml").write_text(letter(number=2), encoding="utf-8")
    (folder / "three.eml").unlink()
    await library.sync(source_id)
    assert await library.rejects(source_id) == ()


@pytest.mark.parametrize("kind", ["mbox", "jsonl"])
async def test_a_rewritten_file_is_told_of_by_what_is_unreadable_in_it_now(
    library: Library, clock: FakeClock, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / ("box.mbox" if kind == "mbox" else "chat.messages.jsonl")
    make = mbox if kind == "mbox" else chat
    bad = f"{SEPARATOR}X-Nothing: at all\n\nno sender and no date\n\n" if kind == "mbox" else "{nonsense\n"
    make(file, 1, 2)
    file.write_text(bad + file.read_text())
    source_id = await read(library, file, clock)
    assert len(await library.rejects(source_id)) == 1
    make(file, 1, 2, 3)
    await library.sync(source_id)
    assert await library.rejects(source_id) == ()


async def test_another_copy_of_a_mail_under_one_id_is_no_edit_of_the_first(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    box = mbox(tmp_path / "box.mbox", *range(1, 240))
    passed_on = letter("Water row 1.\n\n-- \nSent to you by the garden list\n", number=1, subject="Row 1")
    box.write_text(f"{box.read_text()}{SEPARATOR}{passed_on}\n")
    source_id = await read(library, box, clock)
    before = await rows(store, "SELECT text, changed FROM messages WHERE external_id = '1@prado.example'")
    assert "garden list" not in str(before)
    for _ in range(2):
        done = await library.reconcile(source_id)
        assert (done.intake.edited, done.gone, done.missing) == (0, 0, 0)
        clock.advance(timedelta(minutes=1))
    box.write_text(box.read_text().replace("Water row 1.", "Water row 1 twice."))
    assert (await library.reconcile(source_id)).intake.edited == 1


async def test_what_could_not_be_read_of_a_calendar_is_no_longer_told_once_it_is_gone_or_reads_well(
    library: Library, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    folder = tmp_path / "calendars"
    folder.mkdir()

    def calendar(name: str, *events: str) -> None:
        inner = "".join(f"BEGIN:VEVENT\r\n{event}\r\nEND:VEVENT\r\n" for event in events)
        whole = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{inner}END:VCALENDAR\r\n"
        (folder / name).write_text(whole, encoding="utf-8", newline="")

    good = "UID:{}@x.example\r\nSUMMARY:Water\r\nDTSTART:20261210T100000Z\r\nDTEND:20261210T110000Z"
    bad = "UID:{}@x.example\r\nSUMMARY:Water\r\nDTSTART:never"
    calendar("kept.ics", good.format("a"))
    calendar("moved.ics", bad.format("b"), good.format("c"))
    calendar("empty.ics")
    calendar("gone.ics")
    source_id = await read(library, folder, clock)
    assert len(await library.rejects(source_id)) == 3
    (folder / "moved.ics").rename(folder / "other.ics")
    (folder / "gone.ics").unlink()
    calendar("empty.ics", good.format("d"))
    calendar("kept.ics", bad.format("a"))
    await library.sync(source_id)
    told = [one.place.partition(",")[0] for one in await library.rejects(source_id)]
    assert sorted(told) == ["kept.ics", "other.ics"]
    for _ in range(2):
        assert (await library.sync(source_id)).intake == Intake()
    assert await rows(store, COUNT) == [(3,)]
    calendar("kept.ics", good.format("a"))
    await library.sync(source_id)
    assert [one.place.partition(",")[0] for one in await library.rejects(source_id)] == ["other.ics"]
