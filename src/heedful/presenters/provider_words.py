"""A provider in words: what is in force, what stands in empty fields, and what is asked before it is used."""

from dataclasses import dataclass

from heedful.core.settings import ProviderSettings
from heedful.inference import LocalServer, Preset, Provider, presets
from heedful.inference.preset import FREE
from heedful.presenters.numbers import count
from heedful.presenters.provider_form import BUILTIN, ProviderForm
from heedful.presenters.server_access import named
from heedful.presenters.server_steps import ConsentRequest, Then


@dataclass(frozen=True, slots=True)
class Hints:
    """What stands in empty fields, and whether the provider needs a key."""

    address: str = ""
    model: str = ""
    needs_key: bool = False
    input_price: str = ""
    output_price: str = ""
    threads_per_call: str = ""


def consent_request(provider: Provider, then: Then) -> ConsentRequest:
    """What is asked before the first byte goes to a provider."""
    if provider.stays_here:
        name = named(provider)
        where = f"{name[:1].upper()}{name[1:]} runs on this computer: nothing leaves it."
    else:
        where = f"Passages of new messages go to {provider.endpoint.host}, over the network, to find what needs you."
    sentences = [where]
    if not provider.stays_here:
        sentences.append(
            "Sources that stay on this computer are never sent. Keys and passwords are cut out first."
        )
    sentences.append("Each call is listed with what was sent and what it cost. You can go back at any time.")
    if provider.endpoint.caution:
        sentences.append(provider.endpoint.caution)
    return ConsentRequest(f"Let {named(provider)} read along?", tuple(sentences), then)


def in_force_words(provider: ProviderSettings) -> str:
    """What reads along now."""
    if provider.preset == BUILTIN:
        return "the built-in finder"
    preset = presets().get(provider.preset)
    label = preset.label if preset is not None else provider.preset
    model = provider.model or (preset.default_model if preset is not None else "")
    return f"{label}, {model}" if model else label


def hints_for(form: ProviderForm) -> Hints:
    """What stands in the fields while they are empty."""
    preset = presets().get(form.preset)
    if preset is None:
        return Hints()
    known = FREE if preset.local else preset.prices.get(form.model.strip() or preset.default_model)
    return Hints(
        preset.base_url or "https://…/v1",
        preset.default_model or "the model's name",
        preset.needs_key,
        input_price="unknown" if known is None else f"{known.input:g}",
        output_price="unknown" if known is None else f"{known.output:g}",
        threads_per_call=str(preset.threads_per_call),
    )


def preset_words(preset: Preset, server: LocalServer | None) -> str:
    """Where a provider is, and whether it was found running on this computer."""
    if server is not None:
        return f"Runs on this computer now, with {count(len(server.models), 'model')}."
    if preset.local:
        return "On this computer; it was not found running."
    return (
        "Over the network, with a key." if preset.needs_key else "Any server that speaks the same protocol."
    )
