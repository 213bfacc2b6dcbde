"""Vectors from a server that speaks `/v1/embeddings`: the person's own, or one they agreed to send text to.

What a call for passages had got before it broke off is not asked for again, so a slow server gets there too.

The same rules as for any model: consent to this address first, sources that stay here are never sent to one
elsewhere, the day's budget, a row in the ledger for each request. Passages take at most half of the day's allowance,
and a server on this computer, which costs nothing, none of it; what passages it was given is not kept in the ledger a
second time, for nothing left the machine. A failure is not repeated here; the job that asked
is put off. Whoever may only read the store has no ledger to write to, and no such model.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus

from heedful.core.clock import Clock
from heedful.core.errors import BudgetSpentError, HeedfulError, PassingError, UserCanFixError
from heedful.core.ids import NewId, RunId, SourceId
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.core.settings import EmbeddingSettings
from heedful.inference import Inference, LedgerEntry, Outcome, Provider, Usage, ceiling_tokens
from heedful.inference.account import Account
from heedful.inference.budget import cost_of
from heedful.inference.failures import Reply, lacks_model, looks_like_html, no_sense, refusal, server_words
from heedful.inference.transport import HttpTransport, Transport
from heedful.memory.embeddings.server import PROVIDER_ID, provider_of
from heedful.memory.embeddings.units import embeddable
from heedful.memory.embeddings.vector_numpy import Floats, np

WITHIN_S: Mapping[str, float] = {"embed": 120.0, "recall": 4.0, "test": 30.0}
"""How long an answer may take, by the call's purpose: passages have time, a person who searches does not."""
SHARE_OF_DAY = 0.5
"""How much of the day's allowance passages may take: the rest is for what needs the person."""
AT_ONCE = 16
"""So that an answer is no longer than is taken: 4,096 numbers a text are 100 kB where a server prints them wide."""


def remote_embedder(
    settings: EmbeddingSettings, inference: Inference, secrets: Secrets, *, clock: Clock, new_id: NewId
) -> "Remote":
    """The embedder of that server, over the network, under the consents and the ledger of `inference`.

    Raises:
        UserCanFixError: Its address is none.
    """
    provider = provider_of(settings)

    async def key() -> str | None:
        try:
            return await asyncio.to_thread(secrets.get, provider.secret_name)
        except NoKeyringError:
            return None

    return Remote(provider, key, transport=HttpTransport(), inference=inference, clock=clock, new_id=new_id)


