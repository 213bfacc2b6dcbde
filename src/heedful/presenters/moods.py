"""How things stand, as the header and the tray show it; apart, so that the tray can be there before the rest is."""

from dataclasses import dataclass
from enum import StrEnum

from heedful.core.ids import ActionableId


class Mood(StrEnum):
    """How things stand; one tray picture and one colour each."""

    QUIET = "quiet"
    WORKING = "working"
    NEEDS_YOU = "needs you"
    PROBLEM = "problem"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One of the most urgent items, short enough for a menu."""

    id: ActionableId
    title: str


@dataclass(frozen=True, slots=True)
class FrameView:
    """`words` is the header's line, `mood` its colour and the tray's picture, `waiting` how many need a look."""

    mood: Mood
    words: str
    waiting: int = 0
    top: tuple[MenuItem, ...] = ()
    is_paused: bool = False
