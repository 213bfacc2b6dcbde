"""Takes a batch in as a whole; where that meets a bug of Heedful's, message by message, without those that meet it.

Without this one message would keep its source from ever being read further. What meets a bug is listed with what was
rejected, by the id it has in its source.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from heedful.core.supervise import one_of_many
from heedful.memory.met import Met
from heedful.sources import Incoming, Rejected
from heedful.storage import Connection

WHY = "Heedful could not keep it: a fault of its own, which its log names."

T = TypeVar("T")


def taken(
    connection: Connection, items: Sequence[Incoming], met: Met, take: Callable[[Sequence[Incoming]], T]
) -> tuple[list[T], list[Rejected]]:
    """What `take` came to, of all items at once or of one after the other; and the items that had to be left out.

    Runs inside the caller's transaction.

    Raises:
        HeedfulError: As `take` did; then nothing of the transaction may stand.
    """
    whole = _attempt(connection, items, met, take)
    if whole is not None:
        return [whole], []
    outcomes: list[T] = []
    left_out: list[Rejected] = []
    for item in items:
        one = _attempt(connection, [item], met, take)
        if one is None:
            left_out.append(Rejected(item.external_id, WHY, is_refused=True))
        else:
            outcomes.append(one)
    return outcomes, left_out


def _attempt(
    connection: Connection, items: Sequence[Incoming], met: Met, take: Callable[[Sequence[Incoming]], T]
) -> T | None:
    def work() -> T:
        with connection.savepoint("piece"):
            return take(items)

    met.settle()
    outcome = one_of_many("taking messages in", work, otherwise=None)
    if outcome is None:
        met.withdraw()
    return outcome
