"""A piece of a text, by position."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets [start, end) into the text that the caller gave."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The piece itself."""
        return text[self.start : self.end]
