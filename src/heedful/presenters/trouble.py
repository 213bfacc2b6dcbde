"""An error in two lines: what happened, then what it means and what to do."""

from dataclasses import dataclass

from heedful.core.errors import HeedfulError


@dataclass(frozen=True, slots=True)
class Trouble:
    """`headline` is the first line, `advice` the second; the second may be empty."""

    headline: str
    advice: str


def trouble(error: HeedfulError) -> Trouble:
    """The error's own words as two lines."""
    return Trouble(error.title, " ".join(part for part in (error.message, error.hint) if part))
