"""What was cut, by which step: the account that makes every removal visible.

A text is a `Draft`: its lines and, for each, where it stood in the input. Steps take a draft and give a smaller
one; a `Ledger` writes down the difference, so that lines kept plus lines removed, less lines a step wrote
itself, is always the number of lines that came in.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

SAMPLE_LINES = 5
WRITTEN = -1


@dataclass(frozen=True, slots=True)
class Step:
    """One step's cut: lines removed, lines the step wrote itself, characters saved, the first lines that went."""

    name: str
    removed: int
    written: int = 0
    chars: int = 0
    sample: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """Lines still there; `places[n]` is the input line of `lines[n]`, `WRITTEN` where a step wrote it."""

    lines: list[str]
    places: list[int]

    @classmethod
    def of(cls, text: str) -> "Draft":
        """The draft nothing was cut from; an empty text has no lines."""
        lines = text.split("\n") if text else []
        return cls(lines, list(range(len(lines))))

    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines)

    def size(self) -> int:
        """The number of characters of the text."""
        return sum(map(len, self.lines)) + max(0, len(self.lines) - 1)

    def only(self, kept: Iterable[int]) -> "Draft":
        """The draft with just the lines at these positions, which must be ascending."""
        chosen = list(kept)
        return Draft([self.lines[n] for n in chosen], [self.places[n] for n in chosen])


@dataclass(slots=True)
class Ledger:
    """The steps so far, in order; a step that changed nothing is not listed."""

    steps: list[Step] = field(default_factory=list)

    def enter(self, name: str, before: Draft, after: Draft) -> Draft:
        """Writes down what `name` did between two drafts; gives `after` back."""
        if after is before:
            return after
        if after.lines == [""]:
            after = Draft([], [])
        written = after.places.count(WRITTEN) - before.places.count(WRITTEN)
        removed = len(before.lines) - (len(after.lines) - written)
        chars = before.size() - after.size()
        if removed or written or chars:
            sample = _first_gone(before, after) if removed else ()
            self.steps.append(Step(name, removed, written, chars, sample))
        return after


def rewritten_draft(before: Draft, after: str) -> Draft:
    """The new text as a draft of the old: a line that was there keeps its place, any other is written."""
    where: dict[str, list[int]] = {}
    for line, place in zip(reversed(before.lines), reversed(before.places), strict=True):
        where.setdefault(line, []).append(place)
    lines = Draft.of(after).lines
    return Draft(lines, [known.pop() if (known := where.get(line)) else WRITTEN for line in lines])


def _first_gone(before: Draft, after: Draft) -> tuple[str, ...]:
    stayed = set(after.places)
    gone = (line for line, place in zip(before.lines, before.places, strict=True) if place not in stayed)
    return tuple(islice(gone, SAMPLE_LINES))
