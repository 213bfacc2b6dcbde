"""A rule's match over tokens: what builders read and how they answer."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from heedful.reading.calendar_days import DAY
from heedful.reading.date_tokens import Clock, Day, Length, Moments, Token

Build = Callable[["Found"], Token | None]


@dataclass(frozen=True, slots=True)
class Found:
    """A rule's match: the tokens by group, and the local moment that dates are relative to."""

    match: re.Match[str]
    tokens: Sequence[Token]
    at: datetime

    def one(self, group: str) -> Token:
        """The first token of a group that took part."""
        return self.tokens[self.match.start(group)]

    def all(self, group: str) -> Sequence[Token]:
        """The tokens of a group; none when it took no part."""
        return self.tokens[slice(*self.match.span(group))] if self.has(group) else ()

    def has(self, group: str) -> bool:
        """Whether a group took part."""
        return group in self.match.re.groupindex and self.match.start(group) >= 0

    @property
    def today(self) -> date:
        """The local day of the moment."""
        return self.at.date()

    def makes(self, kind: str, **meaning: Clock | Day | Length | Moments) -> Token:
        """A token in place of all that was matched."""
        start, end = self.match.span()
        return replace(
            Token(kind, self.tokens[start].start, self.tokens[end - 1].end),
            **meaning,  # type: ignore[arg-type]  # the fields' names are the keywords
        )

    def day(self, begin: date, finish: date | None = None) -> Token:
        """A `D` token."""
        return self.makes("D", day=Day(begin, finish or begin + DAY))

    def moment(self, begin: datetime, finish: datetime | None = None) -> Token:
        """An `S` token."""
        return self.makes("S", moments=Moments(begin, finish or begin))
