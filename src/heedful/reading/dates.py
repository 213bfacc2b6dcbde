"""Dates and times of a text, resolved against the moment it was written."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

DateKind = Literal["date", "time", "datetime", "range", "duration", "set"]


@dataclass(frozen=True, slots=True)
class DateMention:
    """One date or time as it stands in the text.

    `begin` and `finish` (exclusive) are in the time zone of the moment asked for; a moment has `begin` equal to
    `finish`, a day runs from local midnight to the next. Both are None where a duration or a repetition names no
    moment. `is_deadline` says that the wording makes it one («by», «until», «due»).
    """

    start: int
    end: int
    text: str
    kind: DateKind
    begin: datetime | None
    finish: datetime | None
    is_deadline: bool = False


_SIMPLE = re.compile(r"\b(?:(?P<iso>\d{4}-\d\d-\d\d)|(?P<word>today|tomorrow|yesterday))\b", re.IGNORECASE)


def find_dates(text: str, *, at: datetime, lang: str = "en") -> tuple[DateMention, ...]:
    """The dates and times in order, without overlap, relative to `at` (aware) in its own time zone."""
    midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
    found = []
    for match in _SIMPLE.finditer(text):
        shift = {"today": 0, "tomorrow": 1, "yesterday": -1}.get((match["word"] or "").lower())
        if shift is not None:
            begin = midnight + timedelta(days=shift)
        else:
            try:
                begin = datetime.fromisoformat(match.group()).replace(tzinfo=at.tzinfo)
            except ValueError:
                continue
        finish = begin + timedelta(days=1)
        found.append(DateMention(match.start(), match.end(), match.group(), "date", begin, finish))
    return tuple(found)
