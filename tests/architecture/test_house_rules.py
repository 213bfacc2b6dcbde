"""The house as drawn in ARCHITECTURE.md, checked against the code."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import heedful

SOURCE = Path(heedful.__file__).parent
CHECKOUT = SOURCE.parents[1]
MODULES = sorted(SOURCE.rglob("*.py"))

LONGEST_MODULE = 600
LONGEST_FUNCTION = 150

# Besides every `*_store.py` and the memory, whose modules are each a view of its rows: the room of the database itself
# and what is one query that belongs to nobody else. A new name here wants a reason.
MAY_SPEAK_SQL = {
    "storage/connection.py",
    "storage/migrating.py",
    "conscious/recall.py",
    "conscious/activity.py",
    "inference/abilities.py",
    "inference/egress.py",
}

_SQL = re.compile(
    r"\s*(SELECT\s|INSERT (OR \w+ )?INTO\s|UPDATE \w+ SET\s|DELETE FROM\s|CREATE |PRAGMA |WITH \w+ AS)"
)
_PLACE = re.compile(r"`((?:[\w.-]+/)+(?:[\w.-]+\.(?:py|toml|sql|md|json))?)`")
_UNKEPT = re.compile(r"#.*\b(TODO|FIXME|XXX|HACK)\b")


def name_of(module: Path) -> str:
    return module.relative_to(SOURCE).as_posix()


@cache
def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imports_of(module: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def calls_of(module: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


def test_dependencies_point_one_way(tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("lint-imports" + (".exe" if os.name == "nt" else ""))
    answer = subprocess.run(
        [str(command), "--no-logo", "--cache-dir", str(tmp_path / "cache")],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr


def needed_by(module: Path) -> set[str]:
    """What a file imports when it runs, at once or later, as dotted names; not what only a type checker reads."""
    tree = tree_of(module)
    unread = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    return set(names_from(node for node in ast.walk(tree) if node not in unread))


def names_from(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Every module that `from … import …` may mean: the one it names, and each name as if it were a module."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_no_two_files_need_each_other() -> None:
    files = {
        "heedful." + name_of(module).removesuffix(".py").replace("/", "."): needed_by(module)
        for module in MODULES
        if module.name != "__init__.py"
    }
    assert [
        (one, other)
        for one, needed in files.items()
        for other in sorted(needed & files.keys())
        if one < other and one in files[other]
    ] == []


def test_every_package_says_what_it_is_for() -> None:
    packages = [module for module in MODULES if module.name == "__init__.py"]
    assert len(packages) > 10
    assert [name_of(package) for package in packages if not ast.get_docstring(tree_of(package))] == []


@pytest.mark.parametrize(
    "room",
    sorted(room.parent for room in (SOURCE / "memory").glob("*/__init__.py")),
    ids=lambda room: room.name,
)
def test_each_room_of_the_memory_says_which_modules_are_used_outside(room: Path) -> None:
    outside = [module for module in MODULES if not module.is_relative_to(SOURCE / "memory")]
    said = (ast.get_docstring(tree_of(room / "__init__.py")) or "").partition("Used outside the memory:")[2]
    inside = f"heedful.memory.{room.name}."
    used = {
        name.removeprefix(inside).split(".")[0]
        for module in outside
        for name in names_from(ast.walk(tree_of(module)))
        if name.startswith(inside)
    }
    assert set(re.findall(r"`(\w+)`", said)) == used


def test_every_module_says_what_it_is_for() -> None:
    assert [name_of(module) for module in MODULES if not ast.get_docstring(tree_of(module))] == []


def test_no_module_is_longer_than_one_idea_needs() -> None:
    lengths = {name_of(module): len(module.read_text(encoding="utf-8").splitlines()) for module in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_functions_are_one_thought() -> None:
    lengths = sorted(
        (1 + (node.end_lineno or node.lineno) - node.lineno, name_of(module), node.name)
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert lengths[int(len(lengths) * 0.95)][0] < 50
    assert lengths[-1][0] < LONGEST_FUNCTION, lengths[-3:]


def test_only_the_supervisor_starts_tasks() -> None:
    starters = {
        "asyncio.create_task",
        "asyncio.ensure_future",
        "create_task",
        "ensure_future",
        "loop.create_task",
    }
    found = {name_of(module) for module in MODULES if starters & set(calls_of(module))}
    assert found == {"core/supervise.py"}


def test_only_the_desktop_knows_qt() -> None:
    qt = {"PySide6", "shiboken6", "qasync", "desktop_notifier"}
    found = {
        name_of(module) for module in MODULES if qt & {name.split(".")[0] for name in imports_of(module)}
    }
    assert found
    assert [name for name in found if not name.startswith("desktop/")] == []


def test_only_the_storage_knows_the_database_library() -> None:
    found = {name_of(module) for module in MODULES if {"apsw", "sqlite3"} & set(imports_of(module))}
    assert found == {"storage/connection.py"}


def test_sql_stands_beside_what_it_serves() -> None:
    def speaks_sql(module: Path) -> bool:
        texts = (node.value for node in ast.walk(tree_of(module)) if isinstance(node, ast.Constant))
        return any(isinstance(text, str) and _SQL.match(text) for text in texts)

    elsewhere = [m for m in MODULES if not m.stem.endswith("_store") and not name_of(m).startswith("memory/")]
    found = {name_of(module) for module in elsewhere if speaks_sql(module)}
    assert found - MAY_SPEAK_SQL == set()
    assert MAY_SPEAK_SQL - found == set(), "these may be struck off the list"


def test_only_the_clock_asks_the_machine_for_the_time() -> None:
    asked = re.compile(r"(datetime|date)\.(now|utcnow|today)|time\.time(_ns)?")
    found = {name_of(module) for module in MODULES if any(asked.fullmatch(call) for call in calls_of(module))}
    assert found == {"core/clock.py"}


def test_no_file_is_called_for_having_no_idea() -> None:
    without = {
        "utils",
        "util",
        "helpers",
        "helper",
        "common",
        "misc",
        "base",
        "manager",
        "managers",
        "core_utils",
    }
    assert [name_of(module) for module in MODULES if module.stem in without] == []


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_nothing_is_left_for_later(folder: str) -> None:
    files = [file for file in sorted((CHECKOUT / folder).rglob("*.py")) if file != Path(__file__)]
    assert [str(file) for file in files if _UNKEPT.search(file.read_text(encoding="utf-8"))] == []


def test_every_broad_except_stands_where_it_may() -> None:
    broad = {
        name_of(module)
        for module in MODULES
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
        and not any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
    }
    allowed = {
        "core/supervise.py",
        "core/bus.py",
        "core/secrets.py",
        "storage/store.py",
        "desktop/slots.py",
        "desktop/workers.py",
    }
    assert broad - allowed == set()


def test_every_ignore_carries_its_reason() -> None:
    bare = re.compile(r"# (noqa(: [A-Z0-9, ]+)?|type: ignore(\[[a-z-, ]+\])?)\s*$", re.MULTILINE)
    files = [*MODULES, *sorted((CHECKOUT / "tests").rglob("*.py"))]
    assert [str(file) for file in files if bare.search(file.read_text(encoding="utf-8"))] == []


def test_every_file_that_is_named_is_there() -> None:
    """Whether a name is meant from the checkout, from the package, from a room of the memory, or from beside it."""
    pages = [*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs" / "decisions").glob("*.md")]
    named = {
        (page, place)
        for page in (*pages, *MODULES)
        for place in _PLACE.findall(page.read_text(encoding="utf-8"))
        if not re.search(r"NAME|CODE|NNNN", place)
    }
    assert len(named) > 30
    assert [
        f"{page.relative_to(CHECKOUT)}: {place}"
        for page, place in sorted(named)
        if not any((above / place).exists() for above in (CHECKOUT, SOURCE, SOURCE / "memory", page.parent))
    ] == []
