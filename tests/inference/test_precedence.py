"""Who asks first at a model that answers one at a time: the person's calls, and what nobody waits for gives way."""

import asyncio
from datetime import timedelta

import pytest

from heedful.inference import GaveWayError, Outcome, Provider, StructuredAnswer
from heedful.inference.precedence import Precedence
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import HANGS, ModelServer, items
from tests.inference.desk import MAIL, PROMPT, RUN, Desk, provider_at

HERE, LAN, AWAY = (
    provider_at(url) for url in ("http://127.0.0.1:9/v1", "http://192.168.1.7:9/v1", "https://models.example/v1")
)  # fmt: skip


async def in_the_background(desk: Desk, provider: Provider) -> StructuredAnswer:
    return await desk.inference.ask(
        "summarise", "A passage.", run_id=RUN, prompt=PROMPT, source_ids=(MAIL,), provider=provider, gives_way=True
    )  # fmt: skip


async def test_the_persons_call_cuts_off_one_in_the_background(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [HANGS, items({"title": "Pay the rent"})]
    background = asyncio.ensure_future(in_the_background(desk, provider))
    await server.arrived.wait()
    answer = await desk.ask(provider)
    assert answer.items[0]["title"] == "Pay the rent"
    with pytest.raises(GaveWayError):
        await background
    await server.hung_up.wait()
    entries = await desk.inference.ledger.entries(desk.clock.now() - timedelta(days=1))
    assert {entry.purpose: entry.outcome for entry in entries} == {
        "summarise": Outcome.CANCELLED,
        "test": Outcome.ANSWERED,
    }


async def test_nothing_is_asked_in_the_background_while_the_person_waits(
    desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [HANGS]
    look = asyncio.ensure_future(desk.ask(provider))
    await server.arrived.wait()
    with pytest.raises(GaveWayError):
        await in_the_background(desk, provider)
    assert len(server.chats) == 1
    look.cancel()
    with pytest.raises(asyncio.CancelledError):
        await look
    assert (await in_the_background(desk, provider)).items == ()


async def test_cancelling_a_call_that_gives_way_is_still_cancelling(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [HANGS]
    background = asyncio.ensure_future(in_the_background(desk, provider))
    await server.arrived.wait()
    background.cancel()
    with pytest.raises(asyncio.CancelledError):
        await background


@pytest.mark.parametrize(("provider", "gave_way"), [(HERE, True), (LAN, True), (AWAY, False)])
async def test_only_a_model_that_answers_one_at_a_time_makes_anybody_give_way(
    clock: FakeClock, provider: Provider, gave_way: bool
) -> None:
    precedence = Precedence(clock)
    begun, done = asyncio.Event(), asyncio.Event()

    async def background() -> bool:
        try:
            async with precedence.turn(provider, gives_way=True):
                begun.set()
                await done.wait()
        except GaveWayError:
            return True
        return False

    task = asyncio.ensure_future(background())
    await begun.wait()
    async with precedence.turn(provider, gives_way=False):
        await asyncio.wait([task], timeout=0 if not gave_way else None)
    done.set()
    assert await task is gave_way


async def test_the_time_is_counted_in_which_a_model_here_works(clock: FakeClock) -> None:
    precedence = Precedence(clock)
    async with precedence.turn(HERE, gives_way=False):
        clock.advance(timedelta(seconds=5))
        with precedence.working(HERE):
            clock.advance(timedelta(seconds=5))
        assert precedence.busy_s == 10.0
    clock.advance(timedelta(seconds=90))
    async with precedence.turn(LAN, gives_way=False), precedence.turn(AWAY, gives_way=False):
        clock.advance(timedelta(seconds=5))
    assert precedence.busy_s == 10.0
