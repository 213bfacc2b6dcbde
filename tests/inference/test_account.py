import asyncio
import threading

from heedful.inference import Outcome, Usage
from heedful.inference.account import Account
from heedful.inference.ledger_store import LedgerEntry
from heedful.storage import Connection
from tests.inference.desk import MAIL, MORNING, RUN, Desk

MOST = Usage(100, 0, 50)
ENTRY = LedgerEntry(
    "call-1", RUN, MORNING, "test", "custom", "127.0.0.1", "small", "looking@3", (MAIL,), MOST, True, None, 0, 0,
    Outcome.RUNNING, None, "[]", None,
)  # fmt: skip


def _account(desk: Desk) -> Account:
    return Account(desk.inference.ledger, ENTRY, most=MOST, price=None, clock=desk.clock)


async def test_a_call_cancelled_while_its_row_is_being_written_sets_nothing_aside(desk: Desk) -> None:
    let_go = threading.Event()

    def hold_the_lane(_: Connection) -> tuple[None, tuple[()]]:
        let_go.wait(5)
        return None, ()

    async def call() -> None:
        async with _account(desk):
            raise AssertionError("the call was cancelled before it began")

    async with asyncio.TaskGroup() as group:
        group.create_task(desk.store.write(hold_the_lane))
        calling = group.create_task(call())
        await asyncio.sleep(0)
        calling.cancel()
        await asyncio.sleep(0)
        let_go.set()
    [row] = await desk.inference.ledger.entries(MORNING)
    assert (row.outcome, row.usage) == (Outcome.CANCELLED, Usage())


async def test_what_an_attempt_used_replaces_what_was_set_aside(desk: Desk) -> None:
    async with _account(desk) as trail:
        assert (await desk.inference.ledger.spent_today()).tokens == MOST.total
        trail.attempts, trail.usage = 1, Usage(60, 20, 5)
    [row] = await desk.inference.ledger.entries(MORNING)
    assert (row.outcome, row.usage) == (Outcome.ANSWERED, Usage(60, 20, 5))
    assert (await desk.inference.ledger.spent_today()).tokens == 65
