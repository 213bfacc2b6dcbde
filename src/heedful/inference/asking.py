"""The room's front desk: one way to ask a model, in which nothing can be skipped.

Consent, then budget, then the call, then the ledger. Whoever wants a model's help asks `ready` first and `ask`
then; there is no other way to a provider.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from heedful.core.clock import Clock
from heedful.core.errors import HeedfulError, UserCanFixError
from heedful.core.ids import NewId, RunId, SourceId
from heedful.core.paths import shipped
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.core.settings import ProviderSettings, Settings
from heedful.inference.abilities import AbilitiesStore
from heedful.inference.account import Account
from heedful.inference.breaker import Breaker
from heedful.inference.budget import Spending, budget_spent, cost_of, shortfall
from heedful.inference.chat import ChatClient, Limits
from heedful.inference.egress import Egress, no_consent
from heedful.inference.exchange import ChatMessage, Usage
from heedful.inference.failures import refusal, wrong_key
from heedful.inference.ledger import Ledger
from heedful.inference.ledger_store import LedgerEntry, Outcome
from heedful.inference.models import read_models
from heedful.inference.precedence import Precedence
from heedful.inference.preset import Provider, candidate_for, provider_for
from heedful.inference.prompts import Prompt, read_prompt
from heedful.inference.structured import Question, StructuredAnswer, ask_items
from heedful.inference.tokens import ceiling_of
from heedful.inference.transport import HttpTransport, Transport
from heedful.inference.trial import Trial, told_of_answer, told_of_models
from heedful.storage import Store

MAX_OUTPUT_TOKENS = 1500
MODELS_WITHIN_S = 15.0
TRIAL_PROMPT = "PROVIDER_TEST.md"
TRIAL_OUTPUT_TOKENS = 300


class WhyNot(StrEnum):
    """Why no model is asked."""

    BUILTIN = "builtin"
    SETTINGS = "settings"
    CONSENT = "consent"
    KEY = "key"
    REFUSED = "refused"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True)
class NotReady:
    """No provider is ready. `error` has the sentences to show; None where the built-in finder was chosen."""

    why: WhyNot
    error: HeedfulError | None = None

    @property
    def sentence(self) -> str:
        """The reason in one line, as Activity shows it."""
        return self.error.sentence() if self.error else "The built-in finder is in use; no model is asked."


class Inference:
    """Asks the provider that the settings name. Its methods are for the event loop."""

    def __init__(
        self,
        store: Store,
        secrets: Secrets,
        *,
        clock: Clock,
        settings: Callable[[], Settings],
        environment: Mapping[str, str],
        new_id: NewId,
        transport: Transport | None = None,
        limits: Limits | None = None,
    ) -> None:
        self._secrets = secrets
        self._clock = clock
        self._settings = settings
        self._environment = environment
        self._new_id = new_id
        self._transport = transport or HttpTransport()
        self._limits = limits or Limits()
        self._breaker = Breaker()
        self.precedence = Precedence(clock)
        self._abilities = AbilitiesStore(store)
        self.egress = Egress(store, clock)
        self.ledger = Ledger(store, clock, lambda: settings().budget)

    async def ready(self) -> Provider | NotReady:
        """The provider to ask, or why there is none right now. Sends nothing."""
        try:
            provider = provider_for(self._settings().provider, self._environment)
        except UserCanFixError as exc:
            return NotReady(WhyNot.SETTINGS, exc)
        if provider is None:
            return NotReady(WhyNot.BUILTIN)
        if not await self.egress.is_allowed(provider):
            return NotReady(WhyNot.CONSENT, no_consent(provider))
        if (lasting := self._breaker.refusal(provider)) is not None:
            return NotReady(WhyNot.REFUSED, lasting)
        try:
            await self._key(provider)
        except UserCanFixError as exc:
            return NotReady(WhyNot.KEY, exc)
        missing = shortfall(self._settings().budget, await self.ledger.spent_today(), Spending(1, None))
        if missing is not None:
            return NotReady(WhyNot.BUDGET, budget_spent(missing, self._clock.now(), self._clock.zone))
        return provider

    async def ask(
        self,
        purpose: str,
        user_text: str,
        *,
        run_id: RunId,
        prompt: Prompt,
        source_ids: tuple[SourceId, ...],
        provider: Provider,
        max_output_tokens: int = MAX_OUTPUT_TOKENS,
        gives_way: bool = False,
    ) -> StructuredAnswer:
        """The model's items for the prompt as system message and `user_text` as the person's.

        Every call leaves a row in the ledger, also one that fails or is cancelled. Cancelling closes the HTTP
        request. One that `gives_way` is for nobody who waits: see `precedence`.

        Raises:
            GaveWayError: Only one that gives way: another call came first.
            NoConsentError, KeptBackError: Nothing was sent.
            DailyBudgetSpentError: The day's allowance does not cover it.
            UserCanFixError: Only the person can remedy it; not asked again until `reset`.
            TooLongError: Split it.
            RejectedError: This text got no usable answer.
            PassingError: Try again later.
        """
        await self.egress.require(provider, source_ids)
        messages = (ChatMessage("system", prompt.text()), ChatMessage("user", user_text))
        question = Question(messages, prompt.schema, prompt.id, max_output_tokens)
        most = Usage(ceiling_of(messages, prompt.schema), 0, max_output_tokens)
        client = ChatClient(
            provider, await self._key(provider), transport=self._transport, clock=self._clock,
            breaker=self._breaker, limits=self._limits,
        )  # fmt: skip
        entry = LedgerEntry(
            self._new_id(), run_id, self._clock.now(), purpose, provider.id, provider.endpoint.host, provider.model,
            prompt.name, source_ids, most, True, cost_of(most, provider.price), 0, 0, Outcome.RUNNING, None,
            json.dumps([{"role": message.role, "content": message.content} for message in messages]), None,
        )  # fmt: skip
        async with self.precedence.turn(provider, gives_way=gives_way):
            return await self._recorded(client, question, entry, most)

    async def models(self, provider: Provider) -> tuple[str, ...]:
        """The models that the provider lists; empty where it has no such list.

        Raises:
            NoConsentError: Nothing was sent.
            UserCanFixError: The key, the address or the credit.
            PassingError: It can't be reached.
        """
        await self.egress.require(provider, ())
        reply = await self._transport.send(
            provider,
            provider.endpoint.models_url,
            key=await self._key(provider),
            body=None,
            within_s=MODELS_WITHIN_S,
        )
        if reply.status in {404, 405, 501}:
            return ()
        if reply.status >= 300:
            raise refusal(reply, provider, self._clock.now())
        return read_models(reply, provider)

    async def try_out(self, chosen: ProviderSettings, *, run_id: RunId) -> Trial:
        """What the Test button tells: whether the provider of these settings, saved or not, answers as needed.

        Asks for its models and for one tiny answer; needs the person's consent like every call.
        """
        self.reset()
        models: tuple[str, ...] = ()
        try:
            provider = candidate_for(chosen, self._environment)
            if provider is None:
                return Trial(True, ("The built-in finder needs no network.",))
            models = await self.models(provider)
            told = told_of_models(provider, models)
            if not provider.model:
                return Trial(False, told, models)
            await self._abilities.forget(provider)
            prompt = read_prompt(shipped("prompts", TRIAL_PROMPT))
            answer = await self.ask(
                "test", "Ready?", run_id=run_id, prompt=prompt, source_ids=(), provider=provider,
                max_output_tokens=TRIAL_OUTPUT_TOKENS,
            )  # fmt: skip
        except HeedfulError as exc:
            return Trial(False, (exc.sentence(),), models)
        return Trial(True, (*told_of_answer(answer), *told), models)

    def reset(self) -> None:
        """Lets a provider that refused be asked again: the settings or a key have changed."""
        self._breaker.reset()

    async def _recorded(
        self, client: ChatClient, question: Question, entry: LedgerEntry, most: Usage
    ) -> StructuredAnswer:
        abilities = await self._abilities.recall(client.provider)
        account = Account(self.ledger, entry, most=most, price=client.provider.price, clock=self._clock)
        async with account as trail:
            answer = await ask_items(client, question, abilities, trail)
        if answer.abilities != abilities:
            await self._abilities.remember(client.provider, answer.abilities, self._clock.now())
        return answer

    async def _key(self, provider: Provider) -> str | None:
        """The provider's key from the keyring; None where it has none and needs none.

        Raises:
            UserCanFixError: It needs one, and there is none.
        """
        try:
            key = await asyncio.to_thread(self._secrets.get, provider.secret_name)
        except NoKeyringError:
            if provider.needs_key:
                raise
            return None
        if not key and provider.needs_key:
            raise wrong_key(provider)
        return key
