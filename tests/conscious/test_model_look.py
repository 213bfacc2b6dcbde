"""What a look does with a model: whom it asks about what, what it keeps, and what stays due."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from heedful.actionables import State
from heedful.app import App, build
from heedful.core.ids import SourceId
from heedful.core.paths import home_at
from heedful.core.settings import ProviderSettings, Settings
from heedful.inference import estimate_tokens
from heedful.storage import Key, KeyKind
from tests.conscious.house import ANA, NOON, Row, letter
from tests.fakes.clock import FakeClock
from tests.fakes.model_server import ModelServer, Received, Reply, items
from tests.fakes.secrets import FakeSecrets
from tests.fakes.zones import BrokenZone

NOTHING = items()


def answer(*found: dict[str, Any]) -> Reply:
    return items(*found)


def item(title: str, quote: str, *, chunk: str = "c1", **more: object) -> dict[str, Any]:
    return {
        "title": title,
        "description": "It was asked for.",
        "source": "email",
        "priority": "normal",
        "actionable": True,
        "requires_confirmation": False,
        "has_complex_action": False,
        "source_label": "Mail",
        "evidence": [{"chunk": chunk, "quote": quote}],
        **more,
    }


class Desk:
    """An App with a local model chosen, and messages by the line."""

    def __init__(self, app: App, folder: Path) -> None:
        self.app = app
        self._folder = folder
        self._files = 0

    async def receive(self, *rows: Row, source: str = "Mail") -> SourceId:
        self._files += 1
        file = self._folder / f"{source}-{self._files}.messages.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        source_id = await self.app.library.add(file, name=source, watched=False)
        await self.app.library.sync(source_id, path=file)
        return source_id

    async def choose(
        self, server: ModelServer, *, threads_per_call: int = 1, model: str = "small-model"
    ) -> None:
        provider = ProviderSettings(
            preset="custom", base_url=server.base_url, model=model, threads_per_call=threads_per_call
        )
        await self.app.save_settings(Settings(provider=provider))
        ready = await self.app.inference.ready()
        base_url = getattr(ready, "endpoint", None)
        await self.app.inference.egress.allow("custom", base_url.base_url if base_url else server.base_url)


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer() as started:
        yield started


@pytest.fixture
async def desk(tmp_path: Path, server: ModelServer) -> AsyncIterator[Desk]:
    app = await build(
        home_at(tmp_path / "home"),
        environment={},
        clock=FakeClock(NOON),
        secrets=FakeSecrets(),
        key=Key(KeyKind.UNENCRYPTED, None),
    )
    made = Desk(app, tmp_path)
    await made.choose(server)
    yield made
    await app.stop()


CHAT = "The key of the shed hangs at your place since the summer and the children miss the swing"


async def test_an_item_of_the_models_is_kept_with_the_words_it_quotes(
    desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: answer(item("Return the key of the shed", CHAT))
    await desk.receive(letter(1, f"Hi Rui. {CHAT}. Ana"))
    row = await desk.app.loop.tick("manual")
    (found,) = await desk.app.decisions.items()
    assert (row.outcome, row.provider, row.model) == ("completed", "custom", "small-model")
    assert found.draft.evidence[0].quote == CHAT
    assert found.draft.found_by == "custom/small-model"
    assert found.draft.prompt.startswith("conscious_loop@")


async def test_what_the_person_answered_already_makes_the_models_item_a_done_one(
    desk: Desk, server: ModelServer
) -> None:
    server.otherwise = lambda _: answer(item("Return the key of the shed", CHAT))
    await desk.receive(
        letter(1, f"Hi Rui. {CHAT}. Ana", thread="key"),
        letter(2, "I left it with Clara this morning.", thread="key", from_me=True, ago=timedelta(hours=1)),
    )
    await desk.app.loop.tick("manual")
    (found,) = await desk.app.decisions.items(states=tuple(State))
    assert found.state is State.COMPLETED
    assert found.draft.found_by == "custom/small-model"
    assert found.draft.done_by is not None
    assert "with Clara" in found.draft.done_by.quote


async def test_a_quote_that_is_not_in_its_passage_rejects_the_item_and_keeps_the_rest(
    desk: Desk, server: ModelServer
) -> None:
    invented = item("Call the bank", "please call the bank today")
    server.otherwise = lambda _: answer(invented, item("Return the key of the shed", CHAT))
    await desk.receive(letter(1, f"Hi Rui. {CHAT}. Ana"))
    row = await desk.app.loop.tick("manual")
    titles = [found.draft.title for found in await desk.app.decisions.items()]
    assert titles == ["Return the key of the shed"]
    assert len(row.rejected) == 1
    assert "Call the bank" in row.rejected[0]


async def test_nothing_new_makes_no_model_call(desk: Desk, server: ModelServer) -> None:
    await desk.receive(letter(1, f"Hi Rui. {CHAT}. Ana"))
    await desk.app.loop.tick("manual")
    before = len(server.chats)
    row = await desk.app.loop.tick("timer")
    assert row.outcome == "quiet"
    assert len(server.chats) == before


async def test_a_small_local_model_is_asked_thread_by_thread_with_the_same_beginning(
    desk: Desk, server: ModelServer
) -> None:
    await desk.receive(*(letter(n, f"Word number {n} of the garden plan is yours") for n in range(3)))
    row = await desk.app.loop.tick("manual")
    prompts = {json.dumps(chat.body["messages"][0]) for chat in server.chats}
    assert row.model_calls == 3
    assert len(prompts) == 1


async def test_a_hosted_model_gets_the_changed_threads_of_a_source_in_one_call(
    desk: Desk, server: ModelServer
) -> None:
    await desk.choose(server, threads_per_call=10)
    await desk.receive(*(letter(n, f"Word number {n} of the garden plan is yours") for n in range(5)))
    row = await desk.app.loop.tick("manual")
    assert row.model_calls == 1


async def test_ten_threads_of_a_source_are_asked_about_and_the_rest_waits_and_is_named(
    desk: Desk, server: ModelServer
) -> None:
    await desk.receive(*(letter(n, f"Word number {n} of the garden plan is yours") for n in range(13)))
    first = await desk.app.loop.tick("manual")
    second = await desk.app.loop.tick("timer")
    assert (first.model_calls, second.model_calls) == (10, 3)
    assert "3 more changed threads wait for the next look." in first.notes


async def test_twenty_new_messages_cost_at_most_two_thousand_tokens_beside_the_unchanging_prompt(
    desk: Desk, server: ModelServer
) -> None:
    await desk.choose(server, threads_per_call=10)
    long_text = " ".join(
        f"This is sentence {n} of a long mail about nothing in particular." for n in range(40)
    )
    for half in ("Mail", "Second"):
        rows = [letter(n, f"{long_text} Could you send me part {n}?", thread=f"{half}{n}") for n in range(10)]
        for row in rows:
            row["id"] = f"{half}{row['id']}"
        await desk.receive(*rows, source=half)
    await desk.app.loop.tick("manual")
    sent = [chat.body["messages"] for chat in server.chats]
    uncached = sum(estimate_tokens(turn["content"]) for _, turn in sent)
    assert sent[0][0] == sent[1][0]
    assert len(sent) == 2
    assert uncached <= 2000


async def test_what_is_left_out_of_a_long_message_is_counted_where_it_stood(
    desk: Desk, server: ModelServer
) -> None:
    long_text = " ".join(
        f"This is sentence {n} of a long mail about nothing in particular." for n in range(80)
    )
    await desk.receive(letter(1, f"{long_text} Could you send me the report?"))
    await desk.app.loop.tick("manual")
    shown = server.chats[0].body["messages"][1]["content"]
    assert "left out]" in shown
    assert "Could you send me the report?" in shown


async def test_mass_mail_own_words_receipts_and_old_mail_are_never_sent(
    desk: Desk, server: ModelServer
) -> None:
    shop = {"name": "Corner Books", "address": "no-reply@books.example"}
    await desk.receive(
        letter(3, "Thank you for your order. Your books are on their way.", author=shop),
        letter(4, "Only this weekend. To unsubscribe, click here.", author=shop),
        letter(1, "I will think about the garden", from_me=True),
        letter(2, "A word about the garden plan", ago=timedelta(days=20)),
    )
    row = await desk.app.loop.tick("manual")
    assert row.model_calls == 0
    assert server.chats == []


async def test_a_source_that_stays_on_this_computer_goes_to_a_model_on_this_computer_only(
    desk: Desk, server: ModelServer
) -> None:
    source = await desk.receive(letter(1, f"Hi Rui. {CHAT}."))
    await desk.app.library.set_egress(source, "local-only")
    row = await desk.app.loop.tick("manual")
    assert row.model_calls == 1  # the test's server is on loopback


MAIL = """From x Wed Nov 25 10:00:00 2026
From: Ana Lopes <ana@ciclone.example>
To: Rui Prado <rui@prado.example>
Subject: {subject}
Date: Wed, 25 Nov 2026 1{number}:00:00 +0000
Message-ID: <{number}@ciclone.example>
References: <1@ciclone.example>
Content-Type: text/plain; charset=utf-8

