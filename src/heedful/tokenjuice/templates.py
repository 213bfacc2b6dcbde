"""Finds the templates a log was printed from, without being told the format.

Lines whose digits have the same lengths share a shape; shapes that differ only in numbers and ids share a
pattern; patterns that differ in a few words share a template. The expensive looks are taken once a shape, not
once a line, so a log of a million lines costs little more than splitting it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import eq

from heedful.tokenjuice.signal import Severity, severity_of

_DIGITS = bytes.maketrans(b"123456789", b"000000000")
_VARIABLE = re.compile(r"(?<![a-fA-F])[a-fA-F]*0[0a-fA-F:.,_/@+T-]*")
_NUMBER = re.compile(r"\d+")
_ZEROS = re.compile(rb"0+")
_SIMILAR = 0.5
_RIVALS_LIMIT = 60
_MANY_PATTERNS = 10_000
_COLUMN_LINES = 8
_VALUES_PER_COLUMN = 3
_DIGITS_LIMIT = 18
_SHAPES_LOOKED_AT = 50


@dataclass(slots=True)
class PatternGroup:
    """Lines that differ only in numbers and ids; `members` are ascending positions."""

    sample: str
    severity: Severity
    members: list[int]
    shapes: list[tuple[bytes, list[int]]]


@dataclass(slots=True)
class Template:
    """Patterns that differ in a few words, in order of appearance."""

    words: list[str | None]
    groups: list[PatternGroup] = field(default_factory=list)

    def size(self) -> int:
        """How many lines were printed from it."""
        return sum(len(group.members) for group in self.groups)


def mine(lines: Sequence[str]) -> list[Template]:
    """Every line's template, templates in order of appearance; empty lines belong to none."""
    shapes: dict[bytes, list[int]] = {}
    shaped = "\n".join(lines).encode("utf-8", "surrogatepass").translate(_DIGITS).split(b"\n")
    for position, shape in enumerate(shaped):
        seen = shapes.get(shape)
        if seen is None:
            shapes[shape] = [position]
        else:
            seen.append(position)
    shapes.pop(b"", None)
    return _gather(_patterns(lines, shapes))


def _patterns(lines: Sequence[str], shapes: dict[bytes, list[int]]) -> dict[str, PatternGroup]:
    groups: dict[str, PatternGroup] = {}
    for shape, members in shapes.items():
        key = _VARIABLE.sub("0", shape.decode("utf-8", "surrogatepass"))
        group = groups.get(key)
        if group is None:
            line = lines[members[0]]
            groups[key] = PatternGroup(line, severity_of(line), list(members), [(shape, members)])
        else:
            group.shapes.append((shape, members))
            group.members.extend(members)
    for group in groups.values():
        if len(group.shapes) > 1:
            group.members.sort()
    return groups


def _gather(groups: dict[str, PatternGroup]) -> list[Template]:
    templates: list[Template] = []
    buckets: dict[tuple[int, str], list[Template]] = {}
    for key, group in groups.items():
        words = key.split()
        lead = next((word for word in words if "0" not in word), "")
        rivals = buckets.setdefault((len(words), lead), [])
        home = _closest(words, rivals[-_RIVALS_LIMIT:] if len(groups) < _MANY_PATTERNS else rivals[:1])
        if home is None:
            home = Template(list(words))
            templates.append(home)
            rivals.append(home)
        else:
            home.words = [a if a == b else None for a, b in zip(home.words, words, strict=True)]
        home.groups.append(group)
    return templates


def _closest(words: list[str], rivals: Sequence[Template]) -> Template | None:
    best, best_score = None, _SIMILAR * len(words)
    for rival in rivals:
        score = sum(map(eq, words, rival.words))
        if score > best_score or (score == len(words)):
            best, best_score = rival, score
    return best


def odd_numbers(lines: Sequence[str], group: PatternGroup) -> Iterator[int]:
    """Positions of lines whose numbers break the group's pattern: far more digits, or a rare value among few.

    A value at the very beginning or end of the group is no oddity: clocks and counters start and stop there.
    """
    if len(group.members) < _COLUMN_LINES:
        return
    counts = {len(_ZEROS.findall(shape)) for shape, _ in group.shapes[:_SHAPES_LOOKED_AT]}
    if len(counts) != 1 or counts == {0}:
        return
    width = counts.pop()
    numbers = _NUMBER.findall("\n".join([lines[member] for member in group.members]))
    if len(numbers) != width * len(group.members):
        return
    edges = {0, len(group.members) - 1}
    for column in range(width):
        values = numbers[column::width]
        for odd in _odd_values(values):
            at = values.index(odd)
            if at not in edges or len(odd) > 6:
                yield group.members[at]


def _odd_values(values: list[str]) -> list[str]:
    tally = Counter(values)
    if len(tally) == 1:
        return []
    if len(tally) <= max(3, len(values) // 100):
        usual = tally.most_common(1)[0][1]
        if usual < len(values) * 0.6:
            return []
        rare = max(1, len(values) // 200)
        return [value for value, count in tally.items() if count <= rare][:_VALUES_PER_COLUMN]
    widths = sorted(map(len, values))
    usual_width = widths[min(int(len(widths) * 0.97), len(widths) - 2)]
    if widths[-1] <= usual_width or widths[-1] > _DIGITS_LIMIT:
        return []
    tall = [value for value in tally if len(value) > usual_width]
    high = max((int(value) for value in tally if len(value) <= usual_width), default=0)
    return [value for value in tall if int(value) > 5 * max(high, 1)][:_VALUES_PER_COLUMN]
