"""A provider kind as shipped, and the provider that a person's settings make of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from heedful.core import discovery
from heedful.core.errors import UserCanFixError
from heedful.core.settings import ProviderSettings, effective_model
from heedful.inference.urls import Endpoint, Reach, endpoint

BUILTIN = "builtin"
WHOLE_BATCH = 20

# Ollama passes models of these names on to its makers' servers, although it answers on loopback.
# Source: Ollama's documentation, «Cloud models».
_REMOTE_MODEL_ENDINGS = ("-cloud", ":cloud")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens."""

    input: float
    cached_input: float
    output: float


FREE = Price(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Preset:
    """One kind of provider: what is filled in for the person, and how its models like to be asked.

    `base_url` is empty where the person must give one. `default_model` is empty where there is no sensible one.
    `ports` are where a server of this kind listens by itself on loopback. `prices` are by model name.
    """

    id: str
    label: str
    base_url: str
    default_model: str = ""
    needs_key: bool = True
    local: bool = False
    ports: tuple[int, ...] = ()
    threads_per_call: int = WHOLE_BATCH
    prices: Mapping[str, Price] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Provider:
    """The endpoint, model and terms in use. `price` None means unknown: then only tokens are budgeted."""

    id: str
    label: str
    endpoint: Endpoint
    model: str
    needs_key: bool
    threads_per_call: int
    price: Price | None

    @property
    def name(self) -> str:
        """As items and ledger rows carry it: `openai/gpt-4o-mini`."""
        return f"{self.id}/{self.model}"

    @property
    def secret_name(self) -> str:
        """The name of its key in the keyring: bound to the host, so that a key never goes to another one."""
        return f"provider:{self.id}@{self.endpoint.host}"

    @property
    def stays_here(self) -> bool:
        """Whether what is sent never leaves this computer: a loopback address, and no model run elsewhere."""
        return self.endpoint.reach is Reach.LOOPBACK and not self.model.endswith(_REMOTE_MODEL_ENDINGS)


@cache
def presets() -> Mapping[str, Preset]:
    """Every provider kind of the package, by id."""
    import heedful.inference.providers as package

    return MappingProxyType(discovery.discover(package, "PRESET", Preset, key=lambda preset: preset.id))


def provider_for(settings: ProviderSettings, environment: Mapping[str, str]) -> Provider | None:
    """The provider that the settings name; None for the built-in finder, which needs no network.

    Raises:
        UserCanFixError: The preset is unknown, its address is unusable, or no model is chosen.
    """
    provider = candidate_for(settings, environment)
    if provider is not None and not provider.model:
        raise UserCanFixError(
            f"No model is chosen for {provider.label}", "", "Name the one to ask in Settings → Model."
        )
    return provider


def candidate_for(settings: ProviderSettings, environment: Mapping[str, str]) -> Provider | None:
    """As `provider_for`, also while no model is chosen: good for asking which models there are.

    Raises:
        UserCanFixError: The preset is unknown, or its address is unusable.
    """
    if settings.preset == BUILTIN:
        return None
    preset = presets().get(settings.preset)
    if preset is None:
        known = ", ".join((BUILTIN, *presets()))
        raise UserCanFixError("The settings name an unknown provider", "", f"Choose one of: {known}.")
    model = effective_model(settings, environment, preset.default_model)
    return Provider(
        id=preset.id,
        label=preset.label,
        endpoint=endpoint(settings.base_url or preset.base_url),
        model=model,
        needs_key=preset.needs_key,
        threads_per_call=settings.threads_per_call or preset.threads_per_call,
        price=_price(settings, preset, model),
    )


def _price(settings: ProviderSettings, preset: Preset, model: str) -> Price | None:
    if settings.input_price is not None and settings.output_price is not None:
        return Price(settings.input_price, settings.input_price, settings.output_price)
    if preset.local:
        return FREE
    return preset.prices.get(model)
