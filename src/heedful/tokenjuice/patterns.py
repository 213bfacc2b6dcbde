"""Regular expressions a stranger may have written: compiled only when they cannot run away.

`re` backtracks and cannot be interrupted, so a pattern is read before it is compiled: one that can split the
same text in exponentially many ways is refused, and so is one with too many open-ended wildcards in a row.
What remains costs a power of the line's length; the higher the power, the less of a line `Bounded` looks at.

The reader understands the part of the syntax that repeats and chooses; the rest (look-around, flags, named
groups) is left to `re.compile`, which reports what is malformed.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from heedful.core.errors import RejectedError

LENGTH_LIMIT = 1000
REACH_CHARS = 2000
_REACHES = (REACH_CHARS, REACH_CHARS, 400, 160, 80)
OPEN_ENDED_LIMIT = len(_REACHES) - 1
_FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "u": re.UNICODE}
_EVERYTHING = frozenset(range(128)) | {-1}
_CLASSES = {
    "d": frozenset(range(48, 58)),
    "w": frozenset(c for c in range(128) if chr(c).isalnum() or chr(c) == "_") | {-1},
    "s": frozenset({9, 10, 11, 12, 13, 32}),
}
_OPEN = 1_000_000


class PatternError(RejectedError):
    """A pattern is malformed, too long, or could run for ever."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A compiled pattern that looks at the first `reach_chars` of a line and no further."""

    source: str
    compiled: re.Pattern[str]
    reach_chars: int = REACH_CHARS

    def found_in(self, line: str) -> bool:
        """Whether the pattern occurs in the part of the line that is looked at."""
        return self.compiled.search(line, 0, self.reach_chars) is not None


@dataclass(frozen=True, slots=True)
class _Atom:
    """One character's worth of pattern, or a group: what it may match, how often, and what is inside."""

    chars: frozenset[int]
    least: int
    most: int
    branches: tuple[tuple["_Atom", ...], ...] = ()


@lru_cache(maxsize=2048)
def bounded(source: str, flags: str = "") -> Bounded:
    """The pattern, compiled.

    Raises:
        PatternError: It is malformed, longer than `LENGTH_LIMIT`, has unknown flags, or could run for ever.
    """
    if len(source) > LENGTH_LIMIT:
        raise PatternError(f"the pattern is longer than {LENGTH_LIMIT} characters")
    unknown = set(flags) - set(_FLAGS)
    if unknown:
        raise PatternError(f"unknown pattern flags {''.join(sorted(unknown))!r}", hint="Use i, m, s or u.")
    value = re.RegexFlag(0)
    for flag in flags:
        value |= _FLAGS[flag]
    try:
        compiled = re.compile(source, value)
    except (re.error, OverflowError, RecursionError) as exc:
        raise PatternError(f"not a regular expression: {exc}") from exc
    degree = refuse_runaway(source)
    return Bounded(source, compiled, _REACHES[degree])


def refuse_runaway(source: str) -> int:
    """How many open-ended repetitions can share out the same text among them; 0 or 1 is harmless.

    Raises:
        PatternError: It repeats a group whose parts can be split in several ways, or it has too many
            open-ended wildcards.
    """
    branches, _ = _Reader(source).alternatives(0)
    for branch in branches:
        _check(branch)
    degree = max((_degree(branch) for branch in branches), default=0)
    if degree > OPEN_ENDED_LIMIT:
        raise PatternError(
            f"the pattern has {degree} open-ended repetitions in a row, which can take very long on a long line",
            hint=f"Use at most {OPEN_ENDED_LIMIT} of .* and its kin, or put between them what they can't match.",
        )
    return degree


def _check(sequence: tuple[_Atom, ...]) -> None:
    for atom in sequence:
        for branch in atom.branches:
            _check(branch)
        if atom.branches and atom.most >= _OPEN and not _splits_one_way(atom.branches):
            raise PatternError(
                "the pattern repeats a group that can match the same text in many ways",
                hint="Remove one of the nested repetitions.",
            )


def _splits_one_way(branches: tuple[tuple[_Atom, ...], ...]) -> bool:
    starts: set[int] = set()
    for branch in branches:
        first = branch[0].chars if branch else frozenset[int]()
        if starts & first:
            return False
        starts |= first
        flat = _flatten(branch)
        if any(atom.most >= _OPEN for atom in flat) and not (_delimits(flat) or _delimits(flat[::-1])):
            return False
    return True


def _flatten(sequence: tuple[_Atom, ...]) -> list[_Atom]:
    flat = []
    for atom in sequence:
        if not atom.branches:
            flat.append(atom)
            continue
        if atom.most >= _OPEN:
            parts = (inner.chars for branch in atom.branches for inner in _flatten(branch))
            flat.append(_Atom(frozenset[int]().union(*parts), atom.least, _OPEN))
            continue
        for branch in atom.branches:
            for inner in _flatten(branch):
                least = inner.least if len(atom.branches) == 1 and atom.least else 0
                flat.append(_Atom(inner.chars, least, inner.most))
    return flat


def _delimits(flat: list[_Atom]) -> bool:
    first, rest = flat[0], flat[1:]
    if first.least < 1 or any(first.chars & atom.chars for atom in rest):
        return False
    return first.most == 1 or any(atom.least >= 1 for atom in rest)


def _degree(sequence: tuple[_Atom, ...]) -> int:
    """The longest run of open-ended repetitions in which nothing stands that the one before could not match."""
    return _run(sequence, 0, frozenset())[0]


