"""What a command brings in before it does anything: little, and never Qt."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from heedful.cli.entry import commands
from heedful.core.paths import home_at
from heedful.storage import choose_unencrypted
from tests.cli.line import Line

RUN_ALL = """
import sys
from heedful.cli import main

for line in sys.stdin.read().splitlines():
    try:
        main(line.split("|"))
    except SystemExit as exc:
        assert not exc.code, (line, exc.code)
print("MODULES", *sorted(sys.modules), file=sys.stderr)
"""

DESKTOP = ("PySide6", "shiboken6", "qasync", "desktop_notifier")
HEAVY = (
    *DESKTOP, "pydantic", "httpx", "icalendar", "recurring_ical_events", "jinja2", "keyring", "tomlkit", "selectolax",
    "argon2", "watchfiles", "rapidfuzz", "psutil", "email.parser", "dateutil",
)  # fmt: skip


def modules_after(home: Path, *lines: str) -> set[str]:
    """The modules of a process of its own that ran these commands one after the other."""
    answer = subprocess.run(
        [sys.executable, "-c", RUN_ALL],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "HEEDFUL_HOME": str(home)},
    )
    assert answer.returncode == 0, answer.stderr
    last = answer.stderr.splitlines()[-1]
    assert last.startswith("MODULES")
    return set(last.split())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    choose_unencrypted(home_at(tmp_path / "home"))
    return tmp_path / "home"


def test_no_command_but_run_brings_qt_in(line: Line) -> None:
    mailbox = line.mailbox()
    lines = [
        f"import|{mailbox}", "tick", "items", "items|--json", "sources", "activity", "ledger", "search|slides",
        "recall|slides", "tree|sources", "tree|browse", "tree|browse|--source|conscious", "why|slides",
        f"extract|{mailbox}", "detect|Could you call me?", "dates|tomorrow", "--version",
    ]  # fmt: skip
    untried = set(commands()) - {one.split("|")[0] for one in lines}
    loaded = modules_after(line.home, *lines, *(f"{name}|--help" for name in untried))
    assert not [name for name in loaded if name.split(".")[0] in DESKTOP]


@pytest.mark.parametrize("command", ["items", "sources", "activity", "search|word", "tree|browse", "ledger"])
def test_a_command_that_lists_brings_nothing_heavy_in(home: Path, command: str) -> None:
    loaded = modules_after(home, command)
    assert sorted(set(HEAVY) & loaded) == []


def test_items_are_listed_without_what_reads_a_text_or_another_command(home: Path) -> None:
    loaded = [name for name in modules_after(home, "items") if name.startswith("heedful.")]
    assert {name.split(".")[1] for name in loaded} == {
        "actionables", "app", "cli", "core", "presenters", "storage",
    }  # fmt: skip
    assert {name for name in loaded if name.startswith("heedful.cli.")} == {
        "heedful.cli.command", "heedful.cli.entry", "heedful.cli.items", "heedful.cli.usage",
    }  # fmt: skip


def test_help_opens_no_store_and_loads_no_room(home: Path) -> None:
    loaded = modules_after(home, "--help")
    assert sorted(name for name in loaded if name.startswith("heedful.") and name.count(".") == 1) == [
        "heedful.cli",
        "heedful.core",
    ]
    assert not home_at(home).database.exists()
