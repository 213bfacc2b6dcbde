"""A message that a bug keeps from being read is listed, and the others of its source are read."""

import json
import os
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from heedful.sources import SourceKind, ics, markdown, messages_jsonl, telegram
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


def chat(folder: Path) -> Path:
    messages = [
        {"id": n, "type": "message", "date_unixtime": str(1796115600 + n), "from": "Ana", "text": f"Row {n}."}
        for n in (1, 2, 3)
    ]
    path = folder / "result.json"
    path.write_text(json.dumps({"name": "Ana", "type": "personal_chat", "id": 7, "messages": messages}))
    return path


def lines(folder: Path) -> Path:
    path = folder / "chat.messages.jsonl"
    rows = ({"id": f"{n}", "sent_at": "2026-12-01T10:00:00+00:00", "text": f"Row {n}."} for n in (1, 2, 3))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("source", "made"), [(telegram.SOURCE, chat), (messages_jsonl.SOURCE, lines)])
def test_what_meets_a_bug_in_a_chat_is_listed_by_its_place_and_the_rest_is_read(
    tmp_path: Path,
    clock: FakeClock,
    source: SourceKind,
    made: Callable[[Path], Path],
    monkeypatch: pytest.MonkeyPatch,
    expected_logs: list[str],
) -> None:
    def stumbling(text: str) -> str:
        """Stands for what tells languages, with a bug in it: nothing known raises there."""
        if "2" in text:
            raise ZeroDivisionError(text)
        return "en"

    monkeypatch.setattr(f"{type(source).__module__}.guess", stumbling)
    found = batches(source, made(tmp_path), clock)
    assert [item.text for item in items(found)] == ["Row 1.", "Row 3."]
    (listed,) = rejected(found)
    assert listed.place in ("after message 1", "line 2")
    assert "a fault of its own" in listed.reason
    assert listed.is_refused
    assert len(expected_logs) == 1
    assert "Row" not in expected_logs[0]