class Remote:
    """One model on one server."""

    def __init__(
        self,
        provider: Provider,
        key: Callable[[], Awaitable[str | None]],
        *,
        transport: Transport,
        inference: Inference,
        clock: Clock,
        new_id: NewId,
        within_s: Mapping[str, float] = WITHIN_S,
    ) -> None:
        """`key` finds the provider's secret, each time anew; None where it needs none."""
        self._provider = provider
        self._key = key
        self._transport = transport
        self._egress = inference.egress
        self._ledger = inference.ledger
        self._precedence = inference.precedence
        self._clock = clock
        self._new_id = new_id
        self._within_s = within_s
        self._got: dict[str, Floats] = {}

    @property
    def id(self) -> str:
        return f"{self._provider.endpoint.host}/{self._provider.model}"

    async def kept_back(self) -> frozenset[SourceId]:
        return await self._egress.kept_back(self._provider)

    async def embed(
        self, texts: Sequence[str], *, source_ids: Iterable[SourceId] = ()
    ) -> list[Floats | None]:
        sources = frozenset(source_ids)
        await self._egress.require(self._provider, sources)
        if sources and not self._provider.stays_here:
            await self._leave_half()
        fit = [embeddable(text) for text in texts]
        wanted = dict.fromkeys(text for text in fit if text)
        got = self._got if sources else {}
        for text in got.keys() - wanted.keys():
            del got[text]
        missing = [text for text in wanted if text not in got]
        purpose = "embed" if sources else "recall"
        for begin in range(0, len(missing), AT_ONCE):
            some = missing[begin : begin + AT_ONCE]
            got.update(zip(some, await self._ask(some, tuple(sources), purpose), strict=True))
        vectors = [got[text] if text else None for text in fit]
        got.clear()
        return vectors

    async def _leave_half(self) -> None:
        if await self._ledger.share_spent_today() >= SHARE_OF_DAY:
            raise BudgetSpentError(
                "Half of today's allowance is used",
                "Preparing passages leaves the rest to what needs you.",
                "It goes on tomorrow by itself; you can raise the allowance in Settings.",
            )

    async def try_out(self, texts: Sequence[str]) -> list[Floats]:
        """The vectors of a few made-up texts, for whoever wants to know whether the server does what it should.

        Raises:
            HeedfulError: As `embed`.
        """
        await self._egress.require(self._provider, ())
        return await self._ask(texts, (), "test")

    async def _ask(
        self, texts: Sequence[str], source_ids: tuple[SourceId, ...], purpose: str
    ) -> list[Floats]:
        most = Usage(input=sum(ceiling_tokens(text) for text in texts))
        entry = self._entry(texts, source_ids, most, purpose)
        price = self._provider.price
        async with Account(self._ledger, entry, most=most, price=price, clock=self._clock) as trail:
            trail.attempts = trail.unanswered = 1
            with self._precedence.working(self._provider):
                reply = await self._transport.send(
                    self._provider,
                    _address(self._provider),
                    key=await self._key(),
                    body={"model": self._provider.model, "input": list(texts), "encoding_format": "float"},
                    within_s=self._within_s[purpose],
                )
            trail.unanswered = 0
            counted = _counted(reply.text)
            trail.usage, trail.estimated = counted or most, counted is None
            if reply.status != HTTPStatus.OK:
                raise _refused(reply, self._provider, self._clock.now())
            return _vectors(reply.text, len(texts), self._provider)

    def _entry(
        self, texts: Sequence[str], source_ids: tuple[SourceId, ...], most: Usage, purpose: str
    ) -> LedgerEntry:
        return LedgerEntry(
            id=self._new_id(),
            run_id=RunId(PROVIDER_ID),
            at=self._clock.now(),
            purpose=purpose,
            provider=self._provider.id,
            host=self._provider.endpoint.host,
            model=self._provider.model,
            prompt="",
            source_ids=source_ids,
            usage=most,
            estimated=True,
            cost_microdollars=cost_of(most, self._provider.price),
            duration_ms=0,
            attempts=0,
            outcome=Outcome.RUNNING,
            error=None,
            request=None if source_ids and self._provider.stays_here else "\n".join(texts),
            response=None,
        )


def _address(provider: Provider) -> str:
    return f"{provider.endpoint.base_url}/embeddings"


def _refused(reply: Reply, provider: Provider, now: datetime) -> HeedfulError:
    """As any model server's refusal, but for the ways in which a server says that it makes no embeddings."""
    if reply.status in {404, 405, 410, 501} and not lacks_model(reply.status, server_words(reply.text)):
        return UserCanFixError(
            f"{provider.label} makes no embeddings",
            f"{_address(provider)} answered {reply.status}.",
            "Check the address in Settings, and that the server was started to make them.",
        )
    return refusal(reply, provider, now)


def _counted(body: str) -> Usage | None:
    """The tokens that the server counted; None where it did not."""
    try:
        tokens = json.loads(body)["usage"]["prompt_tokens"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return Usage(input=tokens) if type(tokens) is int and tokens >= 0 else None


def _vectors(body: str, count: int, provider: Provider) -> list[Floats]:
    """The vectors of an answer in the order of the texts, made one long.

    Raises:
        PassingError: It is no answer of this kind, or not one vector for each text.
    """
    try:
        data = json.loads(body)["data"]
        ordered = sorted(data, key=lambda entry: int(entry["index"]))
        vectors = [np.asarray(entry["embedding"], np.float32) for entry in ordered]
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as exc:
        if looks_like_html(body):
            raise no_sense(provider, html=True) from exc
        raise _unusable("It holds no embeddings.") from exc
    if len(vectors) != count:
        raise _unusable(f"Asked for {count} vectors, it gave {len(vectors)}.")
    if any(vector.ndim != 1 or not vector.size or vector.shape != vectors[0].shape for vector in vectors):
        raise _unusable("Its vectors are not all of one length.")
    lengths = [float(np.linalg.norm(vector)) for vector in vectors]
    if not all(np.isfinite(length) and length > 0 for length in lengths):
        raise _unusable("It holds zeros, or what is no number.")
    return [vector / np.float32(length) for vector, length in zip(vectors, lengths, strict=True)]


def _unusable(why: str) -> PassingError:
    return PassingError(
        "The embedding server's answer can't be used",
        why,
        "Check the model's name in Settings; it must be an embedding model.",
    )
