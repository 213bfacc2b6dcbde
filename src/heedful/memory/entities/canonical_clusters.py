"""Joins identities into people by the opinions on their pairs, the surest first; what a person said binds.

The result depends only on the opinions, never on the order in which they came: taking one back gives what would
have been without it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["suggested", "merged", "refused", "parted"]


@dataclass(frozen=True, slots=True)
class Tie:
    """What is held of a pair of identities, and whether the person said so."""

    first: str
    second: str
    score: float
    verdict: Verdict
    by_person: bool


def join(
    ids: Iterable[str], ties: Iterable[Tie], *, may_join: Callable[[frozenset[str], frozenset[str]], bool]
) -> Mapping[str, frozenset[str]]:
    """The group of each id; `may_join` is asked before two groups become one on no person's word.

    It is asked about what evidence alone made of them: whom else the person counts to either is no objection.
    """
    groups = {one: frozenset([one]) for one in ids}
    by_evidence = dict(groups)
    known = [tie for tie in ties if tie.first in groups and tie.second in groups]
    apart = [(tie.first, tie.second) for tie in known if tie.verdict in ("refused", "parted")]
    merging = [tie for tie in known if tie.verdict == "merged"]
    torn = _between_two(merging, apart)
    for tie in sorted(merging, key=lambda t: (not t.by_person, -t.score, t.first, t.second)):
        mine, theirs = groups[tie.first], groups[tie.second]
        if mine is theirs or _kept_apart(mine, theirs, apart):
            continue
        if not tie.by_person:
            if tie in torn or not may_join(by_evidence[tie.first], by_evidence[tie.second]):
                continue
            _make_one(by_evidence, by_evidence[tie.first] | by_evidence[tie.second])
        _make_one(groups, mine | theirs)
    return groups


def _make_one(groups: dict[str, frozenset[str]], both: frozenset[str]) -> None:
    for one in both:
        groups[one] = both


def _between_two(merging: list[Tie], apart: list[tuple[str, str]]) -> frozenset[Tie]:
    """The ties of evidence that would give one to either of two whom the person keeps apart: only they can tell."""
    drawn: dict[str, dict[str, Tie]] = {}
    for tie in merging:
        if not tie.by_person:
            drawn.setdefault(tie.first, {})[tie.second] = tie
            drawn.setdefault(tie.second, {})[tie.first] = tie
    return frozenset(
        ties[end]
        for first, second in apart
        for ties in drawn.values()
        if first in ties and second in ties
        for end in (first, second)
    )


def _kept_apart(mine: frozenset[str], theirs: frozenset[str], apart: list[tuple[str, str]]) -> bool:
    return any((a in mine and b in theirs) or (a in theirs and b in mine) for a, b in apart)
