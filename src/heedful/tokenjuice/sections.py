"""Lines grouped by what they belong to: a heading, a stack trace, a test, a directory."""

import re
from collections.abc import Callable, Iterator

from heedful.tokenjuice.ledger import WRITTEN, Draft
from heedful.tokenjuice.rule import SectionKind, Sections
from heedful.tokenjuice.signal import Severity, severity_of

_HEADING = re.compile(r"^(?:#{1,6} |={2,} |-{2,} |\S[^:]{0,60}:$)")
_FRAME = re.compile(r'^\s+(?:at |File "|from |in |#\d+ |\.{3} \d+ more)|^\s{4,}\S|^\s*#\d+ ')
_TEST = re.compile(
    r"\b(?:PASS(?:ED)?|ok|✓|✔|SKIP(?:PED)?|XFAIL|xpass)\b|^\.+(?:s+\.*)?(?:\s+\[ *\d+%\])?$|^[✓✔√]"
)


def summarise(draft: Draft, sections: Sections, *, pinned: set[int]) -> Draft:
    """Each group's first lines and a count of the rest; pinned lines and errors stay wherever they are."""
    lines: list[str] = []
    places: list[int] = []
    for members in _GROUPING[sections.by](draft):
        shown = 0
        hidden = 0
        for n in members:
            must = draft.places[n] in pinned or severity_of(draft.lines[n]) is Severity.ERROR
            if must or shown < sections.representatives:
                lines.append(draft.lines[n])
                places.append(draft.places[n])
                shown += not must
            else:
                hidden += 1
        if hidden:
            lines.append(f"… {hidden} more")
            places.append(WRITTEN)
    return Draft(lines, places) if len(lines) < len(draft.lines) else draft


def _by_heading(draft: Draft) -> Iterator[list[int]]:
    group: list[int] = []
    for n, line in enumerate(draft.lines):
        if _HEADING.match(line):
            yield group
            group = []
        group.append(n)
    yield group


def _runs_of(telling: re.Pattern[str]) -> Callable[[Draft], Iterator[list[int]]]:
    """Runs of lines that match, each a group; every other line is a group of its own."""

    def groups(draft: Draft) -> Iterator[list[int]]:
        group: list[int] = []
        for n, line in enumerate(draft.lines):
            if telling.search(line):
                group.append(n)
                continue
            yield group
            group = []
            yield [n]
        yield group

    return groups


def _by_directory(draft: Draft) -> Iterator[list[int]]:
    groups: dict[str, list[int]] = {}
    for n, line in enumerate(draft.lines):
        groups.setdefault(line.rsplit("/", 1)[0] if "/" in line else "", []).append(n)
    yield from groups.values()


_GROUPING: dict[SectionKind, Callable[[Draft], Iterator[list[int]]]] = {
    SectionKind.HEADING: _by_heading,
    SectionKind.STACK: _runs_of(_FRAME),
    SectionKind.TEST: _runs_of(_TEST),
    SectionKind.DIRECTORY: _by_directory,
    SectionKind.TEMPLATE: lambda draft: iter([list(range(len(draft.lines)))]),
}
