"""What stands for what can't be read, so that the rest is: a message that meets a bug of Heedful's, a folder."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from heedful.core.supervise import one_of_many
from heedful.sources.batching import Step
from heedful.sources.files import UnreadFolder, relative_name
from heedful.sources.holdings import Stocktaking
from heedful.sources.items import Rejected, folder_place

WHY = "Heedful could not read it: a fault of its own, which its log names."

T = TypeVar("T")


def or_rejected(place: str, read: Callable[[], T]) -> T | Rejected:
    """What `read` gives of this place; what was read there before may well still be there."""
    return one_of_many("reading a message", read, otherwise=Rejected(place, WHY, is_refused=True))


def unread_folders(
    unread: Iterable[UnreadFolder],
    within: Path,
    stock: Stocktaking,
    *,
    holds: Callable[[str], str] = lambda place: place,
) -> Iterator[Step]:
    """Tells which folders could not be read, and lets all that was read in them stand; before anything is taken.

    `holds` gives from a folder's place what the names of the things in it begin with.
    """
    for folder, why in unread:
        place = folder_place(relative_name(folder, within))
        stock.leave_below(holds(place))
        stock.refuse(place)
        yield Rejected(place, why, is_refused=True), 0
