import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.core.paths import Home
from heedful.tokenjuice import Juicer, Layer, RuleBook, RuleError, read_rule, shell_rules_reachable
from heedful.tokenjuice.classification import Origin, classify
from heedful.tokenjuice.command import SHELL_TOOL_NAMES, read_command
from heedful.tokenjuice.layers import PROJECT_FOLDER, builtin_rules
from heedful.tokenjuice.own_rules import own_file, starting_point, write_rule
from heedful.tokenjuice.rule_reading import check_patterns
from heedful.tokenjuice.standard_book import own_rules_folder, standard_rule_book, trusted_folders
from heedful.tokenjuice.trust import TrustedFolders

STATUS = {
    "id": "git/status",
    "family": "mine",
    "match": {"argv0": ["git"], "gitSubcommands": ["status"]},
    "drop": [{"pattern": "^secret/", "flags": "i"}],
}


def put(folder: Path, name: str, rule: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(rule if isinstance(rule, str) else json.dumps(rule), "utf-8")
    return path


def test_reading_the_rules_loads_no_step_yet() -> None:
    code = (
        "import sys; from heedful.tokenjuice import RuleBook; assert RuleBook().rules();"
        "print([name for name in sys.modules if name.startswith('heedful.tokenjuice.')])"
    )

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert "heedful.tokenjuice.layers" in loaded
    assert "squeezing" not in loaded
    assert "reducing" not in loaded
    assert "_shape" not in loaded


def test_every_packaged_rule_is_sound_and_has_its_own_id() -> None:
    rules = [rule for rule, _ in builtin_rules()]
    for rule in rules:
        check_patterns(rule, where=rule.id)

    assert len({rule.id for rule in rules}) == len(rules)


@pytest.mark.parametrize("tool_name", ["exec", "shell", "Bash", "terminal", "run_command"])
def test_at_least_120_rules_are_reachable_by_each_shell_name_in_use(tool_name: str) -> None:
    rules = [rule for rule, _ in builtin_rules()]

    reachable, _ = shell_rules_reachable(rules, [tool_name])

    assert len(reachable) >= 120


def test_only_the_rule_of_another_tool_is_out_of_reach_of_shells() -> None:
    rules = [rule for rule, _ in builtin_rules()]

    _, unreachable = shell_rules_reachable(rules, sorted(SHELL_TOOL_NAMES))

    assert unreachable == ["openclaw/sessions-history"]


def test_a_packaged_rule_written_out_and_read_again_is_the_same_rule() -> None:
    for rule, name in builtin_rules():
        assert read_rule(starting_point(rule), where=name) == rule


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"colour": "red"}, "colour is not a known key"),
        ({"match": {"argv": ["x"]}}, "match.argv is not a known key"),
        ({"counters": [{"name": "x", "pattern": "y", "z": 1}]}, "counters[0].z is not a known key"),
        ({"summarize": {"head": -1}}, "summarize.head must be at least 0"),
        ({"priority": True}, "priority must be a finite number"),
        ({"drop": [3]}, "drop[0] is not an object"),
        ({"dedup": "some"}, "dedup must be one of none, adjacent, templates"),
        ({"family": ""}, "family must be given and not empty"),
        ({"description": "a\0b"}, "description contains a NUL character"),
    ],
)
def test_a_bad_rule_is_refused_with_the_file_and_the_place(change: dict[str, object], place: str) -> None:
    with pytest.raises(RuleError) as caught:
        read_rule({**STATUS, **change}, where="mine.json")

    assert caught.value.title == f"mine.json: {place}"


def test_the_person_s_rule_replaces_the_packaged_one_of_its_id(tmp_path: Path) -> None:
    put(tmp_path, "status.json", STATUS)

    book = RuleBook(user_folders=[tmp_path])

    assert book.rules()["git/status"].layer is Layer.USER
    assert [located.rule.id for located in book.rules().values() if located.shadows] == ["git/status"]
    assert book.rules()["git/status"].shadows == (Layer.BUILTIN,)


def test_the_person_s_rule_decides_what_is_cut(tmp_path: Path) -> None:
    put(tmp_path, "status.json", STATUS)
    text = "\n".join(f"{'SECRET' if n % 2 else 'open'}/file{n}.txt" for n in range(60))

    squeezed = Juicer(RuleBook(user_folders=[tmp_path])).compress(text, command="git status", exit_code=0)

    assert squeezed.layer is Layer.USER
    assert "SECRET" not in squeezed.text
    assert "open/file58.txt" in squeezed.text


