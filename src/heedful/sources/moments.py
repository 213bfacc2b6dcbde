"""Which moments a thing can be dated by: near the ends of the calendar they can't be told in every zone."""

from datetime import date

FIRST_YEAR, LAST_YEAR = 2, 9989


def can_be_told(moment: date) -> bool:
    """Whether a day or moment is one in every time zone, and some days on either side of it too."""
    return FIRST_YEAR <= moment.year <= LAST_YEAR
