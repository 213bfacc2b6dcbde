"""Cuts a piece of work off: a process that kills itself at the n-th place between two statements or changes of files.

A place is before a statement that writes, after a COMMIT, in the middle of a VACUUM, and before a file is opened for
writing, renamed or removed. SQLite's own trace and Python's own audit events tell of them, so the program under test
knows nothing of it. Each piece runs in a process of its own, forked from one that has everything imported already.
"""

import json
import os
import random
import re
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import apsw

from heedful.core.paths import home_at
from heedful.memory.archivist.backup import folder_of
from heedful.storage import Connection, Key, KeyKind

KEY = Key(KeyKind.KEYRING, "5a" * 32)
SEED = 20261202
STEPS_OF_A_COPY = 2000

Json = dict[str, Any]

_WRITES = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE|BEGIN|COMMIT|CREATE|DROP|VACUUM|WITH .*\bUPDATE\b)", re.DOTALL
)
_FILE_EVENTS = frozenset(["open", "os.rename", "os.remove", "os.mkdir", "shutil.copyfile"])
_OF_A_RUN = {
    "jobs": "SELECT DISTINCT kind, dedupe_key, state, payload FROM jobs",
    "ledger": "SELECT DISTINCT purpose, outcome, source_ids, request IS NULL, response IS NULL FROM ledger "
    "WHERE outcome <> 'interrupted'",
    "consents": "SELECT DISTINCT provider FROM consents",
    "provider_abilities": "SELECT DISTINCT model FROM provider_abilities",
}
"""Of these tables, what must be alike however often the work was begun; a call that was cut off is made again."""
_SHADOWS = re.compile(r"\w+_index(?:_\w+)?|sqlite_stat\d")


@dataclass(frozen=True, slots=True)
class Place:
    """One place at which work can be cut off; `is_edge` where something becomes true for whoever comes after."""

    what: str
    is_edge: bool


@dataclass(slots=True)
class Cuts:
    """Counts places below a folder, and kills the process at one of them."""

    folder: Path
    at: int | None = None
    passed: list[Place] = field(default_factory=list)
    is_copying: bool = False

    def begin(self) -> None:
        """Watches every connection and every file from now on, for as long as the process lives."""
        apsw.connection_hooks.append(self._watch)
        sys.addaudithook(self._of_files)

    def _watch(self, connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_STMT | apsw.SQLITE_TRACE_PROFILE, self._of_statements)
        connection.set_progress_handler(self._of_copying, STEPS_OF_A_COPY)

    def _of_statements(self, told: Mapping[str, object]) -> None:
        sql = str(told.get("sql", ""))
        is_commit = sql.strip() == "COMMIT"
        self.is_copying = sql.startswith("VACUUM") and told["code"] == apsw.SQLITE_TRACE_STMT
        if told["code"] == apsw.SQLITE_TRACE_PROFILE:
            if is_commit or sql.startswith("VACUUM"):
                self._pass(f"after {sql.split()[0]}", is_edge=True)
        elif _WRITES.match(sql) and not told.get("trigger"):
            self._pass(f"before {' '.join(sql.split())[:60]}", is_edge=is_commit)

    def _of_copying(self) -> bool:
        if self.is_copying:
            self._pass("within VACUUM", is_edge=False)
        return False

    def _of_files(self, event: str, arguments: tuple[object, ...]) -> None:
        if event not in _FILE_EVENTS or (event == "open" and not _is_for_writing(arguments)):
            return
        path = os.fspath(arguments[0]) if isinstance(arguments[0], str | os.PathLike) else ""
        if str(path).startswith(str(self.folder)):
            self._pass(f"before {event} of {Path(str(path)).name}", is_edge=event != "open")

    def _pass(self, what: str, *, is_edge: bool) -> None:
        self.passed.append(Place(what, is_edge))
        if len(self.passed) - 1 == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def _is_for_writing(arguments: Sequence[object]) -> bool:
    flags = arguments[2]
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR))


