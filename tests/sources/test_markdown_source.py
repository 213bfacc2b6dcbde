"""Folders of notes."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from heedful.sources.markdown import SOURCE
from tests.fakes.clock import FakeClock
from tests.sources.letters import batches, items, rejected


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Notes"
    (root / "work").mkdir(parents=True)
    (root / ".obsidian").mkdir()
    (root / ".obsidian" / "hidden.md").write_text("# No note")
    (root / "2026-12-01.md").write_text("# Tuesday\nCall [[Ana Prado]] by Friday.\n")
    (root / "work" / "plan.md").write_text(
        "---\ntitle: The plan\ndate: 2026-11-02\ntags: [a]\n---\nDraft it.\n"
    )
    return root


def test_each_note_is_read_with_its_title_and_day(vault: Path, clock: FakeClock) -> None:
    assert SOURCE.fits(vault) > 0.9

    daily, plan = items(batches(SOURCE, vault, clock))

    assert (daily.external_id, daily.subject, daily.identity) == (
        "2026-12-01.md",
        "Tuesday",
        f"note:{vault.as_posix()}/2026-12-01.md",
    )
    assert daily.sent_at == datetime(2026, 12, 1, tzinfo=UTC)
    assert "Call [[Ana Prado]] by Friday." in daily.text
    assert (plan.external_id, plan.subject, plan.text) == ("work/plan.md", "The plan", "Draft it.")
    assert plan.sent_at == datetime(2026, 11, 2, tzinfo=UTC)
    assert plan.kind == "note"


def test_two_folders_of_one_name_hold_two_notes_of_one_name(tmp_path: Path, clock: FakeClock) -> None:
    files = [tmp_path / place / "notes" / "todo.md" for place in ("home", "work")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("# To do\n")
    found = [items(batches(SOURCE, file.parent, clock))[0] for file in files]
    assert found[0].identity != found[1].identity
    assert items(batches(SOURCE, files[0], clock))[0].identity == found[0].identity
    assert items(batches(SOURCE, tmp_path, clock))[0].identity == found[0].identity


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_at_the_calendars_ends_dates_no_note(tmp_path: Path, clock: FakeClock, day: str) -> None:
    (tmp_path / f"{day}.md").write_text("By its name")
    (tmp_path / "plan.md").write_text(f"---\ndate: {day}\n---\nBy its field")
    (tmp_path / "old.md").write_text("By its file")
    for file in tmp_path.iterdir():
        os.utime(file, (1_800_000_000, 1_800_000_000))
    assert {item.sent_at.year for item in items(batches(SOURCE, tmp_path, clock))} == {2027}


def test_an_edited_note_comes_again_and_a_deleted_one_is_gone(vault: Path, clock: FakeClock) -> None:
    cursor = batches(SOURCE, vault, clock)[-1].cursor
    assert batches(SOURCE, vault, clock, cursor) == []

    (vault / "2026-12-01.md").write_text("# Tuesday\nDone.\n")
    (vault / "work" / "plan.md").unlink()

    (batch,) = batches(SOURCE, vault, clock, cursor)
    assert [item.text for item in batch.items] == ["# Tuesday\nDone."]
    assert batch.gone == ("work/plan.md",)


def test_a_note_that_was_only_touched_is_no_news(vault: Path, clock: FakeClock) -> None:
    cursor = batches(SOURCE, vault, clock)[-1].cursor

    os.utime(vault / "2026-12-01.md", (1_800_000_000, 1_800_000_000))

    (batch,) = batches(SOURCE, vault, clock, cursor)
    assert batch.items == ()
    assert batches(SOURCE, vault, clock, batch.cursor) == []


def test_a_note_without_title_or_day_has_its_name_and_its_files_time(
    tmp_path: Path, clock: FakeClock
) -> None:
    path = tmp_path / "shopping_list.md"
    path.write_text("milk\n")
    os.utime(path, (1_796_115_600, 1_796_115_600))

    (note,) = items(batches(SOURCE, path, clock))

    assert note.subject == "shopping list"
    assert note.sent_at == datetime(2026, 12, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize("seconds", [2**40, -(2**40), 2**62])
def test_a_files_time_out_of_the_calendar_dates_no_note_and_breaks_none(
    vault: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    (vault / "list.md").write_text("milk\n")

    def off(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        told = os.stat(path, follow_symlinks=follow_symlinks)  # noqa: PTH116 (`Path.stat` is what is replaced)
        return os.stat_result((*told[:8], seconds, told[9]), {"st_mtime_ns": seconds})

    monkeypatch.setattr(Path, "stat", off)  # not every file system keeps such a time
    found = batches(SOURCE, vault, clock)

    assert [note.external_id for note in items(found)] == ["2026-12-01.md", "work/plan.md"]
    assert [left.reason for left in rejected(found)] == ["Nothing says when it was written."]


def test_what_is_no_text_is_rejected_alone(vault: Path, clock: FakeClock) -> None:
    (vault / "odd.md").write_bytes(b"\0" * 100)

    found = batches(SOURCE, vault, clock)

    assert [bad.place for bad in rejected(found)] == ["odd.md"]
    assert len(items(found)) == 2
