"""A person lets a server of their own match by meaning: consent, preparation, a hit without a common word, its end."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from heedful.app import App, build
from heedful.core.paths import Home
from heedful.core.settings import EmbeddingSettings
from heedful.desktop.embedding_servers import EmbeddingServers
from heedful.memory import Hit, recall
from heedful.memory.work.growth import note_settings
from heedful.presenters.background_work import work_view
from heedful.presenters.matching import MatchingPresenter
from heedful.presenters.toasts import Toasts
from heedful.storage import choose_unencrypted
from tests.cli.line import NOW, letter
from tests.fakes.clock import FakeClock
from tests.fakes.embedders import BoxEmbedder
from tests.fakes.model_server import ModelServer, Received, Reply
from tests.fakes.secrets import FakeSecrets

BOXES = BoxEmbedder()


def embedding(received: Received) -> Reply:
    """What a server with the boxes' model answers."""
    vectors = [BOXES.vector_of(text) for text in received.body["input"]]
    data = [
        {"index": place, "embedding": [0.0] if vector is None else vector.tolist()}
        for place, vector in enumerate(vectors)
    ]
    return Reply(200, json.dumps({"data": data}))


@pytest.fixture
async def app(home: Home, tmp_path: Path) -> AsyncIterator[App]:
    choose_unencrypted(home)
    opened = await build(home, environment={}, secrets=FakeSecrets(), clock=FakeClock(NOW))
    await opened.save_settings(replace(opened.settings, embeddings=EmbeddingSettings(kind="none")))
    mailbox = tmp_path / "inbox.mbox"
    mailbox.write_text(
        letter(1, "News", "The automobile stands in the yard.", NOW)
        + letter(2, "Lunch", "Potatoes again today, sorry.", NOW),
        encoding="utf-8",
    )
    await opened.library.sync(await opened.library.add(mailbox, watched=False))
    await opened.worker.settle()
    yield opened
    await opened.stop()


def matching_of(app: App) -> MatchingPresenter:
    servers = EmbeddingServers(app.inference, app.secrets, app.clock, lambda: f"{len(BOXES.asked)}-test")
    return MatchingPresenter(
        app,
        app.secrets,
        app.inference.egress,
        servers,
        app.library,
        Toasts(),
        bus=app.bus,
        supervisor=app.supervisor,
    )


async def ask(app: App, words: str) -> list[Hit]:
    sense = await app.meaning.sense(words)
    return await app.store.read(lambda connection: recall(connection, words, sense=sense))


async def test_a_server_is_chosen_prepares_every_passage_and_finds_what_was_said_otherwise(app: App) -> None:
    assert await ask(app, "car") == []
    async with ModelServer(otherwise=embedding, models=("boxes",)) as server:
        matching = matching_of(app)
        await matching.choose("openai_compatible")
        matching.edit(replace(matching.view.value.form, base_url=server.base_url, model="boxes"))
        await matching.steps.use()
        assert server.requests == []
        await matching.steps.agree()
        assert app.settings.embeddings.model == "boxes"
        now = app.clock.now()
        await app.store.write(
            lambda connection: (note_settings(connection, now=now, embeds_otherwise=True), ())
        )
        await app.worker.settle()
        assert await app.background_work.embedded() is not None
        (hit, *_) = await ask(app, "car")
        assert "automobile" in hit.excerpt
        assert not hit.degraded
        sent = [request.body["input"] for request in server.requests]
    assert any("automobile" in text for texts in sent for text in texts)
    matching.close()


async def test_a_server_that_went_away_puts_the_work_off_with_its_reason_and_search_goes_on(
    app: App, tmp_path: Path
) -> None:
    async with ModelServer(otherwise=embedding, models=("boxes",)) as server:
        await app.inference.egress.allow("embeddings", server.base_url)
        chosen = EmbeddingSettings("openai_compatible", server.base_url, "boxes")
        await app.save_settings(replace(app.settings, embeddings=chosen))
    more = tmp_path / "more.mbox"
    more.write_text(letter(3, "Yard", "The yard is swept.", NOW), encoding="utf-8")
    await app.library.sync(await app.library.add(more, watched=False))
    await app.worker.settle()
    found = await app.background_work.now()
    view = work_view(found, now=app.clock.now(), zone=app.clock.zone)
    row = next(row for row in view.kinds if row.kind == "embed")
    assert row.shape == "put off"
    assert "127.0.0.1 does not answer on this computer." in row.reason
    assert view.can_wake
    (hit, *_) = await ask(app, "swept")
    assert hit.degraded
