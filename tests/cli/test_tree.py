"""`heedful tree` and what is found, row for row as other programs get it over MCP."""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from heedful.app import App
from heedful.cli import finding
from heedful.cli.command import Terminal
from heedful.core.paths import home_at
from heedful.core.settings import EmbeddingSettings
from heedful.memory import Filters, Hit, Meaning
from heedful.storage import Connection, Key, KeyKind
from tests.cli.line import NOW, Line, letter
from tests.fakes.clock import FakeClock
from tests.mcp_server.asking import Program


@pytest.fixture
def filled(line: Line) -> Line:
    """A line whose home has read the mailbox and settled it."""
    line.json("import", str(line.mailbox()))
    line.json("settle")
    return line


def over_mcp(line: Line, tool: str, **arguments: object) -> Any:  # noqa: ANN401 (JSON of whatever tool)
    """What a program that sees everything gets of the same home."""

    async def ask() -> Any:  # noqa: ANN401 (as above)
        key, clock = Key(KeyKind.UNENCRYPTED, None), FakeClock(NOW)
        program = Program(home_at(line.home), key, clock, meaning=Meaning(EmbeddingSettings))
        try:
            return await program.ask(tool, **arguments)
        finally:
            await program.desk.close()

    return asyncio.run(ask())


def test_sources_entities_and_passages_are_the_rows_that_other_programs_get(filled: Line) -> None:
    sources = filled.json("tree", "sources")
    assert sources == over_mcp(filled, "tree.list_sources")["sources"]
    assert (sources[0]["messages"], sources[0]["chunks"], sources[0]["stopped"]) == (2, 2, None)
    people = filled.json("tree", "entities", "--kind", "person")
    assert people == over_mcp(filled, "tree.top_entities", kind="person")["entities"]
    assert people
    passages = filled.json("tree", "browse")
    assert passages == over_mcp(filled, "tree.browse")["chunks"]
    assert len(passages) == 2
    assert filled.json("tree", "browse", "-k", "1", "--offset", "1") == passages[1:]
    for row in passages:
        whole = filled.json("tree", "read", row["id"])
        assert whole == over_mcp(filled, "tree.read_chunk", chunk_id=row["id"])


def test_a_summary_is_the_row_that_other_programs_get(filled: Line) -> None:
    (root,) = filled.json("tree", "browse", "--nodes", "root")
    whole = filled.json("tree", "read", root["id"])
    assert whole == over_mcp(filled, "tree.read_chunk", chunk_id=root["id"])
    assert whole["text"] == root["text"]


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_hits_are_the_rows_that_other_programs_get(filled: Line, verb: str) -> None:
    hits = filled.json(verb, "slides")
    assert hits == over_mcp(filled, f"memory.{verb}", query="slides")["hits"]
    assert hits


def test_passages_are_narrowed_by_source_entity_and_time(filled: Line) -> None:
    (source,) = filled.json("tree", "sources")
    assert len(filled.json("tree", "browse", "--source", source["id"])) == 2
    (first, *_) = filled.json("tree", "entities", "--kind", "person")
    about = filled.json("tree", "browse", "--entity", first["id"])
    assert len(about) == first["count"]
    newest, oldest = filled.json("tree", "browse")
    assert filled.json("tree", "browse", "--since", newest["sent_at"]) == [newest]
    assert filled.json("tree", "browse", "--until", oldest["sent_at"]) == [oldest]


def test_what_is_not_there_is_said_and_what_makes_no_sense_is_wrong_usage(filled: Line) -> None:
    for line, told in (
        (("browse", "--source", "nowhere"), "There is no such source."),
        (("browse", "--entity", "nobody"), "There is no such entity."),
        (("read", "nothing"), "There is no such passage."),
        (("entities", "--kind", "ghost"), "There is no kind ghost."),
    ):
        said = filled.run("tree", *line)
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith(told)
    for wrong in (("browse", "-k", "0"), ("browse", "--offset", "-1"), ("entities", "-k", "1001")):
        assert filled.run("tree", *wrong).code == 2


def test_who_was_asked_for_is_hotter_once_the_memory_has_settled(filled: Line) -> None:
    (first, second, *_) = filled.json("tree", "entities", "--kind", "person", "--hot")
    assert set(first) == {"id", "kind", "name", "count", "last_at", "hotness", "aliases"}
    (about, *_) = filled.json("tree", "browse", "--entity", second["id"])
    words = f"{second['name']} {about['subject']}"
    for _ in range(5):
        assert filled.json("recall", words)
    filled.json("settle")
    people = filled.json("tree", "entities", "--kind", "person", "--hot")
    risen = next(one for one in people if one["id"] == second["id"])
    assert risen["hotness"] > second["hotness"]


def test_what_is_shown_to_a_person_has_an_id_to_go_on_with_and_no_row_of_columns(filled: Line) -> None:
    before = letter(8, "Boats", "The boats are in.", NOW - timedelta(days=3))
    filled.run("import", str(filled.mailbox()), str(filled.file("older.mbox", before)))
    filled.json("settle")
    (source, _) = filled.json("tree", "sources")
    said = filled.run("tree", "sources").out
    assert said.startswith(f"{source['id']}  inbox.mbox (mbox) · 2 messages in 2 passages · ")
    (hit,) = filled.json("search", "slides")
    assert filled.run("search", "slides").out.startswith(f"{hit['id']}  {hit['sent_at'][:10]} ")
    passage = filled.run("tree", "read", hit["id"]).out.splitlines()
    assert passage[0] == "Slides"
    assert passage[1].startswith("Ana Lopes to Rui Prado · ")
    assert passage[3] == "Could you please send me the slides for Thursday by tomorrow?"
    browsed = filled.run("tree", "browse").out
    assert f"{hit['id']}  {hit['sent_at'][:16].replace('T', ' ')}  Ana Lopes  Slides\n" in browsed
    (first, *_) = filled.json("tree", "entities", "--kind", "person")
    assert (
        f"{first['id']}  person  {first['name']} · in {first['count']} passage"
        in filled.run("tree", "entities").out
    )
    hot = filled.run("tree", "entities", "--hot").out
    assert "on your mind" in hot
    assert "also ana@ciclone.example" in hot
    (root,) = filled.json("tree", "browse", "--nodes", "root")
    assert filled.run("tree", "browse", "--nodes", "root").out.startswith(f"{root['id']}  root, ")
    (day, *_) = filled.json("tree", "browse", "--nodes", "day")
    assert f"{day['id']}  day {day['scope_id']} · " in filled.run("tree", "browse", "--nodes", "day").out
    assert "below: " in filled.run("tree", "read", root["id"]).out


def test_what_the_first_look_up_loads_is_no_question_of_a_batch(line: Line) -> None:
    asked: list[str] = []

    async def finder(
        _app: App, text: str, _limit: int, _filters: Filters
    ) -> Callable[[Connection], list[Hit]]:
        asked.append(text)
        return lambda _connection: []

    parser = ArgumentParser()
    finding.add_arguments(parser)
    questions = line.file("q.jsonl", json.dumps({"id": "1", "query": "boats"}))
    terminal = Terminal(home_at(line.home), as_json=True)
    assert finding.find(parser.parse_args(["--batch", str(questions)]), terminal, finder) == 0
    assert asked[1:] == ["boats"]
