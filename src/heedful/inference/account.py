"""One call's row in the ledger while it runs: opened before the first byte, closed however it ends."""

import asyncio
from dataclasses import replace
from types import TracebackType

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError
from heedful.inference.budget import cost_of
from heedful.inference.chat import Trail
from heedful.inference.exchange import Usage
from heedful.inference.ledger import Ledger
from heedful.inference.ledger_store import LedgerEntry, Outcome
from heedful.inference.loose_json import UnreadableError
from heedful.inference.preset import Price


class Account:
    """An `async with` block around a call; entering gives the trail that the call leaves.

    What may be billed is set aside: once on entry, and once more before each attempt that follows one without an
    answer. Leaving writes what was used; an attempt that nobody answered counts in full.
    """

    def __init__(
        self, ledger: Ledger, entry: LedgerEntry, *, most: Usage, price: Price | None, clock: Clock
    ) -> None:
        self._ledger = ledger
        self._entry = entry
        self._most = most
        self._price = price
        self._clock = clock
        self._began = clock.monotonic()
        self._covered = 1
        self._trail = Trail(before_attempt=self._cover)

    async def __aenter__(self) -> Trail:
        """Writes the row.

        Raises:
            DailyBudgetSpentError: The day's allowance does not cover the call; there is no row then.
        """
        try:
            await self._ledger.open(self._entry)
        except (
            asyncio.CancelledError
        ) as exc:  # the write goes on without us, and nobody would ever close its row
            await self._ledger.close(self._ended(exc))
            raise
        return self._trail

    async def __aexit__(
        self, _kind: type[BaseException] | None, exc: BaseException | None, _trace: TracebackType | None
    ) -> None:
        await self._ledger.close(self._ended(exc))

    async def _cover(self, trail: Trail) -> None:
        while self._covered <= trail.unanswered:
            self._entry = await self._ledger.extend(self._entry, self._most, self._price)
            self._covered += 1

    def _ended(self, exc: BaseException | None) -> LedgerEntry:
        trail = self._trail
        usage = trail.usage
        for _ in range(trail.unanswered):
            usage += self._most
        return replace(
            self._entry,
            usage=usage,
            estimated=trail.estimated or trail.unanswered > 0,
            cost_microdollars=cost_of(usage, self._price),
            duration_ms=round((self._clock.monotonic() - self._began) * 1000),
            attempts=trail.attempts,
            outcome=_outcome(exc),
            error=_error(exc),
            model=trail.model or self._entry.model,
            response=trail.raw or None,
        )


def _outcome(exc: BaseException | None) -> Outcome:
    if exc is None:
        return Outcome.ANSWERED
    if isinstance(exc, asyncio.CancelledError):
        return Outcome.CANCELLED
    return Outcome.UNREADABLE if isinstance(exc, UnreadableError) else Outcome.FAILED


def _error(exc: BaseException | None) -> str | None:
    if exc is None or isinstance(exc, asyncio.CancelledError):
        return None
    return exc.title if isinstance(exc, HeedfulError) else type(exc).__name__
