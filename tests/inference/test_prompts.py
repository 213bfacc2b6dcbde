import hashlib
import json
import re
from pathlib import Path

import pytest

from heedful.core.errors import RejectedError
from heedful.core.paths import shipped
from heedful.inference import load_prompt
from heedful.inference.prompts import read_prompt

# A change of a prompt's text or schema changes its meaning: raise its version, and write both down here.
SNAPSHOT = {
    "CONSCIOUS_LOOP.md": ("conscious_loop@1", "e2b1109573f5f601"),
    "ENTITIES.md": ("entities@1", "cb9ff62bd56f7513"),
    "PROVIDER_TEST.md": ("provider_test@1", "ad28810ac58f7c42"),
    "SUMMARISE.md": ("summarise@5", "053c5de4104e8245"),
}


def _digest(file: Path) -> str:
    prompt = read_prompt(file)
    said = prompt.template + json.dumps(prompt.schema, sort_keys=True)
    return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()


@pytest.mark.parametrize("name", SNAPSHOT)
def test_a_changed_prompt_has_a_new_version(name: str) -> None:
    file = shipped("prompts", name)
    assert (read_prompt(file).name, _digest(file)) == SNAPSHOT[name]


def test_every_prompt_that_ships_is_in_the_snapshot() -> None:
    folder = shipped("prompts", "CONSCIOUS_LOOP.md").parent
    with_front_matter = {
        file.name for file in folder.glob("*.md") if file.read_text(encoding="utf-8").startswith("---")
    }
    assert with_front_matter == set(SNAPSHOT)


def test_the_prompt_of_the_loop_asks_for_the_fields_of_an_actionable(tmp_path: Path) -> None:
    prompt = load_prompt("CONSCIOUS_LOOP.md", tmp_path)
    item = prompt.schema["properties"]["items"]["items"]  # type: ignore[index] # the shipped schema's own shape
    assert set(item["properties"]) == {
        "title", "description", "source", "priority", "actionable", "requires_confirmation", "has_complex_action",
        "source_label", "evidence",
    }  # fmt: skip
    assert item["properties"]["source"]["enum"] == [
        "email", "calendar", "telegram", "ai_insight", "system", "trading", "security",
    ]  # fmt: skip
    assert set(item["required"]) == set(item["properties"])
    assert len(re.findall(r'^\{"thought":.*"items":\[.*\]\}$', prompt.text(), re.MULTILINE)) == 3
    assert "never" in prompt.text()


def test_the_persons_own_prompt_wins(tmp_path: Path) -> None:
    own = tmp_path / "CONSCIOUS_LOOP.md"
    own.write_text("---\nid: mine\nversion: 7\ninputs:\noutput: CONSCIOUS_LOOP.schema.json\n---\nMy words.\n")
    prompt = load_prompt("CONSCIOUS_LOOP.md", tmp_path)
    assert (prompt.name, prompt.text(), prompt.note) == ("mine@7", "My words.\n", "")
    assert prompt.schema


@pytest.mark.parametrize(
    "broken",
    [
        b"My words without front matter.",
        b"---\nid: mine\n---\nNo version.",
        b"---\nid: mine\nversion: new\n---\nWords.",
        b"---\nid: mine\nversion: 1\ncolour: red\n---\nWords.",
        b"---\nid: mine\nversion: 1\n---\n   \n",
        b"---\nid mine\n---\nWords.",
        b"---\nid: mine\nversion: 1\noutput: none.json\n---\nWords.",
        b"---\nid: mine\nversion: 1\n",
        b"\xff\xfe broken",
        b"",
    ],
)
def test_a_broken_copy_falls_back_to_the_shipped_prompt_and_says_so(tmp_path: Path, broken: bytes) -> None:
    (tmp_path / "CONSCIOUS_LOOP.md").write_bytes(broken)
    prompt = load_prompt("CONSCIOUS_LOOP.md", tmp_path)
    assert prompt.id == "conscious_loop"
    assert "Your own CONSCIOUS_LOOP.md was passed over" in prompt.note


def test_a_text_without_inputs_is_used_byte_for_byte(tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_text('---\nid: x\nversion: 1\n---\nKeep {{ these }} and {% those %}: {"items":[]}\n')
    assert read_prompt(file).text() == 'Keep {{ these }} and {% those %}: {"items":[]}\n'


def test_inputs_are_filled_in_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "x.md"
    file.write_text("---\nid: x\nversion: 1\ninputs: name, day\n---\nHello {{ name }} on {{ day }}.\n")
    prompt = read_prompt(file)
    assert prompt.inputs == ("name", "day")
    assert prompt.text(name="Ana", day="Monday") == "Hello Ana on Monday.\n"
    with pytest.raises(RejectedError, match="can't be filled in"):
        prompt.text(name="Ana")


@pytest.mark.parametrize(
    "template", ["{{ ''.__class__.__mro__ }}", "{% for %}", "{{ name.__init__.__globals__ }}"]
)
def test_a_template_can_reach_nothing_but_its_inputs(tmp_path: Path, template: str) -> None:
    file = tmp_path / "x.md"
    file.write_text(f"---\nid: x\nversion: 1\ninputs: name\n---\n{template}\n")
    with pytest.raises(RejectedError):
        read_prompt(file).text(name="Ana")
