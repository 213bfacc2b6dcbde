import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from heedful.core.errors import PassingError, UserCanFixError
from heedful.core.settings import BudgetSettings, ProviderSettings, Settings
from heedful.inference import (
    DailyBudgetSpentError,
    KeptBackError,
    NoConsentError,
    NotReady,
    Outcome,
    Provider,
    UnreadableError,
    Usage,
    WhyNot,
)
from heedful.inference.chat import Limits
from heedful.inference.ledger_store import LedgerEntry
from heedful.storage import Connection
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import CUT_BODY, HANGS, ModelServer, Received, Reply, chat, error, items
from tests.inference.desk import MAIL, MORNING, RUN, Desk, open_desk

ITEM = {"title": "Pay the rent"}
ALL = MORNING - timedelta(days=400)


async def _ledger(desk: Desk) -> list[LedgerEntry]:
    return await desk.inference.ledger.entries(ALL)


def _bytes_below(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


async def _add_source(desk: Desk, source: str, egress: str) -> None:
    def write(connection: Connection) -> tuple[None, tuple[()]]:
        connection.execute(
            "INSERT INTO sources (id, kind, name, path, egress, created_at) VALUES (?, 'mbox', 'x', '', ?, 0)",
            (source, egress),
        )
        return None, ()

    await desk.store.write(write)


async def test_the_built_in_finder_needs_no_provider(desk: Desk) -> None:
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.BUILTIN
    assert "no model is asked" in ready.sentence


async def test_nothing_is_sent_before_the_person_agreed(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.CONSENT
    assert ready.sentence.endswith("Agree in Settings, or stay with what is built in.")
    provider = await desk.agreed()
    await desk.inference.egress.revoke("custom", provider.endpoint.base_url)
    with pytest.raises(NoConsentError):
        await desk.ask(provider)
    with pytest.raises(NoConsentError):
        await desk.inference.models(provider)
    assert server.requests == []
    assert await _ledger(desk) == []


async def test_consent_is_for_one_address_and_outlives_a_restart(tmp_path: Path, server: ModelServer) -> None:
    with open_desk(tmp_path) as desk:
        desk.choose(server.base_url)
        await desk.agreed()
    with open_desk(tmp_path) as desk:
        desk.choose(server.base_url)
        assert isinstance(await desk.inference.ready(), Provider)
        desk.choose("https://elsewhere.example/v1")
        assert isinstance(await desk.inference.ready(), NotReady)


async def test_an_answer_leaves_a_row_with_all_that_was_said(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url, prices=(0.15, 0.60))
    provider = await desk.agreed()
    server.replies = [items(ITEM, tokens=(1000, 400, 50))]
    answer = await desk.ask(provider)
    assert answer.items == (ITEM,)
    [row] = await _ledger(desk)
    assert (row.outcome, row.purpose, row.run_id, row.prompt) == (Outcome.ANSWERED, "test", RUN, "looking@3")
    assert (row.provider, row.host, row.model) == ("custom", "127.0.0.1", "small-model")
    assert (row.source_ids, row.usage, row.estimated, row.attempts) == (
        (MAIL,),
        Usage(1000, 400, 50),
        False,
        1,
    )
    assert row.cost_microdollars == 180
    assert "Pay the rent today." in (row.request or "")
    assert "Pay the rent" in (row.response or "")


async def test_what_was_said_is_not_readable_in_the_file(tmp_path: Path, server: ModelServer) -> None:
    with open_desk(tmp_path) as desk:
        desk.choose(server.base_url)
        await desk.ask(await desk.agreed(), "The quarterly zebra report")
    assert b"zebra" not in await asyncio.to_thread(_bytes_below, tmp_path)


async def test_a_failure_leaves_a_row_with_its_reason(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [error(503, "busy")] * 3
    with pytest.raises(PassingError):
        await desk.ask(provider)
    [row] = await _ledger(desk)
    assert (row.outcome, row.attempts, row.usage) == (Outcome.FAILED, 3, Usage())
    assert "not available right now" in (row.error or "")
    assert "busy" in (row.response or "")


async def test_an_unreadable_answer_is_kept_in_its_row(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    server.replies = [chat("There is nothing to do.")]
    with pytest.raises(UnreadableError):
        await desk.ask(await desk.agreed())
    [row] = await _ledger(desk)
    assert (row.outcome, row.usage) == (Outcome.UNREADABLE, Usage(120, 0, 30))
    assert "There is nothing to do." in (row.response or "")


async def test_a_cancelled_call_leaves_a_row_and_no_open_request(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [HANGS]
    async with asyncio.TaskGroup() as group:
        call = group.create_task(desk.ask(provider))
        await server.arrived.wait()
        call.cancel()
    await asyncio.wait_for(server.hung_up.wait(), 2)
    [row] = await _ledger(desk)
    assert (row.outcome, row.estimated) == (Outcome.CANCELLED, True)
    assert row.usage.output == 100


async def test_a_crash_in_the_middle_of_a_call_leaves_a_row(tmp_path: Path, server: ModelServer) -> None:
    with open_desk(tmp_path) as desk:
        desk.choose(server.base_url)
        provider = await desk.agreed()
        server.otherwise = lambda _: HANGS
        async with asyncio.TaskGroup() as group:
            call = group.create_task(desk.ask(provider))
            await server.arrived.wait()
            [during] = await _ledger(desk)
            call.cancel()
    assert during.outcome is Outcome.RUNNING
    assert during.usage.total > 100


async def test_rows_that_a_crash_left_running_are_ended_at_the_next_start(
    desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    await desk.ask(await desk.agreed())

    def crash(connection: Connection) -> tuple[None, tuple[()]]:
        connection.execute("UPDATE ledger SET outcome = 'running'")
        return None, ()

    await desk.store.write(crash)
    await desk.inference.ledger.start()
    assert [row.outcome for row in await _ledger(desk)] == [Outcome.INTERRUPTED]


async def test_texts_are_dropped_after_thirty_days_and_figures_stay(
    desk: Desk, server: ModelServer, clock: FakeClock
) -> None:
    desk.choose(server.base_url)
    await desk.ask(await desk.agreed())
    clock.advance(timedelta(days=29))
    await desk.inference.ledger.start()
    assert (await _ledger(desk))[0].response is not None
    clock.advance(timedelta(days=2))
    await desk.inference.ledger.start()
    [row] = await _ledger(desk)
    assert (row.request, row.response, row.usage) == (None, None, Usage(120, 0, 30))


async def test_what_a_server_can_do_is_found_out_once_and_outlives_a_restart(
    tmp_path: Path, server: ModelServer
) -> None:
    server.otherwise = lambda received: (
        items(ITEM) if received.rung == "plain" else error(400, "no json_schema or json_object")
    )
    for _ in range(2):
        with open_desk(tmp_path) as desk:
            desk.choose(server.base_url)
            provider = await desk.agreed()
            await desk.ask(provider)
            await desk.ask(provider)
    assert [received.rung for received in server.chats] == [
        "json_schema",
        "json_object",
        "plain",
        "plain",
        "plain",
        "plain",
    ]


async def test_the_system_message_is_the_same_bytes_in_every_call(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    await desk.ask(provider, "Now: Monday")
    await desk.ask(provider, "Now: Tuesday")
    first, second = (received.body["messages"] for received in server.chats)
    assert first[0] == second[0]
    assert [message["role"] for message in first] == ["system", "user"]


async def test_a_source_that_stays_here_may_be_read_on_this_computer_only(
    desk: Desk, server: ModelServer
) -> None:
    await _add_source(desk, "diary", "local-only")
    await _add_source(desk, "mail", "allowed")
    desk.choose(server.base_url)
    provider = await desk.agreed()
    assert await desk.inference.egress.kept_back(provider) == frozenset()
    await desk.ask(provider, sources=("diary", "mail"))  # type: ignore[arg-type] # ids as the test wrote them
    elsewhere = replace(provider, model="large-cloud")
    assert await desk.inference.egress.kept_back(elsewhere) == {"diary"}
    with pytest.raises(KeptBackError):
        await desk.ask(elsewhere, sources=("diary", "mail"))  # type: ignore[arg-type] # ids as the test wrote them
    assert len(server.chats) == 1


async def test_a_call_that_the_days_tokens_do_not_cover_is_not_made(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=100))
    provider = await desk.agreed()
    with pytest.raises(DailyBudgetSpentError) as caught:
        await desk.ask(provider)
    assert server.requests == []
    assert await _ledger(desk) == []
    assert caught.value.renews_at == MORNING.replace(hour=0, minute=0) + timedelta(days=1)
    assert "2026-11-27 at 00:00" in caught.value.sentence()


async def test_a_call_that_the_days_money_does_not_cover_is_not_made(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url, prices=(1.0, 1000.0), budget=BudgetSettings(daily_cost=0.05))
    with pytest.raises(DailyBudgetSpentError, match="used up"):
        await desk.ask(await desk.agreed())
    assert server.requests == []


async def test_without_a_known_price_only_tokens_are_budgeted(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url, budget=BudgetSettings(daily_cost=0.0))
    await desk.ask(await desk.agreed())
    assert (await _ledger(desk))[0].cost_microdollars is None


async def test_the_allowance_renews_with_the_persons_own_day(tmp_path: Path, server: ModelServer) -> None:
    clock = FakeClock(MORNING.replace(hour=22), ZoneInfo("Europe/Berlin"))
    server.otherwise = lambda _: items(ITEM, tokens=(400, 0, 0))
    with open_desk(tmp_path, clock) as desk:
        desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=500))
        provider = await desk.agreed()
        await desk.ask(provider)
        with pytest.raises(DailyBudgetSpentError):
            await desk.ask(provider)
        clock.advance(timedelta(hours=1, minutes=1))
        await desk.ask(provider)
    assert len(server.chats) == 2


async def test_calls_at_once_never_exceed_the_allowance_together(desk: Desk, server: ModelServer) -> None:
    server.otherwise = lambda _: items(ITEM, tokens=(30, 0, 100))
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=1000))
    provider = await desk.agreed()
    results = await asyncio.gather(*(desk.ask(provider) for _ in range(20)), return_exceptions=True)
    assert (await desk.inference.ledger.spent_today()).tokens <= 1000
    refused = [result for result in results if isinstance(result, DailyBudgetSpentError)]
    assert 0 < len(refused) < 20
    assert len(server.chats) + len(refused) == 20


async def test_an_attempt_that_may_have_been_billed_is_paid_for_before_the_next(
    desk: Desk, server: ModelServer
) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [CUT_BODY, items(ITEM)]
    await desk.ask(provider)
    [row] = await _ledger(desk)
    once = row.usage.total - 150
    assert once > 100
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=row.usage.total + once + once // 2))
    server.replies = [CUT_BODY, items(ITEM)]
    with pytest.raises(DailyBudgetSpentError):
        await desk.ask(provider)
    assert len(server.chats) == 3


async def test_a_spent_budget_is_known_before_anything_is_prepared(desk: Desk, server: ModelServer) -> None:
    server.otherwise = lambda _: items(ITEM, tokens=(900, 0, 100))
    desk.choose(server.base_url, budget=BudgetSettings(daily_tokens=1000))
    await desk.ask(await desk.agreed())
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.BUDGET


async def test_a_wrong_key_makes_the_provider_unready_until_a_reset(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [error(401, "Incorrect API key")]
    with pytest.raises(UserCanFixError):
        await desk.ask(provider)
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.REFUSED
    assert "key" in ready.sentence
    desk.inference.reset()
    assert isinstance(await desk.inference.ready(), Provider)


async def test_a_hosted_provider_without_a_key_is_not_ready(desk: Desk) -> None:
    desk.settings = Settings(provider=ProviderSettings(preset="openai"))
    await desk.inference.egress.allow("openai", "https://api.openai.com/v1")
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.KEY
    desk.secrets.set("provider:openai@api.openai.com", "sk-test")
    provider = await desk.inference.ready()
    assert isinstance(provider, Provider)
    assert provider.name == "openai/gpt-4o-mini"


async def test_the_model_may_come_from_the_environment(desk: Desk) -> None:
    desk.settings = Settings(provider=ProviderSettings(preset="openai"))
    desk.environment["OPENHUMAN_CONSCIOUS_MODEL"] = "gpt-other"
    desk.secrets.set("provider:openai@api.openai.com", "sk-test")
    await desk.inference.egress.allow("openai", "https://api.openai.com/v1")
    provider = await desk.inference.ready()
    assert isinstance(provider, Provider)
    assert (provider.model, provider.price) == ("gpt-other", None)


@pytest.mark.parametrize(
    "chosen",
    [
        ProviderSettings(preset="ollama"),
        ProviderSettings(preset="nobody"),
        ProviderSettings(preset="custom", base_url="http://api.example.com", model="x"),
    ],
)
async def test_settings_that_name_no_usable_provider_say_why(desk: Desk, chosen: ProviderSettings) -> None:
    desk.settings = Settings(provider=chosen)
    ready = await desk.inference.ready()
    assert isinstance(ready, NotReady)
    assert ready.why is WhyNot.SETTINGS


async def test_trying_out_tells_the_models_and_how_it_answered(desk: Desk, server: ModelServer) -> None:
    server.models = ("small-model", "large-model")
    server.otherwise = lambda _: items({"title": "ready"})
    desk.choose(server.base_url)
    await desk.agreed()
    trial = await desk.inference.try_out(desk.settings.provider, run_id=RUN)
    assert trial.ok, trial
    assert trial.models == ("small-model", "large-model")
    assert trial.sentences == ("It answered in 0.0 s.", "It keeps to the form it is given.")
    assert [row.purpose for row in await _ledger(desk)] == ["test"]


async def test_trying_out_without_a_model_names_those_there_are(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    trial = await desk.inference.try_out(replace(desk.settings.provider, model=""), run_id=RUN)
    assert not trial.ok
    assert trial.sentences == ("Choose one of its models: small-model.",)
    assert server.chats == []


async def test_trying_out_asks_for_consent_too(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    trial = await desk.inference.try_out(desk.settings.provider, run_id=RUN)
    assert not trial.ok
    assert "not agreed" in trial.sentences[0]
    assert server.requests == []


async def test_trying_out_tells_what_is_wrong_in_a_sentence(desk: Desk, server: ModelServer) -> None:
    desk.choose(server.base_url)
    await desk.agreed()
    server.replies = [error(401, "Incorrect API key provided: sk-abc")]
    trial = await desk.inference.try_out(desk.settings.provider, run_id=RUN)
    assert not trial.ok
    assert "did not accept the key" in trial.sentences[0]
    assert "sk-abc" not in "".join(trial.sentences)


async def test_trying_out_again_forgets_what_was_found_before(desk: Desk, server: ModelServer) -> None:
    def poor(received: Received) -> Reply:
        return items({"title": "ready"}) if received.rung == "plain" else error(400, "no json_schema")

    desk.choose(server.base_url)
    await desk.agreed()
    server.otherwise = poor
    trial = await desk.inference.try_out(desk.settings.provider, run_id=RUN)
    assert "can't be held to a form" in trial.sentences[1]
    server.otherwise = lambda _: items({"title": "ready"})
    trial = await desk.inference.try_out(desk.settings.provider, run_id=RUN)
    assert trial.sentences[1] == "It keeps to the form it is given."


async def test_nothing_that_was_said_is_logged(
    desk: Desk, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG", "heedful")
    desk.choose(server.base_url)
    provider = await desk.agreed()
    server.replies = [error(503, "canary-words"), chat("canary-answer"), items(ITEM)]
    with pytest.raises(UnreadableError):
        await desk.ask(provider, "canary-mail")
    await desk.ask(provider, "canary-mail")
    said = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("heedful"))
    assert said
    assert "canary" not in said


async def test_the_time_limit_ends_a_call_and_is_written_down(tmp_path: Path, server: ModelServer) -> None:
    server.replies = [HANGS]
    with open_desk(tmp_path) as desk:
        desk.choose(server.base_url)
        provider = await desk.agreed()
        quick = Desk(desk.store, desk.clock, desk.settings, limits=Limits(total_s=0.05, attempts=1))
        with pytest.raises(PassingError, match="did not answer"):
            await quick.ask(provider)
        [row] = await _ledger(desk)
    assert row.outcome is Outcome.FAILED
    assert json.loads(row.request or "")[0]["role"] == "system"
