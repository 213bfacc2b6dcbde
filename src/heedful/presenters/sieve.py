"""Which items hold the words that a person typed: in title, description, quotes, people, source or priority.

Case and accents do not matter, and every word must be there, whole or in part. Ten thousand items are read through
once; after that a letter more costs a few milliseconds.
"""

import unicodedata
from collections.abc import Sequence

from heedful.actionables import Actionable
from heedful.core.ids import ActionableId


class Sieve:
    """Keeps what it read of each item; an item that changed is read anew."""

    def __init__(self) -> None:
        self._known: dict[ActionableId, tuple[Actionable, str]] = {}

    def learn(self, items: Sequence[Actionable]) -> None:
        """Reads the items, and forgets all others; fit for a thread."""
        self._known = {item.id: (item, self._told(item)) for item in items}

    def sift(self, items: Sequence[Actionable], typed: str) -> tuple[Actionable, ...]:
        """The items that hold every word, in their order."""
        words = folded(typed).split()
        return tuple(item for item in items if all(word in self._told(item) for word in words))

    def _told(self, item: Actionable) -> str:
        known = self._known.get(item.id)
        return known[1] if known is not None and known[0] is item else _text_of(item)


def folded(text: str) -> str:
    """A text without case and accents."""
    if text.isascii():
        return text.casefold()
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _text_of(item: Actionable) -> str:
    draft = item.draft
    return folded(
        "\n".join(
            (
                draft.title,
                draft.description,
                draft.source_label,
                draft.priority.value,
                *draft.people,
                *(evidence.quote for evidence in draft.evidence),
            )
        )
    )
