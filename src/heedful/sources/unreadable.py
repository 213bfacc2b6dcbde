"""What stands for a message that a bug of Heedful's keeps from being read: a rejected one, so that the rest is read."""

from collections.abc import Callable
from typing import TypeVar

from heedful.core.supervise import one_of_many
from heedful.sources.items import Rejected

WHY = "Heedful could not read it: a fault of its own, which its log names."

T = TypeVar("T")


def or_rejected(place: str, read: Callable[[], T]) -> T | Rejected:
    """What `read` gives of this place; what was read there before may well still be there."""
    return one_of_many("reading a message", read, otherwise=Rejected(place, WHY, is_refused=True))
