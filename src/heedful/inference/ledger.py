"""The record of every model call, and the day's budget held by the same rows.

A call is written down with what it may use at most, in the transaction that checked the budget; when it ends,
the row is corrected to what it did use. So two calls at once can't both take the last of the day's allowance,
and a crash leaves a row, not a gap.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from heedful.core.clock import Clock, local_day, start_of_day
from heedful.core.settings import BudgetSettings
from heedful.inference import ledger_store
from heedful.inference.budget import Spending, budget_spent, cost_of, shortfall
from heedful.inference.exchange import Usage
from heedful.inference.ledger_store import LedgerEntry
from heedful.inference.preset import Price
from heedful.storage import Connection, Store

TEXTS_KEPT = timedelta(days=30)


class Ledger:
    """Opens, extends and closes the rows."""

    def __init__(self, store: Store, clock: Clock, budget: Callable[[], BudgetSettings]) -> None:
        self._store = store
        self._clock = clock
        self._budget = budget

    async def start(self) -> None:
        """After a start of the program: ends what a crash left open, and drops texts past their time."""
        before = self._clock.now() - TEXTS_KEPT

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            ledger_store.mark_interrupted(connection)
            ledger_store.purge_texts(connection, before)
            return None, ()

        await self._store.write(write)

    async def open(self, entry: LedgerEntry) -> None:
        """Writes the row of a coming call, whose `usage` is the most it may use.

        Raises:
            DailyBudgetSpentError: The day's allowance does not cover it; nothing was written.
        """
        before = entry.at - TEXTS_KEPT

        def write(connection: Connection) -> tuple[str | None, tuple[()]]:
            coming = Spending(entry.usage.total, entry.cost_microdollars)
            missing = self._missing(connection, entry.at, coming) if entry.counts else None
            if missing is None:
                ledger_store.purge_texts(connection, before)
                ledger_store.insert(connection, entry)
            return missing, ()

        self._raise_for(await self._store.write(write), entry.at)

    async def extend(self, entry: LedgerEntry, more: Usage, price: Price | None) -> LedgerEntry:
        """Sets more aside for one more attempt, and returns the row as it is then.

        Raises:
            DailyBudgetSpentError: The day's allowance does not cover it; the row is as it was.
        """
        usage = entry.usage + more
        extended = replace(entry, usage=usage, cost_microdollars=cost_of(usage, price))
        added = Spending(more.total, cost_of(more, price))
        now = self._clock.now()

        def write(connection: Connection) -> tuple[str | None, tuple[()]]:
            missing = self._missing(connection, now, added)
            if missing is None:
                ledger_store.update(connection, extended)
            return missing, ()

        self._raise_for(await self._store.write(write), now)
        return extended

    async def close(self, entry: LedgerEntry) -> None:
        """Corrects the row to how the call ended."""

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            ledger_store.update(connection, entry)
            return None, ()

        await self._store.write(write)

    async def spent_today(self) -> Spending:
        """What the local day's calls used or have set aside."""
        since = self._day_start(self._clock.now())
        return await self._store.read(lambda connection: ledger_store.spent_since(connection, since))

    async def share_spent_today(self) -> float:
        """How much of the local day's allowance is used or set aside, of tokens or money, whichever is more."""
        spent, budget = await self.spent_today(), self._budget()
        shares = [
            used / most if most else 0.0
            for used, most in (
                (spent.tokens, budget.daily_tokens),
                (spent.cost or 0, budget.daily_cost * 1e6),
            )
        ]
        return max(shares)

    async def entries(self, since: datetime, limit: int = 200) -> list[LedgerEntry]:
        """The calls since then, newest first."""
        return await self._store.read(lambda connection: ledger_store.entries(connection, since, limit))

    def _missing(self, connection: Connection, now: datetime, coming: Spending) -> str | None:
        spent = ledger_store.spent_since(connection, self._day_start(now))
        return shortfall(self._budget(), spent, coming)

    def _day_start(self, now: datetime) -> datetime:
        return start_of_day(local_day(now, self._clock.zone), self._clock.zone)

    def _raise_for(self, missing: str | None, now: datetime) -> None:
        if missing is not None:
            raise budget_spent(missing, now, self._clock.zone)
