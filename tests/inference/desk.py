"""Sets up what the tests of this room share: a provider on a test's own server, a client, a whole desk."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from heedful.core.bus import Bus
from heedful.core.ids import RunId, SourceId, random_id
from heedful.core.paths import home_at
from heedful.core.settings import BudgetSettings, ProviderSettings, Settings
from heedful.inference import Inference, Price, Prompt, Provider, StructuredAnswer
from heedful.inference.breaker import Breaker
from heedful.inference.chat import ChatClient, Limits
from heedful.inference.exchange import ChatMessage, ChatRequest
from heedful.inference.transport import HttpTransport
from heedful.inference.urls import endpoint
from heedful.storage import Key, KeyKind, Store
from tests.fakes.clock import FakeClock
from tests.fakes.secrets import FakeSecrets

MORNING = datetime(2026, 11, 26, 9, 10, tzinfo=UTC)
SCHEMA: dict[str, object] = {"type": "object", "properties": {"items": {"type": "array", "maxItems": 20}}}
PROMPT = Prompt("looking", 3, (), "List what is due.", SCHEMA)
RUN = RunId("run-1")
MAIL = SourceId("mail")
REQUEST = ChatRequest((ChatMessage("system", "Answer."), ChatMessage("user", "Hello")), 50)


def provider_at(base_url: str, *, price: Price | None = None, preset: str = "custom") -> Provider:
    """A provider at a test's server."""
    return Provider(preset, "Test server", endpoint(base_url), "small-model", False, 1, price)


def client_of(
    provider: Provider,
    clock: FakeClock,
    *,
    key: str | None = None,
    breaker: Breaker | None = None,
    limits: Limits | None = None,
) -> ChatClient:
    """A client over the real transport."""
    return ChatClient(
        provider, key, transport=HttpTransport(), clock=clock, breaker=breaker or Breaker(), limits=limits
    )


@dataclass(slots=True)
class Desk:
    """An `Inference` on a real store, with settings that a test may change."""

    store: Store
    clock: FakeClock
    settings: Settings
    secrets: FakeSecrets = field(default_factory=FakeSecrets)
    environment: dict[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    inference: Inference = field(init=False)

    def __post_init__(self) -> None:
        self.inference = Inference(
            self.store,
            self.secrets,
            clock=self.clock,
            settings=lambda: self.settings,
            environment=self.environment,
            new_id=random_id,
            limits=self.limits,
        )

    def choose(
        self,
        base_url: str,
        *,
        model: str = "small-model",
        budget: BudgetSettings | None = None,
        prices: tuple[float, float] | None = None,
    ) -> None:
        """Makes a custom server at `base_url` the provider; `prices` are of input and output."""
        given, asked = prices or (None, None)
        chosen = ProviderSettings("custom", base_url, model, input_price=given, output_price=asked)
        self.settings = Settings(provider=chosen, budget=budget or BudgetSettings())

    async def agreed(self) -> Provider:
        """The chosen provider, after the person's consent."""
        where = endpoint(self.settings.provider.base_url)
        await self.inference.egress.allow("custom", where.base_url)
        provider = await self.inference.ready()
        assert isinstance(provider, Provider), provider
        return provider

    async def ask(
        self,
        provider: Provider,
        text: str = "Pay the rent today.",
        *,
        sources: tuple[SourceId, ...] = (MAIL,),
    ) -> StructuredAnswer:
        """One question with the short prompt of these tests."""
        return await self.inference.ask(
            "test",
            text,
            run_id=RUN,
            prompt=PROMPT,
            source_ids=sources,
            provider=provider,
            max_output_tokens=100,
        )


@contextmanager
def open_desk(
    folder: Path, clock: FakeClock | None = None, *, limits: Limits | None = None
) -> Iterator[Desk]:
    """A desk on a store of its own below `folder`."""
    store = Store.open(home_at(folder), Key(KeyKind.KEYRING, "7e" * 32), Bus())
    try:
        yield Desk(store, clock or FakeClock(MORNING), Settings(), limits=limits or Limits())
    finally:
        store.close()