{text}
"""


async def test_a_thread_that_began_in_a_source_that_stays_here_goes_out_without_its_title_and_its_sources_name(
    desk: Desk, server: ModelServer, tmp_path: Path
) -> None:
    server.otherwise = lambda _: NOTHING
    await desk.choose(server, model="small-model:cloud")
    written = {
        "Clinic": MAIL.format(number=1, subject="My diagnosis", text="It is the knee."),
        "Work": MAIL.format(number=2, subject="The rota", text="Hi Rui, can you send me the rota tomorrow?"),
    }
    for name, text in written.items():
        file = tmp_path / f"{name}.mbox"
        file.write_text(text, encoding="utf-8")
        source = await desk.app.library.add(file, name=name, watched=False)
        await desk.app.library.sync(source)
        if name == "Clinic":
            await desk.app.library.set_egress(source, "local-only")
    row = await desk.app.loop.tick("manual")
    assert row.model_calls == 1
    sent = server.chats[-1].body["messages"][1]["content"]
    assert "send me the rota" in sent
    for word in ("diagnosis", "knee", "Clinic"):
        assert word not in sent


async def test_without_consent_nothing_is_sent_and_activity_says_so(desk: Desk, server: ModelServer) -> None:
    ready = await desk.app.inference.ready()
    await desk.app.inference.egress.revoke("custom", ready.endpoint.base_url)  # type: ignore[union-attr] # it is ready
    await desk.receive(letter(1, f"Hi Rui. {CHAT}."))
    row = await desk.app.loop.tick("manual")
    assert server.requests == []
    assert row.outcome == "completed"
    assert any("not agreed" in note for note in row.notes)


async def test_a_model_that_is_down_leaves_the_same_evidence_due_again(
    desk: Desk, server: ModelServer, expected_logs: list[str]
) -> None:
    server.otherwise = lambda _: Reply(status=500, body="down")
    await desk.receive(letter(1, f"Hi Rui. {CHAT}."))
    failed = await desk.app.loop.tick("manual")
    server.otherwise = lambda _: answer(item("Return the key of the shed", CHAT))
    well = await desk.app.loop.tick("timer")
    assert failed.outcome == "error"
    assert (well.outcome, well.new) == ("completed", 1)
    assert expected_logs


async def test_one_thread_without_a_usable_answer_is_noted_and_the_others_count(
    desk: Desk, server: ModelServer
) -> None:
    def talk(received: Received) -> Reply:
        if "number 1" in received.body["messages"][1]["content"]:
            return Reply(body=json.dumps({"choices": [{"message": {"content": "I can't say."}}]}))
        return NOTHING

    server.otherwise = talk
    await desk.receive(*(letter(n, f"Word number {n} of the garden plan is yours") for n in range(3)))
    row = await desk.app.loop.tick("manual")
    again = await desk.app.loop.tick("timer")
    assert row.outcome == "completed"
    assert any("no usable answer" in note for note in row.notes)
    assert again.outcome == "quiet"


async def test_a_thread_that_meets_a_bug_on_its_way_to_the_model_is_noted_and_the_others_are_asked_about(
    tmp_path: Path, server: ModelServer, expected_logs: list[str]
) -> None:
    broken = NOON - timedelta(days=2)
    app = await build(
        home_at(tmp_path / "broken"),
        environment={},
        clock=FakeClock(NOON, BrokenZone(broken.date())),
        secrets=FakeSecrets(),
        key=Key(KeyKind.UNENCRYPTED, None),
    )
    desk = Desk(app, tmp_path)
    await desk.choose(server)
    server.otherwise = lambda _: NOTHING
    meets_it = {**letter(1, "Word number 1 of the garden plan is yours"), "sent_at": broken.isoformat()}
    await desk.receive(meets_it, letter(2, "Word number 2 of the garden plan is yours"))
    row = await app.loop.tick("manual")
    again = await app.loop.tick("timer")
    await app.stop()
    assert row.outcome == "completed"
    assert any("could not be prepared for the model" in note for note in row.notes)
    assert row.model_calls == 1
    assert again.outcome == "quiet"
    assert any("preparing threads" in line for line in expected_logs)


async def test_an_item_whose_check_meets_a_bug_is_noted_and_the_others_of_its_answer_are_kept(
    tmp_path: Path, server: ModelServer, expected_logs: list[str]
) -> None:
    due = NOON + timedelta(days=8)
    app = await build(
        home_at(tmp_path / "broken"),
        environment={},
        clock=FakeClock(NOON, BrokenZone(due.date())),
        secrets=FakeSecrets(),
        key=Key(KeyKind.UNENCRYPTED, None),
    )
    desk = Desk(app, tmp_path)
    await desk.choose(server, threads_per_call=2)
    meets_it = f"Please return the key of the shed by {due:%d %B %Y}"
    server.otherwise = lambda _: answer(
        item("Return the key of the shed", meets_it, chunk="c1"),
        item("Return the key of the shed", meets_it, chunk="c2"),
        item("Look after the swing", CHAT, chunk="c1"),
        item("Look after the swing", CHAT, chunk="c2"),
    )
    await desk.receive(letter(1, f"{meets_it}."), letter(2, f"{CHAT}."))
    row = await app.loop.tick("manual")
    again = await app.loop.tick("timer")
    kept = await app.decisions.items()
    await app.stop()
    assert row.outcome == "completed"
    assert any("could not check it" in note for note in row.rejected), row
    assert [one.draft.title for one in kept] == ["Look after the swing"]
    assert again.outcome == "quiet"
    assert any("checking a model's item" in line for line in expected_logs)


async def test_a_newer_look_closes_the_http_request_of_the_older(desk: Desk, server: ModelServer) -> None:
    server.replies.append(Reply(hangs=True))
    await desk.receive(letter(1, f"Hi Rui. {CHAT}."))
    first = desk.app.loop.request("timer")
    await server.arrived.wait()
    second = await desk.app.loop.tick("manual")
    await asyncio.wait_for(server.hung_up.wait(), timeout=5)
    rows = {tick.run_id: tick.outcome for tick in await desk.app.activity.ticks()}
    assert rows[first] == "superseded"
    assert rows[second.run_id] == "completed"


async def test_a_model_that_finds_what_the_builtin_found_joins_it_under_the_same_id(
    desk: Desk, server: ModelServer
) -> None:
    ask = "Could you please send me the October sales report by tomorrow?"
    await desk.receive(letter(1, f"Hi Rui,\n\n{ask}\n\nAna"))
    server.replies.append(NOTHING)
    await desk.app.loop.tick("manual")
    (before,) = await desk.app.decisions.items()
    server.otherwise = lambda _: answer(item("Email Ana the October sales figures she asked for", ask))
    await desk.receive(letter(2, f"Hi Rui,\n\n{ask}\n\nAna", thread="t1", ago=timedelta(hours=1)))
    await desk.app.loop.tick("timer")
    (after,) = await desk.app.decisions.items()
    assert after.id == before.id
    assert after.created_at == before.created_at
    assert after.draft.title == "Email Ana the October sales figures she asked for"
    assert after.draft.found_by == "custom/small-model"


async def test_every_call_is_in_the_ledger_with_what_was_sent_and_what_came_back(
    desk: Desk, server: ModelServer
) -> None:
    source = await desk.receive(letter(1, f"Hi Rui. {CHAT}.", author=ANA))
    row = await desk.app.loop.tick("manual")
    (entry,) = await desk.app.inference.ledger.entries(datetime(2026, 1, 1, tzinfo=UTC))
    assert (entry.run_id, entry.source_ids, entry.purpose) == (row.run_id, (source,), "conscious")
    assert CHAT in (entry.request or "")
    assert entry.response


async def test_an_alert_full_of_repeated_lines_is_compressed_and_its_one_error_is_shown(
    desk: Desk, server: ModelServer
) -> None:
    lines = [f"10:00:{n:02d} host app[12]: request {n} took {n % 7} ms" for n in range(40)]
    lines.insert(20, "10:00:20 host app[12]: ERROR disk /var is full")
    await desk.receive(letter(1, "Rui, can you look at this log?\n\n" + "\n".join(lines)))
    await desk.app.loop.tick("manual")
    shown = server.chats[0].body["messages"][1]["content"]
    saved = await desk.app.store.read(
        lambda c: c.row("SELECT sum(input_tokens), sum(output_tokens) FROM savings")
    )
    assert "ERROR disk /var is full" in shown
    assert shown.count("took") < 10
    assert saved is not None
    assert int(str(saved[1])) < int(str(saved[0]))
