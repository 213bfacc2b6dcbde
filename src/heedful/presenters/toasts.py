"""The short word at the foot of the window: what was done, with a way back; or what could not be done."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Literal

from heedful.core.errors import HeedfulError
from heedful.core.ids import ActionableId
from heedful.presenters.observed import Observed

TITLE_LENGTH = 40

TakeBack = Callable[[], Coroutine[Any, Any, None]]
"""Undoes something. Raises a HeedfulError when it can't be undone."""


@dataclass(frozen=True, slots=True)
class Toast:
    """`undo` names the item whose last decision can be taken back; `take_back` takes back what was no decision.

    At most one of them is there. `number` grows, so that the same words twice are two toasts.
    """

    number: int
    text: str
    tone: Literal["done", "failed"]
    undo: ActionableId | None = None
    take_back: TakeBack | None = None

    @property
    def has_way_back(self) -> bool:
        """Whether what it tells of can be undone."""
        return self.undo is not None or self.take_back is not None


class Toasts:
    """The last toast; a new one replaces it."""

    def __init__(self) -> None:
        self.last: Observed[Toast | None] = Observed(None)
        self._number = 0

    def say(self, text: str, *, undo: ActionableId | None = None, take_back: TakeBack | None = None) -> None:
        """Tells what was done."""
        self._post(text, "done", undo, take_back)

    def fail(self, error: HeedfulError) -> None:
        """Tells what could not be done, in the error's own words."""
        self._post(error.sentence(), "failed")

    def fail_with(self, text: str) -> None:
        """Tells what could not be done, in these words."""
        self._post(text, "failed")

    def _post(
        self,
        text: str,
        tone: Literal["done", "failed"],
        undo: ActionableId | None = None,
        take_back: TakeBack | None = None,
    ) -> None:
        self._number += 1
        self.last.replace(Toast(self._number, text, tone, undo, take_back))


def quoted(title: str) -> str:
    """A title short enough for a toast, in quotation marks."""
    short = title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1].rstrip() + "…"
    return f"“{short}”"
