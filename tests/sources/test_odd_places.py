"""Places that hold what no source should hold, and files that go or are replaced while they are read."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.sources import Batch, SourceKind, eml, ics, maildir, markdown, mbox, messages_jsonl, telegram
from heedful.sources.files import stamps_below
from heedful.sources.kinds import BATCH_SIZE
from tests.fakes.clock import FakeClock
from tests.sources.letters import SEPARATOR, batches, items, letter

KINDS = (eml.SOURCE, ics.SOURCE, maildir.SOURCE, markdown.SOURCE, mbox.SOURCE)
NAMES = {"ics": "work.ics", "maildir": "cur/1.x:2,S", "markdown": "note.md", "mbox": "Inbox"}
EVENT = (
    "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1@x.example\nDTSTART:20261203T120000\nSUMMARY:Row\n"
    "END:VEVENT\nEND:VCALENDAR\n"
)
WORDS = {"ics": EVENT, "markdown": "Water the plants.\n", "mbox": SEPARATOR + letter()}


def folder(place: Path, source: SourceKind) -> Path:
    """A folder with one thing of a kind; returns the file."""
    file = place / NAMES.get(source.kind, "mail.eml")
    file.parent.mkdir(exist_ok=True)
    file.write_text(WORDS.get(source.kind, letter()))
    return file


@pytest.mark.parametrize("source", KINDS, ids=lambda source: str(source.kind))
@pytest.mark.skipif(os.name != "posix", reason="links that lead to themselves, and pipes with a name")
def test_a_link_to_itself_a_dead_one_and_a_pipe_keep_nothing_else_from_being_read(
    tmp_path: Path, clock: FakeClock, source: SourceKind
) -> None:
    file = folder(tmp_path, source)
    for name, target in (("loop", "loop"), ("dead", "nowhere")):
        file.with_name(name + file.suffix).symlink_to(target + file.suffix)
    os.mkfifo(file.with_name("pipe" + file.suffix))

    assert len(items(batches(source, tmp_path, clock))) == 1
    assert stamps_below(tmp_path) == stamps_below(tmp_path)


@pytest.mark.parametrize(
    "source",
    [eml.SOURCE, ics.SOURCE, markdown.SOURCE, mbox.SOURCE, messages_jsonl.SOURCE, telegram.SOURCE],
    ids=lambda source: str(source.kind),
)
@pytest.mark.skipif(os.name != "posix", reason="pipes with a name, and devices among the files")
def test_a_pipe_and_a_device_are_refused_at_once_where_a_file_is_expected(
    tmp_path: Path, clock: FakeClock, source: SourceKind
) -> None:
    pipe, device = tmp_path / "result.json", tmp_path / "zero.json"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for place in (pipe, device):
        with pytest.raises(UserCanFixError, match="no file that ends"):
            batches(source, place, clock)


def notes(place: Path) -> list[Path]:
    for number in range(BATCH_SIZE + 1):
        (place / f"{number:03}.md").write_text(f"Water plant {number}.\n")
    return sorted(place.iterdir())


def mails(place: Path) -> list[Path]:
    for number in range(BATCH_SIZE + 1):
        (place / f"{number:03}.eml").write_text(letter(number=number))
    return sorted(place.iterdir())


def boxes(place: Path) -> list[Path]:
    (place / "Archive").write_text(mailbox(*range(BATCH_SIZE)))
    (place / "Inbox").write_text(mailbox(BATCH_SIZE))
    return sorted(place.iterdir())


def mailbox(*numbers: int) -> str:
    return "".join(SEPARATOR + letter(number=number) + "\n" for number in numbers)


def lines(*numbers: int) -> str:
    rows = ({"id": f"{n}", "sent_at": "2026-12-03T15:00:00+01:00", "text": "Row."} for n in numbers)
    return "".join(json.dumps(row) + "\n" for row in rows)


FOLDERS = [(markdown.SOURCE, notes), (eml.SOURCE, mails), (mbox.SOURCE, boxes)]


@pytest.mark.parametrize(("source", "made"), FOLDERS)
def test_a_file_that_goes_while_its_folder_is_read_stops_no_reading_and_is_missed_by_the_next(
    tmp_path: Path, clock: FakeClock, source: SourceKind, made: Callable[[Path], list[Path]]
) -> None:
    last = made(tmp_path)[-1]
    cursor = batches(source, tmp_path, clock)[-1].cursor
    for file in made(tmp_path):  # written anew, so that all are read again
        file.write_text(file.read_text().replace("Figures", "Numbers").replace("Water", "Prune"))
    reading: Iterator[Batch] = source.read(tmp_path, cursor, clock=clock)

    found = [next(reading)]
    last.unlink()
    found += reading
    assert len(items(found)) == BATCH_SIZE
    assert [one for batch in found for one in batch.gone] == []

    missed = batches(source, tmp_path, clock, found[-1].cursor)
    assert missed[-1].gone or missed[-1].is_rewritten


@pytest.mark.parametrize(
    ("source", "name", "written"),
    [(mbox.SOURCE, "box.mbox", mailbox), (messages_jsonl.SOURCE, "chat.messages.jsonl", lines)],
)
def test_a_file_that_is_replaced_while_it_is_read_is_read_from_its_beginning_by_the_next(
    tmp_path: Path, clock: FakeClock, source: SourceKind, name: str, written: Callable[..., str]
) -> None:
    file, other = tmp_path / name, tmp_path / "other"
    file.write_text(written(*range(1000, 1000 + BATCH_SIZE + 1)))
    other.write_text(written(*range(2000, 2000 + BATCH_SIZE + 3)))
    reading: Iterator[Batch] = source.read(file, "", clock=clock)

    found = [next(reading)]
    other.replace(file)
    found += reading
    assert len(items(found)) == BATCH_SIZE + 1

    again = items(batches(source, file, clock, found[-1].cursor))
    assert len(again) == BATCH_SIZE + 3


@pytest.mark.parametrize("source", KINDS, ids=lambda source: str(source.kind))
@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file whose reading fails")
def test_a_file_that_its_disk_fails_to_give_is_told_and_keeps_nothing_else_from_being_read(
    tmp_path: Path, clock: FakeClock, source: SourceKind
) -> None:
    file = folder(tmp_path, source)
    bad = file.with_name("bad" + file.suffix)
    bad.write_text(file.read_text().replace("1@x.example", "2@x.example"))
    before = batches(source, tmp_path, clock)
    bad.unlink()
    bad.symlink_to("/proc/self/mem")

    found = batches(source, tmp_path, clock)
    assert len(items(found)) == 1
    (told,) = [one for batch in found for one in batch.rejected]
    assert told.place.startswith("bad")
    assert told.is_refused

    later = batches(source, tmp_path, clock, before[-1].cursor)
    assert [one for batch in later for one in batch.gone] == []
