"""Chooses the lines that stay when not all can: what matters first, then what represents most of the rest.

Order of claims: what the caller pinned; errors that stand out; numbers that break their pattern; templates and
variants seen once or twice; warnings; one representative of each template; the beginning and the end. The first
two are kept whatever they cost, the rest while an allowance of characters lasts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from heedful.tokenjuice.rule import Window
from heedful.tokenjuice.signal import Severity
from heedful.tokenjuice.templates import PatternGroup, Template, mine, odd_numbers

RARE = 2
_FEW_VARIANTS = 4
_FEW_ERRORS = 10
_FEW_LINES = 60
_VARIANTS_SHARE = 0.6


CLIP_CHARS = 160
_CLIP_HEAD, _CLIP_TAIL = 100, 58


class Claim(IntEnum):
    """Why a line should stay; smaller is stronger."""

    PINNED = 0
    ERROR = 1
    ODD = 2
    RARE = 3
    WARNING = 4
    END = 5
    REPRESENTATIVE = 6
    CONTEXT = 7
    VARIANT = 8


@dataclass(frozen=True, slots=True)
class Allowance:
    """What may stay beyond what must: a share of the input's characters, and the lines at both ends."""

    share: float
    window: Window
    least_chars: int = 1200


@dataclass(frozen=True, slots=True)
class Choice:
    """The positions that stay, ascending, and how many lines each of them stands for where more than itself.

    `clipped` is true where they fit only with their middle taken out.
    """

    kept: list[int]
    stands_for: dict[int, int]
    clipped: bool = False


def choose(
    lines: Sequence[str],
    allowance: Allowance,
    *,
    pinned: set[int],
    templates: Sequence[Template] | None = None,
) -> Choice:
    """The lines to keep; all of them when both ends together are the whole text.

    `templates` are those of the lines, where the caller has mined them already.
    """
    total = sum(map(len, lines)) + len(lines)
    ends = allowance.window.head + allowance.window.tail
    if len(lines) <= ends or (total <= allowance.least_chars and len(lines) <= _FEW_LINES):
        return Choice(list(range(len(lines))), {})
    templates = mine(lines) if templates is None else templates
    claims = _claims(lines, templates, allowance.window, pinned)
    allowed = max(allowance.least_chars, int(total * allowance.share))
    kept = _spend(lines, claims, allowed)
    clipped = sum(len(lines[n]) + 1 for n in kept) > allowed
    return Choice(sorted(kept), _stand_ins(templates, kept), clipped)


def clip(line: str) -> str:
    """The line without its middle, if it is a long one."""
    return line if len(line) <= CLIP_CHARS else f"{line[:_CLIP_HEAD]} … {line[len(line) - _CLIP_TAIL :]}"


def _claims(
    lines: Sequence[str], templates: Sequence[Template], window: Window, pinned: set[int]
) -> list[tuple[Claim, int, int]]:
    """Claims as (claim, how common or how late a variant, position); sorted, they give the order of service."""
    claims = [(Claim.PINNED, 0, position) for position in pinned]
    context = [(Claim.CONTEXT, 0, near) for position in pinned for near in (position - 1, position + 1)]
    telling = _rarity_tells(templates, len(lines))
    for template in templates:
        size = template.size()
        few = len(template.groups) <= max(_FEW_VARIANTS, size // 50)
        loud = sum(len(group.members) for group in template.groups if group.severity is Severity.ERROR)
        for order, group in enumerate(template.groups):
            odd_voice = group.severity is Severity.ERROR and loud <= max(RARE, size // 10)
            alone = size <= RARE or (
                (few or odd_voice) and len(group.members) <= RARE and len(template.groups) > 1
            )
            for claim, position in _group_claims(group, order, alone=alone, telling=telling, common=size):
                claims.append((claim, order if claim is Claim.VARIANT else size, position))
                if claim is Claim.ERROR and alone:
                    context += [(Claim.CONTEXT, size, position - 1), (Claim.CONTEXT, size, position + 1)]
            if len(template.groups) < len(lines) // 4:
                claims += [(Claim.ODD, size, position) for position in odd_numbers(lines, group)]
    claims += [(Claim.END, n, n) for n in range(min(window.head, len(lines)))]
    claims += [(Claim.END, n, len(lines) - 1 - n) for n in range(min(window.tail, len(lines)))]
    claims += [claim for claim in context if 0 <= claim[2] < len(lines)]
    return claims


def _rarity_tells(templates: Sequence[Template], line_count: int) -> bool:
    """Whether being rare means anything: not where nearly every line is its own template, as in prose."""
    rare = sum(size for template in templates if (size := template.size()) <= RARE)
    return rare <= 0.4 * line_count


def _group_claims(
    group: PatternGroup, order: int, *, alone: bool, telling: bool, common: int
) -> Iterable[tuple[Claim, int]]:
    first, last = group.members[0], group.members[-1]
    if group.severity is Severity.ERROR:
        yield (Claim.ERROR if alone or (order < 2 and common <= _FEW_ERRORS) else Claim.WARNING), first
        if len(group.members) > 1 and order == 0:
            yield (Claim.ERROR if len(group.members) <= RARE else Claim.WARNING), last
    elif alone and telling:
        for member in group.members:
            yield Claim.RARE, member
    elif group.severity is Severity.WARNING:
        yield (Claim.WARNING if order < 2 else Claim.VARIANT), first
    else:
        yield (Claim.REPRESENTATIVE if order == 0 else Claim.VARIANT), first


def _spend(lines: Sequence[str], claims: list[tuple[Claim, int, int]], allowance_chars: int) -> set[int]:
    kept: set[int] = set()
    spent = 0
    for claim, _, position in sorted(claims):
        if position in kept:
            continue
        cost = min(len(lines[position]), CLIP_CHARS) + 1
        room = allowance_chars * _VARIANTS_SHARE if claim is Claim.VARIANT else allowance_chars
        if claim > Claim.ERROR and spent + cost > room:
            continue
        kept.add(position)
        spent += cost
    return kept


def _stand_ins(templates: Sequence[Template], kept: set[int]) -> dict[int, int]:
    """For each template with lines cut, its first kept line and the number of lines it stands for."""
    counts = {}
    for template in templates:
        size = template.size()
        if size == 1:
            continue
        shown = [member for group in template.groups for member in group.members if member in kept]
        if shown and len(shown) < size:
            counts[min(shown)] = size - len(shown) + 1
    return counts
