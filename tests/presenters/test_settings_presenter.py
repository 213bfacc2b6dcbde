"""The Settings tab: plain choices, and the way to a provider."""

from dataclasses import replace
from datetime import time

import pytest

from heedful.core.bus import Bus
from heedful.core.errors import UserCanFixError
from heedful.core.secrets import NoKeyringError
from heedful.core.supervise import Supervisor
from heedful.inference import LocalServer, Trial
from heedful.presenters.settings import ProviderView, SettingsPresenter
from heedful.presenters.toasts import Toasts
from tests.fakes.services import FakeEgress, FakeSecrets, FakeServers, FakeSettings

OLLAMA = LocalServer("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("qwen2.5:1.5b", "llama3.2:3b"))


class House:
    """The presenter with its services in memory."""

    def __init__(self, bus: Bus, supervisor: Supervisor) -> None:
        self.kept, self.secrets, self.egress = FakeSettings(bus), FakeSecrets(), FakeEgress()
        self.servers, self.toasts = FakeServers(), Toasts()
        self.settings = SettingsPresenter(
            self.kept, self.secrets, self.egress, self.servers, self.toasts,
            environment={}, bus=bus, supervisor=supervisor,
        )  # fmt: skip

    @property
    def provider(self) -> ProviderView:
        return self.settings.view.value.provider

    def type(self, **fields: str) -> None:
        self.settings.edit(replace(self.provider.form, **fields))


@pytest.fixture
def house(bus: Bus, supervisor: Supervisor) -> House:
    return House(bus, supervisor)


async def test_a_server_on_this_computer_is_offered_first_and_not_used(house: House) -> None:
    house.servers.found = (OLLAMA,)
    await house.settings.load()
    built_in, first = house.provider.choices[:2]
    assert built_in.id == "builtin"
    assert (first.id, first.hint) == ("ollama", "Runs on this computer now, with 2 models.")
    assert house.kept.settings.provider.preset == "builtin"


async def test_providers_are_in_the_order_of_their_names_and_any_other_server_is_last(house: House) -> None:
    await house.settings.load()
    assert [choice.label for choice in house.provider.choices] == [
        "Built-in finder",
        "llama.cpp",
        "LM Studio",
        "Ollama",
        "OpenAI",
        "OpenRouter",
        "Another server",
    ]


async def test_choosing_a_found_server_fills_its_fields_in(house: House) -> None:
    house.servers.found = (OLLAMA,)
    await house.settings.load()
    await house.settings.choose("ollama")
    assert house.provider.form.base_url == OLLAMA.base_url
    assert house.provider.form.model == "qwen2.5:1.5b"
    assert house.provider.server.is_changed


async def test_nothing_is_tried_or_used_before_the_person_agreed(house: House) -> None:
    await house.settings.choose("openai")
    house.type(key="sk-invented")
    await house.settings.steps.test()
    assert house.servers.tried == []
    assert house.secrets.kept == {}
    asked = house.provider.server.consent
    assert asked is not None
    assert "api.openai.com" in asked.sentences[0]
    house.settings.steps.decline()
    assert house.provider.server.consent is None
    assert house.egress.allowed == set()


async def test_after_a_yes_the_test_runs_and_tells_in_sentences(house: House) -> None:
    await house.settings.choose("openai")
    house.type(key="sk-invented")
    await house.settings.steps.test()
    await house.settings.steps.agree()
    assert house.egress.allowed == {("openai", "https://api.openai.com/v1")}
    assert house.provider.server.result == ("It answered in 0.4 s.",)
    assert house.kept.settings.provider.preset == "builtin"


async def test_a_key_goes_to_the_keyring_and_is_not_shown_again(house: House) -> None:
    await house.settings.choose("openai")
    house.type(key="sk-invented")
    await house.settings.steps.use()
    await house.settings.steps.agree()
    assert house.secrets.kept == {"provider:openai@api.openai.com": "sk-invented"}
    assert house.provider.form.key == ""
    assert house.provider.server.has_key
    assert house.kept.settings.provider.preset == "openai"
    assert house.provider.in_force == "OpenAI, gpt-4o-mini"
    await house.settings.steps.forget_key()
    assert house.secrets.kept == {}
    assert not house.provider.server.has_key


async def test_without_a_keyring_a_key_is_refused_in_words_and_nothing_changes(house: House) -> None:
    await house.settings.choose("openai")
    house.type(key="sk-invented")
    house.secrets.failure = NoKeyringError("The system's keyring can't be used")
    await house.settings.steps.use()
    await house.settings.steps.agree()
    assert house.provider.server.result == ("The system's keyring can't be used.",)
    assert house.kept.settings.provider.preset == "builtin"


async def test_a_provider_at_a_new_address_needs_a_new_yes(house: House) -> None:
    house.egress.allowed.add(("custom", "https://one.example/v1"))
    await house.settings.choose("custom")
    house.type(base_url="https://two.example/v1", model="m")
    await house.settings.steps.use()
    assert house.provider.server.consent is not None
    assert house.kept.settings.provider.preset == "builtin"


async def test_a_yes_can_be_taken_back(house: House) -> None:
    house.egress.allowed.add(("openai", "https://api.openai.com/v1"))
    await house.settings.choose("openai")
    assert house.provider.server.is_allowed
    await house.settings.steps.withdraw_consent()
    assert house.egress.allowed == set()
    assert not house.provider.server.is_allowed


async def test_an_address_that_is_none_is_told_at_once(house: House) -> None:
    await house.settings.choose("custom")
    house.type(base_url="", model="m")
    await house.settings.steps.use()
    assert not house.provider.server.result_ok
    assert house.provider.server.result[0].startswith("That is not an address")


async def test_a_failed_test_says_what_is_wrong_and_offers_the_models(house: House) -> None:
    house.egress.allowed.add(("ollama", "http://127.0.0.1:11434/v1"))
    house.servers.trial = Trial(False, ("The server has no model of that name.",), ("a", "b"))
    await house.settings.choose("ollama")
    await house.settings.steps.test()
    assert house.provider.server.result == ("The server has no model of that name.",)
    assert not house.provider.server.result_ok
    assert house.provider.server.models == ("a", "b")
    assert not house.provider.server.is_busy


async def test_the_built_in_needs_no_yes(house: House) -> None:
    await house.settings.choose("builtin")
    await house.settings.steps.use()
    assert house.provider.server.consent is None
    assert house.provider.in_force == "the built-in finder"


async def test_plain_choices_are_kept_at_once(house: House) -> None:
    await house.settings.set_interval(15)
    await house.settings.set_daily_tokens(50_000)
    await house.settings.set_daily_cost(1.5)
    await house.settings.set_notifications(enabled=False)
    await house.settings.set_notification_limit(1)
    await house.settings.set_quiet_hours(time(21, 30), time(7, 0))
    await house.settings.set_theme("dark")
    kept = house.kept.settings
    assert kept.loop.interval_minutes == 15
    assert (kept.budget.daily_tokens, kept.budget.daily_cost) == (50_000, 1.5)
    assert (kept.notifications.enabled, kept.notifications.daily_limit) == (False, 1)
    assert (kept.notifications.quiet_from, kept.notifications.quiet_until) == (time(21, 30), time(7, 0))
    assert kept.window.theme == "dark"
    assert house.settings.view.value.settings == kept


async def test_a_choice_that_could_not_be_kept_springs_back_and_says_so(house: House) -> None:
    house.kept.failure = UserCanFixError("The settings can't be saved")
    await house.settings.set_interval(15)
    assert house.settings.view.value.settings.loop.interval_minutes == 5
    assert house.toasts.last.value is not None
    assert house.toasts.last.value.text == "The settings can't be saved."


async def test_prices_and_threads_are_kept_with_the_provider_and_shown_again(house: House) -> None:
    house.egress.allowed.add(("custom", "https://one.example/v1"))
    await house.settings.choose("custom")
    house.type(
        base_url="https://one.example/v1",
        model="m",
        input_price="0,15",
        output_price="$ 0.60",
        threads_per_call="4",
    )
    await house.settings.steps.use()
    kept = house.kept.settings.provider
    assert (kept.input_price, kept.output_price, kept.threads_per_call) == (0.15, 0.6, 4)
    form = house.provider.form
    assert (form.input_price, form.output_price, form.threads_per_call) == ("0.15", "0.6", "4")
    assert not house.provider.server.is_changed
    house.type(input_price="", output_price="", threads_per_call="")
    await house.settings.steps.use()
    assert house.kept.settings.provider.input_price is None
    assert house.kept.settings.provider.threads_per_call == 0


async def test_known_prices_stand_in_the_empty_fields(house: House) -> None:
    await house.settings.choose("openai")
    assert float(house.provider.hints.input_price) > 0
    assert house.provider.hints.threads_per_call == "20"
    await house.settings.choose("ollama")
    assert house.provider.hints.input_price == "0"
    await house.settings.choose("custom")
    assert house.provider.hints.input_price == "unknown"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"input_price": "cheap", "output_price": "1"}, "“cheap” is no price."),
        ({"input_price": "-1", "output_price": "1"}, "“-1” is no price."),
        ({"input_price": "nan", "output_price": "1"}, "“nan” is no price."),
        ({"input_price": "1"}, "One price of the two is missing."),
        ({"threads_per_call": "51"}, "“51” is no number of threads."),
        ({"threads_per_call": "few"}, "“few” is no number of threads."),
    ],
)
async def test_terms_that_can_not_be_are_told_and_nothing_is_kept_or_sent(
    house: House, typed: dict[str, str], says: str
) -> None:
    await house.settings.choose("ollama")
    house.type(model="m", **typed)
    for wish in (house.settings.steps.use, house.settings.steps.test):
        await wish()
        assert house.provider.server.result[0].startswith(says)
        assert not house.provider.server.result_ok
    assert house.kept.settings.provider.preset == "builtin"
    assert house.servers.tried == []


@pytest.mark.parametrize(
    ("address", "first"),
    [
        ("https://models.example/v1", "Passages of new messages go to models.example"),
        ("http://127.0.0.1:9/v1", "The server at 127.0.0.1 runs on this computer"),
    ],
)
async def test_a_server_without_a_name_of_its_own_is_asked_about_by_where_it_is(
    house: House, address: str, first: str
) -> None:
    await house.settings.load()
    await house.settings.choose("custom")
    house.type(base_url=address, model="m")
    await house.settings.steps.use()
    asked = house.provider.server.consent
    assert asked is not None
    assert asked.headline == f"Let the server at {address.split('/')[2].split(':')[0]} read along?"
    assert asked.sentences[0].startswith(first)


async def test_a_keyring_is_not_asked_after_where_no_server_is_named(house: House) -> None:
    house.secrets.locked = True
    await house.settings.load()
    before = house.provider.server.is_locked
    await house.settings.choose("openai")
    assert (before, house.provider.server.is_locked) == (False, True)
    assert house.secrets.dialogs == 0
