"""Settling the memory, its summaries and its stages, on the command line."""

import pytest

from tests.cli.line import NOW, Line, letter


@pytest.fixture
def filled(line: Line) -> Line:
    """A line whose home has read the mailbox."""
    line.json("import", str(line.mailbox()))
    return line


def test_settle_works_everything_off_and_a_second_time_finds_nothing(filled: Line) -> None:
    first = filled.json("settle")
    assert set(first) == {"done", "failed", "deferred", "seconds", "stuck"}
    assert first["done"] >= 3
    assert first["failed"] == 0
    assert filled.json("settle")["done"] == 0
    filled.run("import", str(filled.file("b.mbox", letter(9, "New", "Something new.", NOW))))
    assert "Preparing to match by meaning …" in filled.run("settle").err
    assert filled.run("settle").out.startswith("0 jobs done")
    assert filled.run("settle", "--retry-failed").code == 0


def test_summaries_can_be_browsed_and_read_with_what_hangs_below(filled: Line) -> None:
    assert filled.json("tree", "browse", "--nodes", "root") == []
    filled.json("settle")
    (root,) = filled.json("tree", "browse", "--nodes", "root")
    assert (root["kind"], root["method"], root["stale"]) == ("node", "extractive", False)
    whole = filled.json("tree", "read", root["id"])
    assert whole["text"] == root["text"]
    (below,) = filled.json("tree", "browse", "--nodes", "source")
    assert whole["below_ids"] == [below["id"]]
    chunk_id = filled.json("tree", "read", below["id"])["below_ids"][0]
    assert filled.json("tree", "read", chunk_id)["text"]
    assert filled.run("tree", "read", "nothing").code == 1


def test_the_stages_of_a_message_are_told_in_order(filled: Line) -> None:
    hit = filled.json("search", "slides")[0]
    told = filled.json("why", "--stages", hit["id"])
    assert [stage["stage"] for stage in told["stages"]][:2] == ["intake", "chunks"]
    assert told["message_id"] == hit["message_id"]
    said = filled.run("why", "--stages", hit["message_id"]).out
    assert "admission: waiting" in said
    assert filled.run("why", "--stages", "nothing").code == 1
