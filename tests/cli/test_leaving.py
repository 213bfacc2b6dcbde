"""The commands with which a person takes their things out again: forget, wipe, export, restore."""

import json
from pathlib import Path

import pytest

from heedful.core.clock import SystemClock
from heedful.core.paths import home_at
from heedful.memory.archivist.backup import back_up
from heedful.storage import Key, KeyKind
from tests.cli.line import Line


@pytest.fixture
def filled(line: Line) -> Line:
    line.json("import", str(line.mailbox()))
    return line


def backed_up(line: Line) -> Path:
    return back_up(home_at(line.home), Key(KeyKind.UNENCRYPTED, None), now=SystemClock().now())


def test_forgetting_a_message_tells_what_went(filled: Line) -> None:
    hit = filled.json("search", "slides")[0]
    gone = filled.json("forget", hit["message_id"])
    assert gone["messages"] == 1
    assert gone["older_backups"] == 0
    assert filled.json("search", "slides") == []
    assert len(filled.json("search", "goal")) == 1


def test_forgetting_says_which_backups_still_hold_it(filled: Line) -> None:
    backed_up(filled)
    hit = filled.json("search", "slides")[0]
    assert "1 older backup may still hold it" in filled.run("forget", hit["id"]).out


def test_a_backup_is_made_at_a_word_and_brings_back_what_was_there(filled: Line) -> None:
    assert "`heedful backup` makes one" in filled.run("restore").out
    made = filled.json("backup")
    assert (made["kept"], [one["file"] for one in filled.json("restore")]) == (1, [made["file"]])
    filled.json("forget", filled.json("search", "slides")[0]["id"])
    assert filled.json("restore", made["file"])["messages"] == 2
    assert len(filled.json("search", "slides")) == 1
    assert filled.run("backup").out.startswith(str(Path(made["file"]).parent))


def test_forgetting_what_is_not_there_fails_with_a_sentence(filled: Line) -> None:
    said = filled.run("forget", "nothing")
    assert said.code == 1
    assert "Nothing remembered has that id" in said.err


def test_a_wipe_needs_a_clear_word(filled: Line) -> None:
    assert filled.run("wipe").code == 2
    assert filled.json("search", "slides") != []


def test_after_a_wipe_everything_can_be_brought_in_again(filled: Line) -> None:
    backed_up(filled)
    before = [hit["id"] for hit in filled.json("search", "slides")]
    assert filled.json("wipe", "--yes")["messages"] == 2
    data = home_at(filled.home).data
    assert [file.name for file in data.rglob("*") if file.is_file() and file.suffix == ".db"] == []
    assert filled.json("search", "slides") == []
    assert filled.json("sources") == []
    assert filled.json("import", str(filled.mailbox()))["messages_new"] == 2
    assert [hit["id"] for hit in filled.json("search", "slides")] == before


def test_an_export_holds_items_and_sources_and_comes_back_in(filled: Line) -> None:
    filled.json("tick")
    folder = filled.folder / "vault"
    told = filled.json("export", str(folder))
    items = json.loads((folder / "items.json").read_text(encoding="utf-8"))
    sources = json.loads((folder / "sources.json").read_text(encoding="utf-8"))
    assert told["messages"] == 2
    assert [item["id"] for item in items] == [item["id"] for item in filled.json("items", "--all")]
    assert len(sources) == 1
    filled.json("wipe", "--yes")
    assert filled.json("import", str(folder))["messages_new"] == 2
    assert len(filled.json("search", "slides")) == 1


def test_an_export_refuses_a_folder_of_other_files(filled: Line) -> None:
    said = filled.run("export", str(filled.mailbox().parent))
    assert said.code == 1
    assert "holds other files" in said.err


def test_a_backup_is_listed_and_restored(filled: Line) -> None:
    assert filled.json("restore") == []
    backup = backed_up(filled)
    assert [row["file"] for row in filled.json("restore")] == [str(backup)]
    filled.json("forget", filled.json("sources")[0]["id"])
    assert filled.json("search", "slides") == []
    assert filled.json("restore", str(backup))["messages"] == 2
    assert filled.json("search", "slides") != []


def test_a_source_is_kept_for_so_many_days_or_for_ever(filled: Line) -> None:
    source = filled.json("sources")[0]["id"]
    assert filled.json("sources", "keep-for", source, "30")[0]["keep_days"] == 30
    assert "kept 30 days" in filled.run("sources").out
    assert filled.json("sources", "keep-for", source, "ever")[0]["keep_days"] is None
    for wrong in ("0", "-1", "soon"):
        assert filled.run("sources", "keep-for", source, wrong).code == 2


def test_the_doctor_tells_what_the_stores_size_is_made_of_and_of_backups(filled: Line) -> None:
    backed_up(filled)
    checks = {check["check"]: check["detail"] for check in json.loads(filled.run("doctor", "--json").out)}
    assert "passages and their index" in checks["store"]
    assert checks["backups"].startswith("1, ")


def test_what_goes_with_another_is_counted_once(filled: Line) -> None:
    hit = filled.json("search", "slides")[0]
    gone = filled.json("forget", hit["thread_id"], hit["message_id"], hit["source_id"])
    assert gone["messages"] == 2
    assert filled.json("sources") == []
