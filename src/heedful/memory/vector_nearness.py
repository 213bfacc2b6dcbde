"""How near in meaning a passage is to a question."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of one passage: of its nearest part, all parts' mean, and, for a turn, what came after with it."""

    part: float = 0.0
    mean: float = 0.0
    after: float = 0.0
