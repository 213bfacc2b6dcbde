"""Asks a provider one question over the chat-completions protocol: the only layer that retries."""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from heedful.core.clock import Clock
from heedful.core.errors import PassingError, UserCanFixError
from heedful.inference.breaker import Breaker
from heedful.inference.exchange import NOTHING, ChatAnswer, ChatRequest, Usage
from heedful.inference.failures import (
    RefusedError,
    Reply,
    ServerFailedError,
    UnreachableError,
    UnsupportedError,
    looks_like_html,
    no_sense,
    refusal,
    timed_out,
)
from heedful.inference.preset import Provider
from heedful.inference.tokens import estimate_of, estimate_tokens
from heedful.inference.transport import Transport

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how often. The whole call, with all its attempts and waits, ends within `total_s`.

    One attempt may take `attempt_s`; at a model on this computer it may take all of the time, because trying
    again would only start the same work anew. A wait longer than `longest_wait_s` is left to the caller.
    """

    total_s: float = 120.0
    attempt_s: float = 75.0
    attempts: int = 3
    longest_wait_s: float = 20.0
    first_wait_s: float = 1.0


@dataclass(slots=True)
class Trail:
    """What a call has done so far, for whoever accounts for it even when it fails or is cancelled.

    `usage` sums what was counted, by the provider or, where `estimated`, by us. `unanswered` counts attempts that
    were sent and brought no answer: they may be billed all the same. `before_attempt` is awaited before each
    attempt; what it raises ends the call.
    """

    before_attempt: "BeforeAttempt | None" = None
    attempts: int = 0
    unanswered: int = 0
    usage: Usage = NOTHING
    estimated: bool = False
    model: str = ""
    raw: str = ""


BeforeAttempt = Callable[[Trail], Awaitable[None]]


class ChatClient:
    """One provider with its key."""

    def __init__(
        self,
        provider: Provider,
        key: str | None,
        *,
        transport: Transport,
        clock: Clock,
        breaker: Breaker,
        limits: Limits | None = None,
    ) -> None:
        self.provider = provider
        self._key = key
        self._transport = transport
        self._clock = clock
        self._breaker = breaker
        self._limits = limits or Limits()

    async def complete(self, request: ChatRequest, trail: Trail | None = None) -> ChatAnswer:
        """The provider's answer. Cancelling closes the HTTP request at once.

        Raises:
            UserCanFixError: The key, the model, the address or the credit; it is not asked again before a reset.
            TooLongError: What was sent does not fit; half of it may.
            RefusedError, RejectedError: It won't answer this.
            UnsupportedError: It does not take a field of the request.
            PassingError: It failed in every attempt, or asks for a longer wait.
            BudgetSpentError: `trail.before_attempt` said so.
        """
        if (lasting := self._breaker.refusal(self.provider)) is not None:
            raise lasting
        try:
            return await self._persist(request, trail or Trail())
        except UserCanFixError as exc:
            self._breaker.trip(self.provider, exc)
            raise

    async def _persist(self, request: ChatRequest, trail: Trail) -> ChatAnswer:
        began = self._clock.monotonic()
        for attempt in range(1, self._limits.attempts + 1):
            try:
                if trail.before_attempt is not None:
                    await trail.before_attempt(trail)
                return await self._attempt(request, trail, began)
            except PassingError as exc:
                if request.probing and isinstance(exc, ServerFailedError) and attempt > 1:
                    raise UnsupportedError("response_format") from exc
                wait_s = self._wait_s(attempt, exc)
                if attempt == self._limits.attempts or wait_s is None or wait_s >= self._left_s(began):
                    raise
                log.info("attempt %d failed: %s; trying again in %.1f s", attempt, type(exc).__name__, wait_s)
            await self._clock.sleep(wait_s)
        raise AssertionError("the last attempt returns or raises")

    async def _attempt(self, request: ChatRequest, trail: Trail, began: float) -> ChatAnswer:
        left_s = self._left_s(began)
        if left_s <= 0:
            raise timed_out(self.provider, self._limits.total_s)
        within_s = left_s if self.provider.stays_here else min(left_s, self._limits.attempt_s)
        trail.attempts += 1
        trail.unanswered += 1
        body = request.payload(self.provider.model)
        try:
            reply = await self._transport.send(
                self.provider, self.provider.endpoint.chat_url, key=self._key, body=body, within_s=within_s
            )
        except UnreachableError:
            trail.unanswered -= 1
            raise
        trail.raw = reply.text
        if reply.status >= 300:
            trail.unanswered -= 1
            raise refusal(reply, self.provider, self._clock.now())
        duration_ms = round((self._clock.monotonic() - began) * 1000)
        return self._read(reply, request, trail, duration_ms)

    def _read(self, reply: Reply, request: ChatRequest, trail: Trail, duration_ms: int) -> ChatAnswer:
        body = self._body(reply)
        usage, model = read_usage(body), str(body.get("model") or self.provider.model)
        trail.model = model
        if usage is not None:
            trail.unanswered -= 1
            trail.usage += usage
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            raise no_sense(self.provider, html=False)
        self._raise_error_inside(choice, reply)
        text, finish = self._text(choice), str(choice.get("finish_reason") or "")
        estimated = usage is None
        if usage is None:
            usage = Usage(estimate_of(request.messages), 0, estimate_tokens(text))
            trail.unanswered -= 1
            trail.usage += usage
            trail.estimated = True
        return ChatAnswer(text, usage, estimated, model, finish, trail.attempts, duration_ms, reply.text)

    def _body(self, reply: Reply) -> dict[str, object]:
        try:
            body = json.loads(reply.text)
        except (ValueError, RecursionError) as exc:
            raise no_sense(self.provider, html=looks_like_html(reply.text)) from exc
        if not isinstance(body, dict):
            raise no_sense(self.provider, html=False)
        self._raise_error_inside(body, reply)
        return body

    def _text(self, choice: dict[str, object]) -> str:
        message = choice.get("message")
        message = message if isinstance(message, dict) else {}
        if message.get("refusal") or choice.get("finish_reason") == "content_filter":
            raise RefusedError(
                f"{self.provider.label} declined to answer this text", "", "It is passed over."
            )
        content = message.get("content")
        if isinstance(content, list):
            parts = (part.get("text") for part in content if isinstance(part, dict))
            content = "".join(part for part in parts if isinstance(part, str))
        if not isinstance(content, str) or not content.strip():
            if choice.get("finish_reason") == "length":
                return ""
            raise no_sense(self.provider, html=False)
        return content

    def _raise_error_inside(self, part: dict[str, object], reply: Reply) -> None:
        """Some gateways answer 200 and put the failure of the maker behind them into the body."""
        error = part.get("error")
        if not error:
            return
        code = error.get("code") if isinstance(error, dict) else None
        status = int(code) if isinstance(code, int | str) and str(code).isdecimal() else 502
        inner = Reply(status if 400 <= status < 600 else 502, reply.headers, json.dumps({"error": error}))
        raise refusal(inner, self.provider, self._clock.now())

    def _wait_s(self, attempt: int, error: PassingError) -> float | None:
        """Seconds before the next attempt; None when the other side asks for more than we wait here."""
        own = self._limits.first_wait_s * 2.0 ** (attempt - 1)
        wait_s = own if error.retry_after_s is None else max(error.retry_after_s, 0.0)
        return wait_s if wait_s <= self._limits.longest_wait_s else None

    def _left_s(self, began: float) -> float:
        return self._limits.total_s - (self._clock.monotonic() - began)


def read_usage(body: dict[str, object]) -> Usage | None:
    """The tokens that the server counted, in the field names of several; None where it counted none."""
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    if cached is None:
        cached = usage.get("prompt_cache_hit_tokens")
    total, output = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(total, int) or not isinstance(output, int):
        return None
    cached = cached if isinstance(cached, int) else 0
    return Usage(max(0, total), max(0, min(cached, total)), max(0, output))
