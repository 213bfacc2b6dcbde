"""Dates and times of a text, resolved against the moment it was written."""

from datetime import datetime

from heedful.reading.date_kinds import DateMention
from heedful.reading.languages import FALLBACK


def find_dates(text: str, *, at: datetime, lang: str = FALLBACK) -> tuple[DateMention, ...]:
    """The dates and times in order, without overlap, relative to `at` (aware) in its own time zone.

    A weekday is the next one after `at`; a date without a year may lie up to three months back; an hour without
    morning or afternoon is read as people keep hours.
    """
    # The rules are compiled at first use: most commands never read a date.
    from heedful.reading.date_mentions import mentions

    return mentions(text, at=at, lang=lang)