def test_a_rule_can_limit_lines_and_tokens(tmp_path: Path) -> None:
    short = {"family": "f", "truncate": {"lines": 5}, "dedup": "none"}
    put(tmp_path, "l.json", {**short, "id": "x/lines", "match": {"argv0": ["lines"]}})
    put(
        tmp_path,
        "t.json",
        {**short, "id": "x/tokens", "match": {"argv0": ["tokens"]}, "truncate": {"tokens": 80}},
    )
    juicer = Juicer(RuleBook(user_folders=[tmp_path]))
    text = "\n".join(f"words of sort {n}" for n in range(70)) + "\nERROR at the very end"

    by_lines = juicer.compress(text, command="lines")
    by_tokens = juicer.compress(text, command="tokens")

    assert by_lines.output_lines <= 6
    assert "ERROR at the very end" in by_lines.text
    assert by_tokens.output_tokens <= 80
    assert "ERROR at the very end" in by_tokens.text


@pytest.mark.parametrize(
    ("by", "shown", "hidden"),
    [
        ("heading", "alpha 0", "alpha 5"),
        ("directory", "a/0", "a/5"),
        ("test", "t0 PASSED", "t5 PASSED"),
        ("stack", "    at f0", "    at f5"),
    ],
)
def test_sections_keep_their_first_lines_and_a_count(
    tmp_path: Path, by: str, shown: str, hidden: str
) -> None:
    put(tmp_path, "s.json", {"id": "x/s", "family": "f", "match": {"argv0": ["s"]}, "summarise": {"by": by}})
    bodies = {
        "heading": "# One\n" + "\n".join(f"alpha {n}" for n in range(9)) + "\n# Two\nbeta",
        "directory": "\n".join([*(f"a/{n}" for n in range(9)), "b/1"]),
        "test": "\n".join([*(f"t{n} PASSED" for n in range(9)), "t9 FAILED"]),
        "stack": "\n".join(["Boom: it broke", *(f"    at f{n}" for n in range(9))]),
    }

    squeezed = Juicer(RuleBook(user_folders=[tmp_path])).compress(bodies[by] + "\n" * 3, command="s")

    lines = squeezed.text.split("\n")
    assert shown in lines
    assert hidden not in lines
    assert any(line.startswith("… ") and line.endswith(" more") for line in lines)


def test_a_rule_can_spread_json_over_lines_and_drop_some(tmp_path: Path) -> None:
    rule = {
        "id": "x/j",
        "family": "f",
        "match": {"toolNames": ["talk"]},
        "transforms": {"prettyPrintJson": True},
    }
    put(tmp_path, "j.json", {**rule, "drop": ['^\\s*"model":'], "dedup": "none"})
    text = json.dumps({"messages": [{"role": "user", "model": "secret-model-" + "x" * 200, "text": "hello"}]})

    told = Juicer(RuleBook(user_folders=[tmp_path])).compress(text, tool="talk").text

    assert '"text": "hello"' in told
    assert "secret-model" not in told


def test_one_bad_file_is_reported_and_the_others_work(tmp_path: Path) -> None:
    put(tmp_path, "a_broken.json", "{ not json")
    put(tmp_path, "b_runaway.json", {**STATUS, "id": "x/y", "drop": ["(a+)+$"]})
    put(tmp_path, "c_good.json", STATUS)
    put(tmp_path, "d_twice.json", STATUS)

    book = RuleBook(user_folders=[tmp_path])

    assert book.rules()["git/status"].layer is Layer.USER
    assert [Path(problem.path).name for problem in book.problems()] == [
        "a_broken.json",
        "b_runaway.json",
        "d_twice.json",
    ]
    assert "not JSON" in book.problems()[0].sentence
    assert "many ways" in book.problems()[1].sentence


def test_a_changed_file_counts_at_once(tmp_path: Path) -> None:
    path = put(tmp_path, "status.json", STATUS)
    book = RuleBook(user_folders=[tmp_path])
    assert book.rules()["git/status"].rule.family == "mine"

    put(tmp_path, "status.json", {**STATUS, "family": "changed"})
    os.utime(path, ns=(1, 1))

    assert book.rules()["git/status"].rule.family == "changed"
    path.unlink()
    assert book.rules()["git/status"].layer is Layer.BUILTIN


