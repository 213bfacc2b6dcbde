"""Vectors from a server that speaks `/v1/embeddings`: the person's own, or one they agreed to send text to.

The same rules as for any model: consent to this address first, sources that stay here are never sent to one
elsewhere, the day's budget, a row in the ledger for each request. A failure is not repeated here; the job that asked
is put off. Whoever may only read the store has no ledger to write to, and no such model.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from http import HTTPStatus

from heedful.core.clock import Clock
from heedful.core.errors import PassingError
from heedful.core.ids import NewId, RunId, SourceId
from heedful.core.secrets import NoKeyringError, Secrets
from heedful.core.settings import EmbeddingSettings
from heedful.inference import Inference, LedgerEntry, Outcome, Usage, ceiling_tokens
from heedful.inference.account import Account
from heedful.inference.failures import refusal
from heedful.inference.preset import Provider
from heedful.inference.transport import HttpTransport, Transport
from heedful.inference.urls import endpoint
from heedful.memory.embeddings.units import embeddable
from heedful.memory.vector_numpy import Floats, np

WITHIN_S = 30.0
AT_ONCE = 64


PROVIDER_ID = "embeddings"
"""Under which the person's consent to an embedding server, and its key, are kept."""


def provider_of(settings: EmbeddingSettings) -> Provider:
    """The server that the settings name.

    Raises:
        UserCanFixError: Its address is none.
    """
    place = endpoint(settings.base_url)
    return Provider(
        PROVIDER_ID, place.host, place, settings.model, needs_key=False, threads_per_call=0, price=None
    )


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
    ) -> None:
        """`key` finds the provider's secret, each time anew; None where it needs none."""
        self._provider = provider
        self._key = key
        self._transport = transport
        self._egress = inference.egress
        self._ledger = inference.ledger
        self._clock = clock
        self._new_id = new_id

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
        fit = [embeddable(text) for text in texts]
        wanted = [text for text in fit if text]
        made: list[Floats] = []
        for begin in range(0, len(wanted), AT_ONCE):
            made += await self._ask(wanted[begin : begin + AT_ONCE], tuple(sources))
        vectors = iter(made)
        return [next(vectors) if text else None for text in fit]

    async def _ask(self, texts: list[str], source_ids: tuple[SourceId, ...]) -> list[Floats]:
        most = Usage(input=sum(ceiling_tokens(text) for text in texts))
        entry = self._entry(texts, source_ids, most)
        async with Account(self._ledger, entry, most=most, price=None, clock=self._clock) as trail:
            trail.attempts = trail.unanswered = 1
            reply = await self._transport.send(
                self._provider,
                f"{self._provider.endpoint.base_url}/embeddings",
                key=await self._key(),
                body={"model": self._provider.model, "input": texts, "encoding_format": "float"},
                within_s=WITHIN_S,
            )
            trail.unanswered = 0
            trail.usage, trail.estimated = most, True
            if reply.status != HTTPStatus.OK:
                raise refusal(reply, self._provider, self._clock.now())
            return _vectors(reply.text, len(texts))

    def _entry(self, texts: list[str], source_ids: tuple[SourceId, ...], most: Usage) -> LedgerEntry:
        return LedgerEntry(
            id=self._new_id(),
            run_id=RunId(PROVIDER_ID),
            at=self._clock.now(),
            purpose="embed" if source_ids else "recall",
            provider=self._provider.id,
            host=self._provider.endpoint.host,
            model=self._provider.model,
            prompt="",
            source_ids=source_ids,
            usage=most,
            estimated=True,
            cost_microdollars=None,
            duration_ms=0,
            attempts=0,
            outcome=Outcome.RUNNING,
            error=None,
            request="\n".join(texts),
            response=None,
        )


def _vectors(body: str, count: int) -> list[Floats]:
    """The vectors of an answer in the order of the texts, made one long.

    Raises:
        PassingError: It is no answer of this kind, or not one vector for each text.
    """
    try:
        data = json.loads(body)["data"]
        ordered = sorted(data, key=lambda entry: int(entry["index"]))
        vectors = [np.asarray(entry["embedding"], np.float32) for entry in ordered]
    except (ValueError, KeyError, TypeError) as exc:
        raise _unreadable() from exc
    if len(vectors) != count or any(
        vector.ndim != 1 or vector.shape != vectors[0].shape for vector in vectors
    ):
        raise _unreadable()
    lengths = [float(np.linalg.norm(vector)) for vector in vectors]
    if not all(np.isfinite(length) and length > 0 for length in lengths):
        raise _unreadable()
    return [vector / np.float32(length) for vector, length in zip(vectors, lengths, strict=True)]


def _unreadable() -> PassingError:
    return PassingError(
        "The embedding server's answer can't be used",
        "It is not one vector for each text.",
        "Check the model's name in Settings; it must be an embedding model.",
    )
