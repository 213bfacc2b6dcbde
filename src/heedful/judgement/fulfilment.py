"""Whether an item is already done, by what came after its evidence in the same thread."""

from heedful.actionables import Draft, Evidence
from heedful.memory.stored import ThreadView


def fulfilled_by(draft: Draft, thread: ThreadView, *, own: frozenset[str]) -> Evidence | None:
    """The words that show an item is done: an answer of the person, a cancellation, a confirmation, a withdrawal.

    None while it is open, or when the thread does not hold the item's evidence.
    """
    return None
