"""A message that a bug keeps from being read is listed, and the others of its source are read."""

import os
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from heedful.sources import SourceKind, ics, markdown
from tests.conftest import NOW
from tests.fakes.clock import FakeClock
from tests.fakes.zones import BrokenZone
from tests.sources.letters import batches, items, rejected

BROKEN = date(2026, 11, 2)


def notes(folder: Path) -> Path:
    for day in (1, 2, 3):
        note = folder / f"note {day}.md"
        note.write_text("Water the plants.\n")
        changed = datetime(2026, 11, day, 12, tzinfo=UTC).timestamp()
        os.utime(note, (changed, changed))
    return folder


def calendar(folder: Path) -> Path:
    events = [
        f"BEGIN:VEVENT\nUID:{day}@x.example\nDTSTART:2026110{day}T120000\nSUMMARY:Row\nEND:VEVENT\n"
        for day in (1, 2, 3)
    ]
    path = folder / "work.ics"
    path.write_text("BEGIN:VCALENDAR\nVERSION:2.0\n" + "".join(events) + "END:VCALENDAR\n")
    return path


@pytest.mark.parametrize(("source", "made"), [(markdown.SOURCE, notes), (ics.SOURCE, calendar)])
def test_what_meets_a_bug_is_listed_and_the_rest_is_read(
    tmp_path: Path, source: SourceKind, made: Callable[[Path], Path], expected_logs: list[str]
) -> None:
    found = batches(source, made(tmp_path), FakeClock(NOW, BrokenZone(BROKEN)))
    assert len(items(found)) == 2
    (listed,) = rejected(found)
    assert "a fault of its own" in listed.reason
    assert listed.is_refused
    assert len(expected_logs) == 1
