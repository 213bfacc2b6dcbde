from dataclasses import replace

import pytest

from heedful.core.settings import ProviderSettings
from heedful.inference import Preset, Price, Provider, Usage, presets, provider_for
from heedful.inference.budget import cost_of
from heedful.inference.urls import Reach, endpoint


def test_the_presets_are_those_that_people_ask_for() -> None:
    assert set(presets()) == {"openai", "openrouter", "ollama", "lmstudio", "llamacpp", "custom"}


@pytest.mark.parametrize("preset", [p for p in presets().values() if p.local], ids=lambda p: p.id)
def test_a_local_preset_stays_on_this_computer_needs_no_key_and_gets_one_thread_a_call(
    preset: object,
) -> None:

    assert isinstance(preset, Preset)
    assert endpoint(preset.base_url).reach is Reach.LOOPBACK
    assert endpoint(preset.base_url).base_url == preset.base_url
    assert not preset.needs_key
    assert preset.threads_per_call == 1
    assert preset.ports


def test_hosted_presets_need_a_key_and_get_a_batch() -> None:
    for name in ("openai", "openrouter"):
        preset = presets()[name]
        assert preset.needs_key
        assert preset.threads_per_call > 1
        assert endpoint(preset.base_url).base_url == preset.base_url
        assert preset.default_model in preset.prices


def _chosen(**settings: object) -> Provider:
    provider = provider_for(replace(ProviderSettings(), **settings), {})  # type: ignore[arg-type] # fields by name
    assert provider is not None
    return provider


def test_a_local_model_costs_nothing_and_an_unknown_hosted_one_an_unknown_sum() -> None:
    assert _chosen(preset="ollama", model="x").price == Price(0, 0, 0)
    assert _chosen(preset="openai", model="gpt-unheard-of").price is None
    assert cost_of(Usage(1000, 0, 10), None) is None


def test_the_persons_own_price_wins_over_the_presets() -> None:
    assert _chosen(preset="openai", input_price=3.0, output_price=9.0).price == Price(3.0, 3.0, 9.0)


def test_a_cost_is_rounded_up_and_cached_input_is_cheaper() -> None:
    price = Price(0.15, 0.075, 0.60)
    assert cost_of(Usage(1_000_000, 0, 1_000_000), price) == 750_000
    assert cost_of(Usage(1_000_000, 1_000_000, 0), price) == 75_000
    assert cost_of(Usage(1, 0, 0), price) == 1


def test_a_model_that_ollama_passes_on_to_its_makers_does_not_stay_here() -> None:
    assert _chosen(preset="ollama", model="qwen3:8b").stays_here
    assert not _chosen(preset="ollama", model="gpt-oss:120b-cloud").stays_here
    assert not _chosen(preset="ollama", model="kimi-k2:cloud").stays_here
    assert not _chosen(preset="ollama", model="x", base_url="http://192.168.1.20:11434").stays_here


def test_the_persons_word_on_threads_a_call_wins() -> None:
    assert _chosen(preset="ollama", model="x").threads_per_call == 1
    assert _chosen(preset="ollama", model="x", threads_per_call=5).threads_per_call == 5
