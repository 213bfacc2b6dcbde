"""Against a real OpenAI-compatible server on loopback: HEEDFUL_TEST_MODEL_URL, and _KEY and _NAME where it needs them.

What a model finds is measured elsewhere; here it is the wire that must hold, with any model however small.
"""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from heedful.core.errors import UserCanFixError
from heedful.core.settings import BudgetSettings
from heedful.inference import (
    Outcome,
    Provider,
    StructuredAnswer,
    TooLongError,
    endpoint,
    fence,
    load_prompt,
)
from heedful.inference.abilities import Rung
from heedful.inference.exchange import ChatMessage
from heedful.inference.tokens import ceiling_of
from tests.inference.desk import MAIL, MORNING, RUN, Desk, open_desk

pytestmark = pytest.mark.real_model

LETTER = (
    "## Mail · Invoice R0009912\n[c1] Hosting, Thu 26 Nov 07:02: Your invoice R0009912 over EUR 84.20 is due today."
    " Please pay before midnight."
)


@pytest.fixture
def real(tmp_path: Path) -> Iterator[Desk]:
    url = os.environ.get("HEEDFUL_TEST_MODEL_URL")
    if not url:
        pytest.fail("set HEEDFUL_TEST_MODEL_URL to a model server on loopback")
    with open_desk(tmp_path) as desk:
        name = os.environ.get("HEEDFUL_TEST_MODEL_NAME", "local")
        desk.choose(url, model=name, budget=BudgetSettings(daily_tokens=10_000_000))
        desk.secrets.set(
            f"provider:custom@{endpoint(os.environ['HEEDFUL_TEST_MODEL_URL']).host}",
            os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none"),
        )
        yield desk


async def _look(desk: Desk, provider: Provider, text: str, *, limit: int = 160) -> StructuredAnswer:
    return await desk.inference.ask(
        "test",
        f"Now: Thursday 26 November 2026, 09:10\n{fence(text, '7f3a91c2')}",
        run_id=RUN,
        prompt=load_prompt("CONSCIOUS_LOOP.md", Path("none")),
        source_ids=(MAIL,),
        provider=provider,
        max_output_tokens=limit,
    )


async def test_a_real_server_passes_the_trial(real: Desk) -> None:
    await real.agreed()
    trial = await real.inference.try_out(real.settings.provider, run_id=RUN)
    assert trial.ok, trial.sentences
    assert trial.models


async def test_a_real_server_answers_in_the_form_asked_for_and_is_accounted_for(real: Desk) -> None:
    answer = await _look(real, await real.agreed(), LETTER)
    assert answer.abilities.rung is Rung.JSON_SCHEMA
    [row] = await real.inference.ledger.entries(MORNING)
    assert (row.outcome, row.estimated) == (Outcome.ANSWERED, False)
    assert row.usage == answer.answer.usage
    assert row.usage.input > 300


async def test_a_real_servers_count_is_below_what_was_set_aside(real: Desk) -> None:
    prompt = load_prompt("CONSCIOUS_LOOP.md", Path("none"))
    answer = await _look(real, await real.agreed(), LETTER)
    sent = (ChatMessage("system", prompt.text()), ChatMessage("user", LETTER))
    assert answer.answer.usage.input <= ceiling_of(sent)


async def test_more_than_a_real_model_can_take_is_told_apart(real: Desk) -> None:
    provider = await real.agreed()
    with pytest.raises(TooLongError):
        await _look(real, provider, "Please pay the invoice today. " * 30_000)


async def test_a_real_server_that_wants_a_key_refuses_a_wrong_one(real: Desk) -> None:
    provider = await real.agreed()
    if os.environ.get("HEEDFUL_TEST_MODEL_KEY"):
        real.secrets.set(f"provider:custom@{endpoint(os.environ['HEEDFUL_TEST_MODEL_URL']).host}", "wrong")
        with pytest.raises(UserCanFixError, match="key"):
            await _look(real, provider, LETTER)


async def test_a_cancelled_call_leaves_a_real_server_free_for_the_next(real: Desk) -> None:
    provider = await real.agreed()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await _look(real, provider, LETTER * 20)
    await _look(real, provider, LETTER)
    outcomes = {row.outcome for row in await real.inference.ledger.entries(MORNING)}
    assert outcomes == {Outcome.CANCELLED, Outcome.ANSWERED}
