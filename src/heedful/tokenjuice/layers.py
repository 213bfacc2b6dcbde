"""Where rules come from: the package, the person's folder, a project's folder once it is trusted.

A later layer's rule replaces an earlier one of the same id, entirely. A folder is looked at again when its
files change; a file that cannot be read as a rule is reported and left out, and the rest still work.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path

from heedful.core.errors import RejectedError
from heedful.tokenjuice.rule import Rule, RuleError
from heedful.tokenjuice.rule_reading import check_patterns, read_rule

PROJECT_FOLDER = Path(".tokenjuice", "rules")
_PACKAGED = Path(__file__).with_name("builtin")
_FILE_LIMIT_BYTES = 1_000_000
_IGNORED = (".schema.json", ".fixture.json")


class Layer(StrEnum):
    """Whose rule it is."""

    BUILTIN = "builtin"
    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Located:
    """A rule, the layer and file it came from, and the layers whose rule of the same id it replaces."""

    rule: Rule
    layer: Layer
    path: str
    shadows: tuple[Layer, ...] = ()


@dataclass(frozen=True, slots=True)
class Problem:
    """A file left out, or a folder not trusted, in a sentence."""

    path: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Folder:
    layer: Layer
    path: Path


@dataclass(frozen=True, slots=True)
class _Reading:
    stamp: tuple[tuple[str, int, int], ...]
    rules: tuple[tuple[Rule, str], ...]
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class RuleBook:
    """The rules in force.

    `user_folders` are searched in order, the last wins. `is_trusted` is asked for `project` (a project's root)
    on every look, so that trust given or taken counts at once; without a trusted project its rules are not
    even read.
    """

    user_folders: Sequence[Path] = ()
    project: Path | None = None
    is_trusted: Callable[[Path], bool] = lambda _: False
    _read: dict[Path, _Reading] = field(default_factory=dict, init=False)
    _known: tuple[object, Mapping[str, Located]] | None = field(default=None, init=False)
    _problems: tuple[Problem, ...] = field(default=(), init=False)

    def rules(self) -> Mapping[str, Located]:
        """Every rule in force by id, in alphabetical order, as the files stand now."""
        folders, untrusted = self._folders()
        readings = [(folder, self._reading(folder)) for folder in folders]
        stamp = tuple((folder.path, reading.stamp) for folder, reading in readings)
        if self._known is None or self._known[0] != (stamp, untrusted):
            self._problems = (
                tuple(problem for _, reading in readings for problem in reading.problems) + untrusted
            )
            self._known = ((stamp, untrusted), _overlaid(readings))
        return self._known[1]

    def problems(self) -> tuple[Problem, ...]:
        """What was left out when the files were last looked at."""
        self.rules()
        return self._problems

    def _folders(self) -> tuple[list[_Folder], tuple[Problem, ...]]:
        folders = [_Folder(Layer.USER, path) for path in self.user_folders]
        if self.project is None:
            return folders, ()
        path = self.project / PROJECT_FOLDER
        if self.is_trusted(self.project):
            return [*folders, _Folder(Layer.PROJECT, path)], ()
        if not path.is_dir():
            return folders, ()
        sentence = "This folder has rules of its own, which are not used until you trust it: `heedful juice --trust`."
        return folders, (Problem(str(path), sentence),)

    def _reading(self, folder: _Folder) -> _Reading:
        files = list(_rule_files(folder.path))
        stamp = tuple((str(path), *_stamp(path)) for path in files)
        known = self._read.get(folder.path)
        if known is None or known.stamp != stamp:
            known = _read_files(stamp, files)
            self._read[folder.path] = known
        return known


def builtin_rules() -> Iterator[tuple[Rule, str]]:
    """The packaged rules with the name of the file each is in.

    Raises:
        RuleError: A packaged file is damaged.
    """
    for path in sorted(_PACKAGED.glob("*.json")):
        for rule in _rules_in(path.read_text("utf-8"), path.name):
            yield rule, path.name


def _overlaid(readings: Sequence[tuple[_Folder, _Reading]]) -> Mapping[str, Located]:
    found = {rule.id: Located(rule, Layer.BUILTIN, path) for rule, path in _builtin()}
    for folder, reading in readings:
        for rule, path in reading.rules:
            earlier = found.get(rule.id)
            shadows = () if earlier is None else (*earlier.shadows, earlier.layer)
            found[rule.id] = Located(rule, folder.layer, path, shadows)
    return dict(sorted(found.items()))


@cache
def _builtin() -> Sequence[tuple[Rule, str]]:
    return tuple(builtin_rules())


def _rule_files(folder: Path) -> Iterator[Path]:
    """JSON files below the folder, sorted; links are not followed, so nothing outside is read.

    Nor is what is no plain file: reading a pipe would wait for whoever writes to it.
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink():
            continue
        if entry.is_dir():
            yield from _rule_files(entry)
        elif entry.name.endswith(".json") and not entry.name.endswith(_IGNORED) and entry.is_file():
            yield entry


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def _read_files(stamp: tuple[tuple[str, int, int], ...], files: Sequence[Path]) -> _Reading:
    rules: list[tuple[Rule, str]] = []
    problems: list[Problem] = []
    owners: dict[str, str] = {}
    for path in files:
        try:
            found = _checked(path)
        except RejectedError as exc:
            problems.append(Problem(str(path), exc.sentence()))
            continue
        for rule in found:
            if rule.id in owners:
                sentence = f"{rule.id} is defined in {owners[rule.id]} already; this one is not used."
                problems.append(Problem(str(path), sentence))
                continue
            owners[rule.id] = path.name
            rules.append((rule, str(path)))
    return _Reading(stamp, tuple(rules), tuple(problems))


def _checked(path: Path) -> list[Rule]:
    try:
        if path.stat().st_size > _FILE_LIMIT_BYTES:
            raise RuleError(f"{path.name} is larger than {_FILE_LIMIT_BYTES // 1000} kB")
        text = path.read_text("utf-8")
    except OSError as exc:
        raise RuleError(f"{path.name} cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError as exc:
        raise RuleError(f"{path.name} is not UTF-8 text") from exc
    rules = _rules_in(text, path.name)
    for rule in rules:
        check_patterns(rule, where=path.name)
    return rules


def _rules_in(text: str, where: str) -> list[Rule]:
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise RuleError(f"{where} is not JSON: {exc}") from exc
    if isinstance(raw, list):
        return [read_rule(item, where=f"{where}, rule {n + 1}") for n, item in enumerate(raw)]
    return [read_rule(raw, where=where)]
