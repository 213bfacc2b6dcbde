"""`heedful sources`: how each stands, and comparing one with its place."""

from pathlib import Path

import pytest

from tests.cli.line import NOW, Line, letter


def notes(line: Line, *numbers: int) -> Path:
    folder = line.folder / "notes"
    folder.mkdir(exist_ok=True)
    for number in numbers:
        (folder / f"{number}.md").write_text(f"# Note {number}\n\nBeans grow in row {number}.\n")
    return folder


def test_a_source_is_told_with_how_it_stands_and_when_something_last_came_in(line: Line) -> None:
    (source,) = line.json("sources", "add", str(line.mailbox()))
    assert source["last_new"] is not None
    assert (source["stopped"], source["missing"], source["pending"]) == (None, 0, 2)
    said = line.run("sources").out
    assert "up to date · last new just now · 2 waiting for background work" in said
    line.json("settle")
    assert line.json("sources")[0]["pending"] == 0


def test_a_folder_in_which_no_message_is_found_does_not_come_in_without_a_word(line: Line) -> None:
    (line.folder / "box" / "cur").mkdir(parents=True)
    said = line.run("import", str(line.folder / "box")).out
    assert "0 new, 0 known, 0 rejected" in said
    assert "No message was found in it, read as “Mail folder (Maildir)”" in said


def test_what_was_deleted_from_a_mailbox_is_gone_after_the_next_reading(line: Line) -> None:
    box = line.mailbox()
    (source,) = line.json("sources", "add", str(box))
    box.write_text(letter(1, "Slides", "Could you please send me the slides?", NOW))
    line.json("sources", "sync", source["id"])
    line.json("settle")
    assert line.json("search", "goal") == []
    assert len(line.json("search", "slides")) == 1


def test_a_comparison_at_ones_word_finds_what_is_gone_at_once(line: Line) -> None:
    box = line.mailbox()
    (source,) = line.json("sources", "add", str(box))
    box.write_text(letter(2, "Goal", "hahaha, what a goal last night", NOW))
    (compared,) = line.json("sources", "reconcile", source["id"])
    assert (compared["messages"], compared["missing"]) == (1, 0)
    assert line.json("search", "slides") == []


def test_all_gone_at_once_is_kept_until_the_person_says_that_it_was_deleted(line: Line) -> None:
    folder = notes(line, *range(6))
    (source,) = line.json("sources", "add", str(folder))
    for note in folder.iterdir():
        note.unlink()
    assert line.run("sources", "sync", source["id"]).code == 1
    refused = line.run("sources", "reconcile", source["id"])
    assert refused.code == 1
    assert "If all of it was deleted, say so" in refused.err
    said = line.run("sources").out
    assert "6 of its 6 notes are no longer there; Heedful keeps them." in said
    assert f"heedful sources reconcile {source['id']} --believe-missing" in said
    (believed,) = line.json("sources", "reconcile", source["id"], "--believe-missing")
    assert (believed["messages"], believed["missing"]) == (0, 0)


@pytest.mark.parametrize("verb", ["sync", "reconcile"])
def test_a_place_that_is_not_there_is_told_and_loses_nothing(line: Line, verb: str) -> None:
    folder = notes(line, 1, 2)
    (source,) = line.json("sources", "add", str(folder))
    folder.rename(line.folder / "away")
    said = line.run("sources", verb, source["id"])
    assert said.code == 1
    assert "no longer there" in said.err
    (kept,) = line.json("sources")
    assert (kept["messages"], kept["state"]) == (2, "error")


def test_what_was_forgotten_stays_away_at_the_next_reading_and_that_is_said(line: Line) -> None:
    (source,) = line.json("sources", "add", str(line.mailbox()))
    hit = line.json("search", "slides")[0]
    assert "does not come back from a source that still holds it" in line.run("forget", hit["id"]).out
    line.json("sources", "sync", source["id"])
    line.json("sources", "reconcile", source["id"])
    assert line.json("search", "slides") == []
    line.json("sources", "remove", source["id"])
    line.json("sources", "add", str(line.mailbox()))
    assert len(line.json("search", "slides")) == 1
