"""What a reader of a whole structure is given and gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from heedful.tokenjuice.ledger import Draft, Ledger, rewritten_draft


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
    old = Draft.of(before)
    reading.ledger.enter(name, old, rewritten_draft(old, after))
    return after
