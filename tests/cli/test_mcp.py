"""`heedful mcp` on the command line, but for the serving itself."""

from dataclasses import replace

from heedful.core.clock import SystemClock
from heedful.core.paths import home_at
from heedful.memory.reads import Read, Reads
from heedful.storage import Key, KeyKind
from tests.cli.line import Line


def test_the_record_of_what_other_programs_read_is_shown_the_newest_first(line: Line) -> None:
    line.json("import", str(line.mailbox()))
    record = Reads.open(home_at(line.home), Key(KeyKind.UNENCRYPTED, None), now=SystemClock().now())
    first = Read(SystemClock().now(), "helper", "memory.search", '{"query": "x"}', "answered", handed=("c1",))
    record.add(first)
    record.add(replace(first, tool="tree.read_chunk", outcome="refused", note="No", handed=()))
    record.close()
    rows = line.json("mcp", "--reads")
    assert [(row["client"], row["tool"], row["outcome"], row["handed"]) for row in rows] == [
        ("helper", "tree.read_chunk", "refused", []),
        ("helper", "memory.search", "answered", ["c1"]),
    ]
    assert line.json("mcp", "--reads", "-k", "1") == rows[:1]
    assert line.run("mcp", "--reads", "-k", "0").code == 2
    said = line.run("mcp", "--reads").out
    assert "memory.search  1 handed out" in said
    assert "tree.read_chunk  refused: No" in said


def test_where_nothing_was_read_there_is_nothing_to_show_and_nothing_is_made(line: Line) -> None:
    assert line.json("mcp", "--reads") == []
    assert "No other program has read anything." in line.run("mcp", "--reads").out
    assert not home_at(line.home).database.exists()
