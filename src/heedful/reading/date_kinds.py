"""What a date or time in a text is told as."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

DateKind = Literal["date", "time", "datetime", "range", "duration", "set"]


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date or time as it stands in the text.

    `begin` and `finish` (exclusive) are in the time zone of the moment asked for; a point in time has `begin` equal
    to `finish`, a day runs from local midnight to the next. Both are None where a duration or a repetition names
    no moment. `is_deadline` says that the wording makes it one («by», «until», «due»); `phrase_start` is where
    that wording begins, else `start`. `is_weekly` says that it comes back each week and nothing tells which one is
    meant («on Friday», «at the weekend»); the coming one is given.
    """

    start: int
    end: int
    text: str
    kind: DateKind
    begin: datetime | None
    finish: datetime | None
    is_deadline: bool
    phrase_start: int
    is_weekly: bool = False
