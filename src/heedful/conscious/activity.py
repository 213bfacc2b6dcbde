"""What Heedful did and why: the looks, the day's sum, and the answer to «why?» about an item or a message."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.actionables import Actionable, actionables_store
from heedful.conscious import activity_store
from heedful.conscious.activity_store import TickRow
from heedful.core.clock import Clock, local_day, start_of_day, to_millis
from heedful.core.errors import RejectedError
from heedful.core.ids import ActionableId, MessageId
from heedful.judgement import explain_item, explain_silence
from heedful.memory import StoredMessage, search
from heedful.memory.messages import messages_store
from heedful.storage import Connection, Store


@dataclass(frozen=True, slots=True)
class DaySummary:
    """What today's looks came to, in the person's local day; cost in US dollars."""

    looks: int
    model_calls: int
    tokens: int
    cost_dollars: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an item is there, or why a message stayed silent. `subject` names it in a few words."""

    id: str
    verdict: Literal["item", "done", "silent", "not judged yet"]
    subject: str
    reasons: tuple[str, ...]


class Activity:
    """Reads the record; writes nothing."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def ticks(self, *, limit: int = 100, before: datetime | None = None) -> tuple[TickRow, ...]:
        """Looks, newest first."""
        return await self._store.read(lambda c: activity_store.ticks(c, limit=limit, before=before))

    async def today(self) -> DaySummary:
        """What today's looks came to."""
        now = self._clock.now()
        since = start_of_day(local_day(now, self._clock.zone), self._clock.zone)

        def read(connection: Connection) -> DaySummary:
            count = activity_store.count_since(connection, since)
            micros = connection.value(
                "SELECT sum(cost_microdollars) FROM ledger WHERE at >= ?", (to_millis(since),)
            )
            return DaySummary(count.looks, count.model_calls, count.tokens, int(micros or 0) / 1e6)

        return await self._store.read(read)

    async def why(self, asked: str) -> Explanation:
        """The reasons about an item id, a message id, or the message that best fits some words.

        Raises:
            RejectedError: Nothing fits.
        """
        return await self._store.read(lambda connection: _why(connection, asked.strip()))


def _why(connection: Connection, asked: str) -> Explanation:
    item = actionables_store.item(connection, ActionableId(asked))
    if item is not None:
        return _of_item(item)
    message = messages_store.message(connection, MessageId(asked))
    if message is None:
        hits = search(connection, asked, limit=1)
        message = messages_store.message(connection, hits[0].message_id) if hits else None
    if message is None:
        raise RejectedError(
            "Nothing fits that", "", "Give an item's or message's id, or words from the message."
        )
    return _of_message(connection, message)


def _of_item(item: Actionable) -> Explanation:
    return Explanation(item.id, "item", item.draft.title, explain_item(item.draft))


def _of_message(connection: Connection, message: StoredMessage) -> Explanation:
    subject = message.subject or " ".join(message.text.split())[:80]
    items = actionables_store.of_messages(connection, [message.id])
    if items:
        reasons = tuple(reason for item in items for reason in explain_item(item.draft))
        return Explanation(message.id, "item", subject, reasons)
    judged = activity_store.verdict_of(connection, message.id)
    if judged is None:
        return Explanation(message.id, "not judged yet", subject, ("No look has met this message yet.",))
    verdict, reasons = judged
    return Explanation(
        message.id, "done" if verdict == "done" else "silent", subject, explain_silence(reasons)
    )
