"""OpenAI's own service."""

from types import MappingProxyType

from heedful.inference.preset import Preset, Price

PRESET = Preset(
    id="openai",
    label="OpenAI",
    base_url="https://api.openai.com/v1",
    default_model="gpt-4o-mini",
    # Source: OpenAI's price list, standard tier; the person's own prices in the settings win.
    prices=MappingProxyType(
        {
            "gpt-4o-mini": Price(0.15, 0.075, 0.60),
            "gpt-4.1-mini": Price(0.40, 0.10, 1.60),
            "gpt-4.1-nano": Price(0.10, 0.025, 0.40),
            "gpt-4o": Price(2.50, 1.25, 10.00),
        }
    ),
)
