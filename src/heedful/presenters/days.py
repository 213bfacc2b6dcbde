"""The person's days as groups: Today, Yesterday, This week, Older.

Days are found by calendar arithmetic in the person's zone, never by subtracting 24 hours, so a day of 23 or 25
hours puts nothing into the wrong group.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Generic, TypeVar

from heedful.core.clock import local_day, start_of_day

T = TypeVar("T")

NAMES = ("Today", "Yesterday", "This week", "Older")
_DAYS_IN_THIS_WEEK = 7


@dataclass(frozen=True, slots=True)
class Group(Generic[T]):
    """One non-empty group; its members keep the order they came in."""

    name: str
    members: tuple[T, ...]


def by_day(
    things: Sequence[T], moment: Callable[[T], datetime], *, now: datetime, zone: tzinfo
) -> tuple[Group[T], ...]:
    """The non-empty groups in order. A moment ahead of now belongs to today; «This week» is the last seven days."""
    today = local_day(now, zone)
    starts = [start_of_day(today - timedelta(days=back), zone) for back in (_DAYS_IN_THIS_WEEK - 1, 1, 0)]
    found: tuple[list[T], ...] = ([], [], [], [])
    for thing in things:
        found[3 - bisect_right(starts, moment(thing))].append(thing)
    return tuple(Group(name, tuple(members)) for name, members in zip(NAMES, found, strict=True) if members)


def joined(before: tuple[Group[T], ...], after: tuple[Group[T], ...]) -> tuple[Group[T], ...]:
    """Groups that go on in others; the last and the first are one where they have one name."""
    if before and after and before[-1].name == after[0].name:
        middle = Group(before[-1].name, before[-1].members + after[0].members)
        return (*before[:-1], middle, *after[1:])
    return before + after
