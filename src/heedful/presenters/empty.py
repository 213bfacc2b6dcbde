"""What an empty Today says: why it is empty, what happens next, and the one useful action."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from heedful.memory import SourceRow
from heedful.presenters.numbers import count


class UsefulAction(StrEnum):
    """The one button of an empty state."""

    ADD_SOURCE = "add a source"
    LOOK_NOW = "look now"


@dataclass(frozen=True, slots=True)
class Emptiness:
    """Two lines and a button; `button` is empty where there is nothing to do but wait."""

    headline: str
    explanation: str
    button: str = ""
    action: UsefulAction | None = None


def emptiness(sources: Sequence[SourceRow], *, has_looked: bool) -> Emptiness:
    """The words for a tab without items."""
    if not sources:
        return Emptiness(
            "Nothing to look at yet",
            "Give Heedful a mailbox, a calendar or a chat export. It stays on this computer.",
            "Add a source",
            UsefulAction.ADD_SOURCE,
        )
    messages = sum(source.messages for source in sources)
    if not has_looked:
        return Emptiness(
            "Heedful has not looked yet",
            f"{count(messages, 'message')} from {count(len(sources), 'source')} wait to be looked at.",
            "Look now",
            UsefulAction.LOOK_NOW,
        )
    return Emptiness(
        "Nothing needs you",
        f"Heedful looked at {count(messages, 'message')} from {count(len(sources), 'source')}. "
        "Something new shows up here by itself.",
        "Look again",
        UsefulAction.LOOK_NOW,
    )
