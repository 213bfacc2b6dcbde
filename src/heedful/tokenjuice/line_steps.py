"""The steps that work line by line: each takes a draft and gives a smaller one.

What the caller pinned is out of every step's reach.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import compress, groupby

from heedful.tokenjuice.ledger import WRITTEN, Draft, rewritten_draft
from heedful.tokenjuice.rule import Counter, Pattern, Truncate
from heedful.tokenjuice.selection import Allowance, choose, clip
from heedful.tokenjuice.signal import Severity, severity_of
from heedful.tokenjuice.templates import Template

MANY_LINES = 500
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_RUNS = re.compile(r"(?<=\S)[ \t]{2,}")


def pretty_json(draft: Draft) -> Draft:
    """JSON with a line for each value; anything else as it is."""
    try:
        document = json.loads(draft.text())
    except (ValueError, RecursionError):
        return draft
    return rewritten_draft(draft, json.dumps(document, indent=2, ensure_ascii=False))


def strip_ansi(draft: Draft) -> Draft:
    """Without colour and cursor sequences."""
    if "\x1b" not in draft.text():
        return draft
    return Draft([_ANSI.sub("", line) for line in draft.lines], draft.places)


def last_states(draft: Draft) -> Draft:
    """Of each line that overwrote itself, the last state and any earlier one that speaks of an error."""
    if "\r" not in draft.text():
        return draft
    return Draft([_last_state(line) if "\r" in line else line for line in draft.lines], draft.places)


def _last_state(line: str) -> str:
    *earlier, last = line.rstrip("\r").split("\r")
    loud = [state for state in earlier if state != last and severity_of(state) is Severity.ERROR]
    return " ".join([*loud, last])


def trim_trailing(draft: Draft) -> Draft:
    """Without white space at the end of lines."""
    lines = [line.rstrip() for line in draft.lines]
    return draft if lines == draft.lines else Draft(lines, draft.places)


def fold_whitespace(draft: Draft) -> Draft:
    """Runs of blanks inside a line become two blanks at most, and empty lines one at most."""
    lines = [_RUNS.sub("  ", line) if "  " in line or "\t" in line else line for line in draft.lines]
    kept = [n for n, line in enumerate(lines) if line or n == 0 or lines[n - 1]]
    return Draft([lines[n] for n in kept], [draft.places[n] for n in kept])


def trim_edges(draft: Draft) -> Draft:
    """Without empty lines at the beginning and the end."""
    first, last = 0, len(draft.lines)
    while first < last and not draft.lines[first].strip():
        first += 1
    while last > first and not draft.lines[last - 1].strip():
        last -= 1
    return draft if last - first == len(draft.lines) else draft.only(range(first, last))


def drop(draft: Draft, patterns: Sequence[Pattern], *, pinned: set[int]) -> Draft:
    """Without the lines that match one of the patterns."""
    if not patterns:
        return draft
    found = _any_of(patterns)
    return _where(draft, lambda line, place: place in pinned or not found(line))


def keep(draft: Draft, patterns: Sequence[Pattern], *, pinned: set[int]) -> Draft:
    """Only lines that match one of the patterns, and every line that speaks of an error.

    All lines when none matches: a filter written for another version of a program must not hide its output.
    """
    if not patterns:
        return draft
    found = _any_of(patterns)
    wanted = [found(line) for line in draft.lines]
    if not any(wanted):
        return draft
    selectors = [
        ok or place in pinned or severity_of(line) is Severity.ERROR
        for ok, line, place in zip(wanted, draft.lines, draft.places, strict=True)
    ]
    return Draft(list(compress(draft.lines, selectors)), list(compress(draft.places, selectors)))


def _any_of(patterns: Sequence[Pattern]) -> Callable[[str], bool]:
    compiled = [pattern.compiled() for pattern in patterns]
    return lambda line: any(pattern.found_in(line) for pattern in compiled)


def _where(draft: Draft, stays: Callable[[str, int], bool]) -> Draft:
    return draft.only(
        n for n, (line, place) in enumerate(zip(draft.lines, draft.places, strict=True)) if stays(line, place)
    )


def dedupe_adjacent(draft: Draft, *, pinned: set[int]) -> Draft:
    """Each run of equal lines as one line with its count; empty lines run together without one."""
    lines: list[str] = []
    places: list[int] = []
    for line, run in groupby(zip(draft.lines, draft.places, strict=True), key=lambda pair: pair[0]):
        found = [place for _, place in run]
        times = len(found)
        if times > 1 and pinned and not pinned.isdisjoint(found):
            lines += [line] * times
            places += found
            continue
        marked = f"{line} ×{times}"
        worth = times > 1 and line and len(marked.encode()) < (len(line) + 1) * times
        lines += [marked] if worth else [line] * (times if line else 1)
        places += found[:1] if worth or not line else found
    return draft if len(lines) == len(draft.lines) else Draft(lines, places)


def represent(
    draft: Draft, allowance: Allowance, *, pinned: set[int], templates: Sequence[Template] | None = None
) -> Draft:
    """The lines that matter and those that stand for the rest, with how many they stand for."""
    here = {n for n, place in enumerate(draft.places) if place in pinned} if pinned else set[int]()
    choice = choose(draft.lines, allowance, pinned=here, templates=templates)
    if len(choice.kept) == len(draft.lines):
        return draft
    lines = []
    for n in choice.kept:
        line = clip(draft.lines[n]) if choice.clipped and n not in here else draft.lines[n]
        lines.append(f"{line} ×{choice.stands_for[n]}" if n in choice.stands_for and n not in here else line)
    return Draft(lines, [draft.places[n] for n in choice.kept])


def cut_lines(draft: Draft, truncate: Truncate, *, pinned: set[int]) -> Draft:
    """At most `truncate.lines` lines and what was pinned or speaks of an error, the beginning first."""
    limit = truncate.lines
    if limit is None or len(draft.lines) <= limit:
        return draft
    must = {
        n
        for n, (line, place) in enumerate(zip(draft.lines, draft.places, strict=True))
        if place in pinned or (n >= limit and severity_of(line) is Severity.ERROR)
    }
    free = max(0, limit - len([n for n in must if n >= limit]) - 1)
    kept = sorted(must | set(range(free)))
    if len(kept) + 1 >= len(draft.lines):
        return draft
    return _with_note(draft, kept, after=free)


def _with_note(draft: Draft, kept: list[int], *, after: int) -> Draft:
    shorter = draft.only(kept)
    at = sum(1 for n in kept if n < after)
    note = f"… {len(draft.lines) - len(kept)} lines"
    return Draft(
        [*shorter.lines[:at], note, *shorter.lines[at:]],
        [*shorter.places[:at], WRITTEN, *shorter.places[at:]],
    )


def count_facts(
    lines: Sequence[str], counters: Iterable[Counter], *, templates: Sequence[Template] | None = None
) -> tuple[tuple[str, int], ...]:
    """How many lines each counter matches, those that match none left out.

    With `templates`, lines that differ only in numbers and ids are looked at once.
    """
    if templates is None:
        weighed = [(line, 1) for line in lines]
    else:
        weighed = [(group.sample, len(group.members)) for template in templates for group in template.groups]
    facts = []
    for counter in counters:
        compiled = counter.pattern.compiled()
        count = sum(weight for line, weight in weighed if line and compiled.found_in(line))
        if count:
            facts.append((counter.name, count))
    return tuple(facts)
