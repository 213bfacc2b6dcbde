"""The day's allowance: what a coming call may use, judged before it is made."""

import math
from dataclasses import dataclass
from datetime import datetime, tzinfo

from heedful.core.clock import start_of_next_day
from heedful.core.errors import BudgetSpentError
from heedful.core.settings import BudgetSettings
from heedful.inference.exchange import Usage
from heedful.inference.preset import Price


class DailyBudgetSpentError(BudgetSpentError):
    """The local day's allowance does not cover another call; `renews_at` is the next midnight, in UTC."""

    def __init__(self, title: str, message: str, hint: str, *, renews_at: datetime) -> None:
        super().__init__(title, message, hint)
        self.renews_at = renews_at


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens and microdollars. `cost` None is unknown, and counts for nothing against the day's money."""

    tokens: int
    cost: int | None


def cost_of(usage: Usage, price: Price | None) -> int | None:
    """What a call costs, in microdollars, rounded up; None where the price is unknown."""
    if price is None:
        return None
    fresh = usage.input - usage.cached
    return math.ceil(fresh * price.input + usage.cached * price.cached_input + usage.output * price.output)


def shortfall(budget: BudgetSettings, spent: Spending, coming: Spending) -> str | None:
    """What is missing for the coming call, in a sentence; None where the allowance covers it."""
    if spent.tokens + coming.tokens > budget.daily_tokens:
        return (
            f"{spent.tokens:,} of {budget.daily_tokens:,} tokens are used or set aside,"
            f" and the next call may need {coming.tokens:,}."
        )
    limit = round(budget.daily_cost * 1_000_000)
    if coming.cost is not None and (spent.cost or 0) + coming.cost > limit:
        return (
            f"${(spent.cost or 0) / 1e6:.4f} of ${budget.daily_cost:.2f} are used or set aside,"
            f" and the next call may cost ${coming.cost / 1e6:.4f}."
        )
    return None


def budget_spent(missing: str, now: datetime, zone: tzinfo) -> DailyBudgetSpentError:
    """The error for a shortfall, with when it passes."""
    renews_at = start_of_next_day(now, zone)
    local = renews_at.astimezone(zone)
    return DailyBudgetSpentError(
        "Today's allowance for model calls is used up",
        missing,
        f"It renews on {local:%Y-%m-%d} at {local:%H:%M}. You can raise it in Settings.",
        renews_at=renews_at,
    )
