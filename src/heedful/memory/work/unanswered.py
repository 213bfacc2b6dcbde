"""A model that gives no answer: whether what it was asked is to blame, or it needs time."""

from heedful.core.errors import PassingError
from heedful.memory.work.kind import PausedError

GAVE_WAY_FOR_S = 30.0
UNANSWERED_IN_A_ROW = 2
"""So many questions without an answer, one after the other, are the model's doing."""


def give_time(error: PassingError) -> None:
    """Puts the work off unless it may be this question alone that got no answer.

    Raises:
        PassingError: The model needs time, as it says itself or because it can't be reached.
    """
    from heedful.inference import GaveWayError, UnreachableError  # brings the network's libraries

    if isinstance(error, GaveWayError):
        raise PausedError(error.title, retry_after_s=GAVE_WAY_FOR_S) from error
    if isinstance(error, UnreachableError) or error.retry_after_s is not None:
        raise error
