"""Patches: which files and hunks changed and the changed lines; context goes, the middle of long runs too."""

import re

from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.shapes import Reading
from heedful.tokenjuice.signal import pinned_lines

_RUN_LINES = 8
_NOISE = re.compile(r"^(?:index [0-9a-f]+\.\.[0-9a-f]+|(?:---|\+\+\+) (?:[ab]/|/dev/null))")
_CONTEXT = 1


def reshape_diff(reading: Reading) -> str:
    """The patch with a line of context around each change and long runs of changes cut in their middle."""
    whole = Draft.of(reading.text)
    pinned = pinned_lines(whole.lines, reading.pinned)
    git = any(line.startswith("diff --git ") for line in whole.lines)
    noise = {n for n, line in enumerate(whole.lines) if git and _NOISE.match(line) and n not in pinned}
    bare = reading.ledger.enter(
        "patch headers", whole, whole.only(n for n in range(len(whole.lines)) if n not in noise)
    )
    near = _near_changes(bare)
    closer = bare.only(n for n in range(len(bare.lines)) if n in near or bare.places[n] in pinned)
    closer = reading.ledger.enter("patch context", bare, closer)
    if len(reading.text) < 4000:
        return closer.text()
    return reading.ledger.enter("patch runs", closer, _shorter_runs(closer, pinned)).text()


def _changed(line: str) -> bool:
    return line[:1] in {"+", "-"}


def _near_changes(draft: Draft) -> set[int]:
    near: set[int] = set()
    for n, line in enumerate(draft.lines):
        if _changed(line):
            near.update(range(n - _CONTEXT, n + _CONTEXT + 1))
        elif line[:1] not in {" ", ""}:
            near.add(n)
    return near


def _shorter_runs(draft: Draft, pinned: set[int]) -> Draft:
    lines: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(draft.lines):
        end = at + 1
        while (
            end < len(draft.lines)
            and _changed(draft.lines[at])
            and draft.lines[end][:1] == draft.lines[at][:1]
        ):
            end += 1
        if end - at > _RUN_LINES + 1 and pinned.isdisjoint(draft.places[at:end]):
            half = _RUN_LINES // 2
            lines += [
                *draft.lines[at : at + half],
                f"{draft.lines[at][0]}… {end - at - _RUN_LINES} lines",
                *draft.lines[end - half : end],
            ]
            places += [*draft.places[at : at + half], WRITTEN, *draft.places[end - half : end]]
        else:
            lines += draft.lines[at:end]
            places += draft.places[at:end]
        at = end
    return Draft(lines, places)
