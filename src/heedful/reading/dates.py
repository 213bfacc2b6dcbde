"""Dates and times of a text, resolved against the moment it was written."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.reading.languages import FALLBACK

DateKind = Literal["date", "time", "datetime", "range", "duration", "set"]


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date or time as it stands in the text.

    `begin` and `finish` (exclusive) are in the time zone of the moment asked for; a point in time has `begin` equal
    to `finish`, a day runs from local midnight to the next. Both are None where a duration or a repetition names
    no moment. `is_deadline` says that the wording makes it one («by», «until», «due»); `phrase_start` is where
    that wording begins, else `start`.
    """

    start: int
    end: int
    text: str
    kind: DateKind
    begin: datetime | None
    finish: datetime | None
    is_deadline: bool
    phrase_start: int


def find_dates(text: str, *, at: datetime, lang: str = FALLBACK) -> tuple[DateMention, ...]:
    """The dates and times in order, without overlap, relative to `at` (aware) in its own time zone.

    A weekday is the next one after `at`; a date without a year may lie up to three months back; an hour without
    morning or afternoon is read as people keep hours.
    """
    # The rules are compiled at first use: most commands never read a date.
    from heedful.reading.date_mentions import mentions

    return mentions(text, at=at, lang=lang)