class DiedError(Exception):
    """A child ended in another way than it should."""


def in_a_child(work: Callable[[], Json]) -> Json | None:
    """What `work` gives in a process of its own; None where that was killed.

    Raises:
        DiedError: It raised something.
    """
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        _be_the_child(work, into)
    os.close(into)
    with os.fdopen(out, "rb") as told:
        said = told.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return None
    if os.WEXITSTATUS(status):
        raise DiedError(said.decode(errors="replace"))
    found: Json = json.loads(said)
    return found


def _be_the_child(work: Callable[[], Json], into: int) -> None:
    with os.fdopen(into, "wb") as telling:
        try:
            said, status = json.dumps(work()), 0
        except BaseException:  # noqa: BLE001 (whatever ended the child is told to its parent)
            said, status = traceback.format_exc(), 1
        telling.write(said.encode(errors="replace"))
    os._exit(status)


def chosen(places: Sequence[Place], *, most: int | None) -> list[int]:
    """All places, or the edges and then others drawn by a fixed seed, at most so many; evenly where there are more."""
    every = range(len(places))
    if most is None or len(places) <= most:
        return list(every)
    draw = random.Random(SEED)
    edges = [number for number in every if places[number].is_edge]
    others = [number for number in every if not places[number].is_edge]
    few = draw.sample(others, min(len(others), max(2, most // 4)))
    step = max(1.0, len(edges) / (most - len(few)))
    some = {edges[int(at * step)] for at in range(most) if int(at * step) < len(edges)}
    return sorted(some | set(few))


def copied(source: Path, target: Path) -> Path:
    """A copy of a folder, whatever was there before."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return target


def whole_content(folder: Path) -> dict[str, str]:
    """What a folder with a home means: its stores row by row, and every other file; by name, as comparable text."""
    home = home_at(folder)
    found: dict[str, str] = {}
    for file in sorted(chain.from_iterable(_files(each) for each in (folder, home.data) if each.exists())):
        name = str(file.relative_to(folder))
        if file == home.database or (file.parent == folder_of(home) and file.suffix == ".db"):
            found |= {f"{name}: {table}": rows for table, rows in _rows(file).items()}
        elif file != home.lock and not file.name.startswith(f"{home.database.name}-"):
            found[name] = file.read_bytes().decode(errors="replace")
    return found


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


def _rows(file: Path) -> dict[str, str]:
    """Every table's rows and every word of the index; of a store that can't be read, why."""
    connection = Connection(file, KEY.hex, read_only=True)
    try:
        return _rows_of(connection)
    except apsw.Error as exc:
        return {"unreadable": str(exc)}
    finally:
        connection.close()


def _rows_of(connection: Connection) -> dict[str, str]:
    found = {
        "faults": f"{connection.rows('PRAGMA integrity_check')} {connection.rows('PRAGMA foreign_key_check')}"
    }
    tables = connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    for (table,) in tables:
        if not _SHADOWS.fullmatch(str(table)):
            rows = connection.rows(_OF_A_RUN.get(str(table), f'SELECT * FROM "{table!s}"'))
            found[str(table)] = "\n".join(sorted(map(repr, rows)))
    for index, of_words in (("chunk_index", "index"), ("node_index", "index of nodes")):
        if (index,) in tables:
            connection.script(
                f"CREATE VIRTUAL TABLE temp.{index}_words USING fts5vocab (main, {index}, instance)"
            )
            words = connection.rows(f"SELECT * FROM temp.{index}_words ORDER BY 1, 2, 3, 4")
            found[of_words] = "\n".join(map(repr, words))
    return found


def differences(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Where two contents differ, a few rows of each."""
    told = []
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            here, there = (set((each.get(name) or "").split("\n")) for each in (one, other))
            told.append(f"{name}: not {_shown(there - here)} but {_shown(here - there)}")
    return told


def _shown(rows: set[str]) -> list[str]:
    return [row[:200] for row in sorted(rows)[:3]]