def test_a_project_s_rules_count_only_once_it_is_trusted(tmp_path: Path) -> None:
    project = tmp_path / "cloned"
    put(project / PROJECT_FOLDER, "status.json", STATUS)
    trusted = TrustedFolders(tmp_path / "trusted.json")
    book = RuleBook(project=project, is_trusted=lambda folder: folder in trusted)

    assert book.rules()["git/status"].layer is Layer.BUILTIN
    assert "until you trust it: `heedful juice --trust`" in book.problems()[0].sentence

    trusted.trust(project)
    assert book.rules()["git/status"].layer is Layer.PROJECT
    assert book.problems() == ()

    trusted.distrust(project)
    assert book.rules()["git/status"].layer is Layer.BUILTIN


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_a_pipe_among_the_rules_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "rules" / "pipe.json"
    put(pipe.parent, "status.json", STATUS)
    os.mkfifo(pipe)
    code = (
        "import sys; from pathlib import Path; from heedful.tokenjuice import RuleBook;"
        "print(RuleBook(user_folders=[Path(sys.argv[1])]).rules()['git/status'].rule.family)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, pipe.parent], capture_output=True, text=True, timeout=30, check=True
    )
    assert told.stdout == "mine\n"


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", "status.json", STATUS)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "link.json").symlink_to(tmp_path / "elsewhere" / "status.json")

    assert RuleBook(user_folders=[tmp_path / "rules"]).rules()["git/status"].layer is Layer.BUILTIN


def test_a_rule_can_be_written_as_one_s_own(tmp_path: Path) -> None:
    rule = RuleBook().rules()["git/status"].rule

    path = write_rule({**starting_point(rule), "family": "mine"}, tmp_path)

    assert path.name == "git-status.json"
    assert RuleBook(user_folders=[tmp_path]).rules()["git/status"].rule.family == "mine"


def test_the_file_of_one_s_own_rule_is_known_before_it_is_written(tmp_path: Path) -> None:
    expected = own_file("git/status", tmp_path)

    assert write_rule(STATUS, tmp_path) == expected


def test_heedful_s_own_folder_wins_over_the_one_all_programs_share(tmp_path: Path, home: Home) -> None:
    shared = tmp_path / ".config" / "tokenjuice" / "rules"
    put(shared, "status.json", {**STATUS, "family": "shared"})
    book = standard_rule_book(home, person=tmp_path)
    assert book.rules()["git/status"].rule.family == "shared"

    write_rule({**STATUS, "family": "own"}, own_rules_folder(home))

    assert book.rules()["git/status"].rule.family == "own"


def test_a_folder_given_last_wins_and_a_project_s_counts_once_trusted(tmp_path: Path, home: Home) -> None:
    write_rule({**STATUS, "family": "own"}, own_rules_folder(home))
    put(tmp_path / "more", "status.json", {**STATUS, "family": "last"})
    put(tmp_path / "work" / PROJECT_FOLDER, "status.json", {**STATUS, "family": "project"})
    book = standard_rule_book(home, person=tmp_path, project=tmp_path / "work", last=[tmp_path / "more"])
    assert book.rules()["git/status"].rule.family == "last"

    trusted_folders(home).trust(tmp_path / "work")

    assert book.rules()["git/status"].rule.family == "project"


def test_a_bad_rule_of_one_s_own_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(RuleError):
        write_rule({**STATUS, "keep": ["(.*)*"]}, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_can_not_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")

    with pytest.raises(UserCanFixError):
        write_rule(STATUS, tmp_path / "file")


@pytest.mark.parametrize(
    ("line", "rule_id"),
    [
        ("git -C /srv --no-pager diff HEAD~1", "git/diff"),
        ("git diff --stat", "git/diff-stat"),
        ("cd app && FOO=1 sudo npm ci", "install/npm-ci"),
        ("bash -lc 'cd /repo && pytest -q tests'", "tests/pytest"),
        ("./gradlew build", "build/gradle"),
        ("/usr/bin/kubectl get pods -A | head -50", "devops/kubectl-get"),
        ("pnpm playwright test", "tests/playwright"),
        ("uv run ruff check src", "task/uv"),
        ("docker compose up -d", "devops/docker-compose"),
        ("pytest -v; git status", "generic/fallback"),
        ("frobnicate --now", "generic/fallback"),
        ("tool --help", "generic/help"),
    ],
)
def test_a_command_line_finds_its_rule(line: str, rule_id: str) -> None:
    rules = [located.rule for located in RuleBook().rules().values()]

    found = classify(rules, Origin(read_command(line)))

    assert found[0].rule.id == rule_id


def test_listing_more_names_does_not_make_a_rule_more_specific() -> None:
    few = read_rule(
        {"id": "a", "family": "f", "match": {"argv0": ["git"], "argvIncludes": [["log"]]}}, where="x"
    )
    many = read_rule(
        {"id": "b", "family": "f", "match": {"argv0": ["git", "jj", "hg", "svn", "fossil"]}}, where="x"
    )

    assert [found.rule.id for found in classify([many, few], Origin(read_command("git log")))] == ["a", "b"]
