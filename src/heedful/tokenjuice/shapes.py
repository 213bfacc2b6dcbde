"""What a reader of a whole structure is given and gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heedful.tokenjuice.ledger import WRITTEN, Draft, Ledger


@dataclass(frozen=True, slots=True)
class Reading:
    """A text to be rewritten: what was pinned in it, what share of it may stay, and the account to write into."""

    text: str
    pinned: Sequence[str] = ()
    share: float = 0.18
    ledger: Ledger = field(default_factory=Ledger)


Reshape = Callable[[Reading], str]


def rewritten(reading: Reading, name: str, before: str, after: str) -> str:
    """Enters one rewriting step into the account by the lines it lost and wrote; gives `after` back."""
    old, new = Draft.of(before), Draft.of(after).lines
    where: dict[str, list[int]] = {}
    for place in range(len(old.lines) - 1, -1, -1):
        where.setdefault(old.lines[place], []).append(place)
    places = []
    for line in new:
        known = where.get(line)
        places.append(known.pop() if known else WRITTEN)
    reading.ledger.enter(name, old, Draft(new, places))
    return after
