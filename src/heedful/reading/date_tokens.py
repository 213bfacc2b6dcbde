"""What date rules read and write: pieces of a text with a one-letter kind and a meaning."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day; `sure` says that morning and evening can't be confused. Hour 24 is the midnight that follows."""

    hour: int
    minute: int = 0
    second: int = 0
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Day:
    """Local days from `begin` to `finish` (exclusive)."""

    begin: date
    finish: date


@dataclass(frozen=True, slots=True)
class Moments:
    """Local wall time from `begin` to `finish`, without zone; both the same for a point in time."""

    begin: datetime
    finish: datetime


@dataclass(frozen=True, slots=True)
class Length:
    """How long something lasts; months have no fixed number of days, so they stand apart."""

    months: int = 0
    days: int = 0
    seconds: int = 0

    def __add__(self, other: "Length") -> "Length":
        return Length(self.months + other.months, self.days + other.days, self.seconds + other.seconds)

    def times(self, count: int) -> "Length":
        """So many of them in a row; negative goes back."""
        return Length(self.months * count, self.days * count, self.seconds * count)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text and what it means; `value` is as the language file has it, `number` where it is one."""

    kind: str
    start: int
    end: int
    number: int = 0
    value: str = ""
    clock: Clock | None = None
    day: Day | None = None
    moments: Moments | None = None
    length: Length | None = None
