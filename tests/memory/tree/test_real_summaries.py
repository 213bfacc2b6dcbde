"""Summaries by a real model on loopback: HEEDFUL_TEST_MODEL_URL, and _KEY and _NAME where it needs them.

How much a model keeps is measured by `tests.benchmarks.summaries`; here it must hold, with any model however small,
that what was extractive is offered to it, that nothing it invents is kept, and that the ledger tells of each call.
"""

import os
from datetime import timedelta

import pytest

from heedful.core.settings import BudgetSettings, Settings
from heedful.inference import Outcome, endpoint
from heedful.inference.chat import Limits
from heedful.memory.queue.asking import enqueue
from heedful.memory.tree import tree_store
from heedful.memory.tree.by_model import given
from heedful.memory.tree.grounding import Ground, unheard
from heedful.memory.tree.summaries import material
from heedful.storage import Store
from tests.fakes.clock import FakeClock
from tests.inference.desk import Desk
from tests.memory.grove import settle, shape
from tests.memory.incoming import ANA, RUI, A, do, letter, rows, take
from tests.memory.workshop import failures

pytestmark = pytest.mark.real_model

TALKS = {
    "boiler": (
        "The new boiler costs 2480 euros with fitting. Shall I order it?",
        "Yes please, but it must be fitted before 20 December, for the guests come then.",
    ),
    "Reise": (
        "Der Zug nach Freiburg fährt am 12. Januar um 7:40 ab, Wagen 14.",
        "Gut, ich zahle die 89 Euro und bringe den Schlüssel mit.",
    ),
    "festa": (
        "A festa da Clara fica para o dia 9 de janeiro, com 30 convidados.",
        "Combinado. O bolo custa 120 reais e eu pago metade.",
    ),
}


@pytest.fixture
async def desk(store: Store, clock: FakeClock) -> Desk:
    url = os.environ.get("HEEDFUL_TEST_MODEL_URL")
    if not url:
        pytest.fail("set HEEDFUL_TEST_MODEL_URL to a model server on loopback")
    made = Desk(store, clock, Settings(), limits=Limits(total_s=900.0, attempt_s=900.0))
    name = os.environ.get("HEEDFUL_TEST_MODEL_NAME", "local")
    made.choose(url, model=name, budget=BudgetSettings(daily_tokens=10_000_000))
    made.secrets.set(
        f"provider:custom@{endpoint(url).host}", os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none")
    )
    await made.agreed()
    return made


async def test_what_was_extractive_is_written_anew_by_a_real_model_that_invents_nothing(
    store: Store, clock: FakeClock, desk: Desk
) -> None:
    for place, (thread, said) in enumerate(TALKS.items()):
        turns = (
            letter(10 * place + n, text, author=(ANA, RUI)[n], thread_key=thread, channel="telegram")
            for n, text in enumerate(said)
        )
        await take(store, A, *turns, now=clock.now())
    await settle(store, clock)
    assert await rows(store, "SELECT DISTINCT method FROM nodes WHERE scope = 'thread'") == [("extractive",)]
    clock.advance(timedelta(days=2))
    now = clock.now()
    await do(store, lambda connection: enqueue(connection, "summarise", "all", now=now))
    await settle(store, clock, "summarise", "rewrite", inference=desk.inference)

    told = await rows(store, "SELECT method, prompt FROM nodes WHERE scope = 'thread'")
    assert all(str(prompt).startswith("summarise@") for _, prompt in told)
    assert "model" in {method for method, _ in told}
    for (node_id,) in await rows(store, "SELECT id FROM nodes WHERE method = 'model'"):
        found = await store.read(lambda connection, i=node_id: tree_store.node(connection, i))  # type: ignore[misc] # the loop's own row
        assert found is not None
        made_of = await store.read(lambda connection, n=found: material(connection, n))  # type: ignore[misc] # the loop's own node
        ground = Ground.of(given(made_of, None))
        assert unheard(found.text, ground, lang=made_of.lang, at=made_of.days[-1]) == frozenset()
    entries = await desk.inference.ledger.entries(clock.now() - timedelta(days=1))
    assert {entry.outcome for entry in entries} <= {Outcome.ANSWERED, Outcome.UNREADABLE}
    assert len(entries) >= len(TALKS)
    assert await failures(store) == []
    assert (await store.read(shape)).faults == ()
