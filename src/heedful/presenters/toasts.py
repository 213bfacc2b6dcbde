"""The short word at the foot of the window: what was done, with a way back; or what could not be done."""

from dataclasses import dataclass
from typing import Literal

from heedful.core.errors import HeedfulError
from heedful.core.ids import ActionableId
from heedful.presenters.observed import Observed

TITLE_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Toast:
    """`undo` names the item whose last decision can be taken back, None where there is nothing to take back.

    `number` grows, so that the same words twice are two toasts.
    """

    number: int
    text: str
    tone: Literal["done", "failed"]
    undo: ActionableId | None = None


class Toasts:
    """The last toast; a new one replaces it."""

    def __init__(self) -> None:
        self.last: Observed[Toast | None] = Observed(None)
        self._number = 0

    def say(self, text: str, *, undo: ActionableId | None = None) -> None:
        """Tells what was done."""
        self._post(text, "done", undo)

    def fail(self, error: HeedfulError) -> None:
        """Tells what could not be done, in the error's own words."""
        self._post(error.sentence(), "failed", None)

    def fail_with(self, text: str) -> None:
        """Tells what could not be done, in these words."""
        self._post(text, "failed", None)

    def _post(self, text: str, tone: Literal["done", "failed"], undo: ActionableId | None) -> None:
        self._number += 1
        self.last.replace(Toast(self._number, text, tone, undo))


def quoted(title: str) -> str:
    """A title short enough for a toast, in quotation marks."""
    short = title if len(title) <= TITLE_LENGTH else title[: TITLE_LENGTH - 1].rstrip() + "…"
    return f"“{short}”"
