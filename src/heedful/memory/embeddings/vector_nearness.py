"""How near in meaning a passage is to a question."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of one passage: of its nearest part, all parts' mean, and, for a turn, what came after with it."""

    part: float = 0.0
    mean: float = 0.0
    after: float = 0.0


UNKNOWN = Nearness()
"""Of a passage that has no vector."""


class Compared(NamedTuple):
    """One vector beside a question: the chunk it is of, the last chunk of the turn before in it, and their cosine."""

    chunk: int
    before: int | None
    cosine: float
