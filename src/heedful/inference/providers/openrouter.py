"""OpenRouter, which passes a request on to many makers; its model names carry the maker's."""

from types import MappingProxyType

from heedful.inference.preset import Preset, Price

PRESET = Preset(
    id="openrouter",
    label="OpenRouter",
    base_url="https://openrouter.ai/api/v1",
    default_model="openai/gpt-4o-mini",
    prices=MappingProxyType({"openai/gpt-4o-mini": Price(0.15, 0.075, 0.60)}),
)