def _run(sequence: tuple[_Atom, ...], chain: int, before: frozenset[int]) -> tuple[int, int, frozenset[int]]:
    """The longest run met, and the run still open at the end with what its last repetition matches."""
    longest = chain
    for atom in sequence:
        if atom.branches and atom.most < _OPEN:
            runs = [_run(branch, chain, before) for branch in atom.branches]
            longest = max(longest, *(run[0] for run in runs))
            _, chain, before = max(runs, key=lambda run: run[1])
        elif atom.most >= _OPEN:
            chars = atom.chars.union(*(inner.chars for branch in atom.branches for inner in _flatten(branch)))
            chain = chain + 1 if chars & before else 1
            before = chars
            longest = max(longest, chain)
        elif atom.least and not atom.chars & before:
            chain, before = 0, frozenset()
    return longest, chain, before


class _Reader:
    """Reads a pattern that `re` has already accepted."""

    def __init__(self, source: str) -> None:
        self.source = source

    def alternatives(self, at: int) -> tuple[tuple[tuple[_Atom, ...], ...], int]:
        branches: list[tuple[_Atom, ...]] = []
        sequence: list[_Atom] = []
        while at < len(self.source) and self.source[at] != ")":
            if self.source[at] == "|":
                branches.append(tuple(sequence))
                sequence = []
                at += 1
                continue
            atom, at = self._atom(at)
            least, most, at = self._repetition(at)
            if atom is not None:
                sequence.append(_Atom(atom.chars, least, most, atom.branches))
        branches.append(tuple(sequence))
        return tuple(branches), at

    def _atom(self, at: int) -> tuple[_Atom | None, int]:
        char = self.source[at]
        if char == "(":
            return self._group(at)
        if char == "[":
            return self._class(at)
        if char == "\\":
            return self._escape(at)
        if char in "^$":
            return None, at + 1
        if char == ".":
            return _Atom(_EVERYTHING, 1, 1), at + 1
        return _Atom(_one(char), 1, 1), at + 1

    def _group(self, at: int) -> tuple[_Atom | None, int]:
        start = at + 1
        looks = self.source.startswith(("?=", "?!", "?<=", "?<!"), start)
        opened = re.compile(r"\?(?:P?<\w+>|P=\w+|#[^)]*|[aiLmsux-]*:|[aiLmsux]+|=|!|<=|<!|>)").match(
            self.source, start
        )
        if opened:
            start = opened.end()
        branches, end = self.alternatives(start)
        if looks:
            for branch in branches:
                _check(branch)
            return None, end + 1
        first: frozenset[int] = frozenset().union(*(branch[0].chars for branch in branches if branch))
        return _Atom(first, 1, 1, branches), end + 1

    def _class(self, at: int) -> tuple[_Atom, int]:
        end = at + 1
        negated = self.source.startswith("^", end)
        end += negated
        chars: set[int] = set()
        first = end
        while self.source[end] != "]" or end == first:
            piece, after = self._class_piece(end)
            if self.source.startswith("-", after) and self.source[after + 1] != "]" and len(piece) == 1:
                last, after = self._class_piece(after + 1)
                piece = frozenset(range(min(piece), max(last) + 1)) & _EVERYTHING or frozenset({-1})
            chars |= piece
            end = after
        return _Atom(_EVERYTHING - chars if negated else frozenset(chars), 1, 1), end + 1

    def _class_piece(self, at: int) -> tuple[frozenset[int], int]:
        if self.source[at] != "\\":
            return _one(self.source[at]), at + 1
        atom, after = self._escape(at)
        return (atom.chars if atom else frozenset({8})), after

    def _escape(self, at: int) -> tuple[_Atom | None, int]:
        kind = self.source[at + 1]
        if kind in "bBAZ":
            return None, at + 2
        if kind in "dws":
            return _Atom(_CLASSES[kind], 1, 1), at + 2
        if kind in "DWS":
            return _Atom(_EVERYTHING - _CLASSES[kind.lower()] | {-1}, 1, 1), at + 2
        if kind in "xuU":
            return _Atom(frozenset({-1}), 1, 1), at + 2 + {"x": 2, "u": 4, "U": 8}[kind]
        if kind.isdigit():
            return _Atom(_EVERYTHING, 1, 1), at + 2
        return _Atom(
            _one({"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}.get(kind, kind)), 1, 1
        ), at + 2

    def _repetition(self, at: int) -> tuple[int, int, int]:
        counted = re.compile(r"\{(\d*)(,?)(\d*)\}").match(self.source, at)
        sign = self.source[at] if at < len(self.source) else ""
        if sign in {"*", "+", "?"}:
            least, most = {"*": (0, _OPEN), "+": (1, _OPEN), "?": (0, 1)}[sign]
            at += 1
        elif counted and (counted[1] or counted[3]):
            least = int(counted[1] or 0)
            most = int(counted[3]) if counted[3] else (_OPEN if counted[2] else least)
            most = _OPEN if most > max(least, 10) else most
            at = counted.end()
        else:
            return 1, 1, at
        return least, most, at + (self.source[at : at + 1] in {"?", "+"})


def _one(char: str) -> frozenset[int]:
    code = ord(char)
    if code > 127:
        return frozenset({-1})
    return frozenset({code, ord(char.swapcase())}) if char.isalpha() else frozenset({code})
