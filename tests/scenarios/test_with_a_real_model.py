"""The whole path with a real OpenAI-compatible server on loopback: a mail in, a model asked, a card in the window.

What a small model finds differs from model to model; what must hold with any is that it is asked, that the ledger
tells it, and that the person sees what the built-in finder found in any case.
"""

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from heedful.app import App, build
from heedful.core.clock import SystemClock
from heedful.core.paths import home_at
from heedful.core.settings import BudgetSettings, ProviderSettings, Settings
from heedful.inference import Provider, endpoint
from heedful.presenters.open_items import OpenItemsPresenter
from heedful.presenters.toasts import Toasts
from heedful.presenters.today import TodayPresenter
from heedful.storage import Key, KeyKind
from tests.fakes.secrets import FakeSecrets

pytestmark = pytest.mark.real_model

ASK = "Could you please send me the October sales report by tomorrow?"


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    url = os.environ.get("HEEDFUL_TEST_MODEL_URL")
    if not url:
        pytest.fail("set HEEDFUL_TEST_MODEL_URL to a model server on loopback")
    secrets = FakeSecrets()
    key = os.environ.get("HEEDFUL_TEST_MODEL_KEY", "none")
    secrets.set(f"provider:custom@{endpoint(url).host}", key)
    opened = await build(
        home_at(tmp_path / "home"), environment={}, secrets=secrets, key=Key(KeyKind.UNENCRYPTED, None)
    )
    name = os.environ.get("HEEDFUL_TEST_MODEL_NAME", "local")
    provider = ProviderSettings(preset="custom", base_url=url, model=name, threads_per_call=1)
    await opened.save_settings(Settings(provider=provider, budget=BudgetSettings(daily_tokens=10_000_000)))
    await opened.inference.egress.allow("custom", endpoint(url).base_url)
    yield opened
    await opened.stop()


async def test_a_mail_becomes_a_card_with_a_real_model_asked_and_recorded(app: App, tmp_path: Path) -> None:
    clock = SystemClock()
    row = {
        "id": "m1", "thread": "report", "thread_title": "Report",
        "author": {"name": "Ana Lopes", "address": "ana@ciclone.example"},
        "to": [{"name": "Rui Prado", "address": "rui@prado.example"}],
        "sent_at": clock.now().isoformat(timespec="seconds"), "subject": "Report",
        "text": f"Hi Rui,\n\n{ASK}\n\nAna", "reply_to": None, "from_me": False, "channel": "email",
    }  # fmt: skip
    file = tmp_path / "Mail.messages.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert isinstance(await app.inference.ready(), Provider)
    await app.library.sync(await app.library.add(file, name="Mail", watched=False))
    look = await app.loop.tick("manual")
    entries = await app.inference.ledger.entries(look.started_at)

    toasts = Toasts()
    bus, supervisor = app.bus, app.supervisor
    open_items = OpenItemsPresenter(app.decisions, toasts, bus, clock=clock, supervisor=supervisor)
    today = TodayPresenter(
        open_items, app.decisions, app.library, app.activity, bus=bus, clock=clock, supervisor=supervisor
    )
    await open_items.load()
    await today.load()
    cards = today.view.value.cards
    today.close()
    open_items.close()

    assert look.outcome == "completed", look.error
    assert look.model_calls == len(entries) == 1
    assert look.input_tokens > 0
    assert ASK in (entries[0].request or "")
    assert cards is not None
    assert any(
        ASK in evidence.quote for item in await app.decisions.items() for evidence in item.draft.evidence
    )
