"""Whatever can go wrong between us and a provider, as one of our errors.

what came back                                   ours                what is done about it
401, 403                                         UserCanFixError     the key: say once, ask no more
402, 429 «insufficient quota»                    UserCanFixError     no credit left
404, 400 naming the model                        UserCanFixError     no such model
3xx, 404, 405, 410                               UserCanFixError     not the address of a model server
413, or a body that speaks of the context size   TooLongError        split what was sent
400, 422, 501 naming a field we sent             UnsupportedError    send it otherwise
403 or 400 of a moderation, other 4xx            RejectedError       drop this one
408, 409, 425, 429, 5xx                          PassingError        try again, after Retry-After
httpx errors                                     `_foreign_table` below

The words of a server are never shown: they may repeat what was sent. They are in the ledger.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Literal

from heedful.core.errors import HeedfulError, PassingError, RejectedError, UserCanFixError
from heedful.inference.preset import Provider
from heedful.inference.urls import Reach

UnsupportedPart = Literal["response_format", "limit_field", "temperature"]
_Maker = Callable[[Provider], HeedfulError]

_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|(?:prompt|input|request) (?:is )?too (?:long|large)"
    r"|too many (?:input )?tokens|exceeds? (?:the )?(?:available |maximum )?(?:context|token)|exceed_context",
    re.IGNORECASE,
)
_LIMIT_FIELD = re.compile(r"max_completion_tokens", re.IGNORECASE)
_TEMPERATURE = re.compile(r"temperature", re.IGNORECASE)
_FORMAT = re.compile(
    r"response_format|response format|json_schema|json_object|json schema|grammar|structured output|guided",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|model.{0,80}(?:not found|does not exist|not exist|unknown|not available|not supported"
    r"|try pulling)|(?:unknown|invalid|no such) model|not a valid model|no endpoints found",
    re.IGNORECASE | re.DOTALL,
)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient credits", re.IGNORECASE)
_MODERATED = re.compile(r"moderation|flagged|content_filter|content management policy", re.IGNORECASE)


class TooLongError(RejectedError):
    """What was sent does not fit into the model's context; half of it may."""


class RefusedError(RejectedError):
    """The model or its provider declined to answer this text."""


class UnsupportedError(RejectedError):
    """The server does not take one field of the request; `part` names it."""

    def __init__(self, part: UnsupportedPart) -> None:
        super().__init__(f"The server does not take {part}")
        self.part = part


class UnreachableError(PassingError):
    """No connection came about, so nothing was sent."""


class ServerFailedError(PassingError):
    """The server met an error of its own (500, 501); while a response format is probed, that may be its no."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer, whole."""

    status: int
    headers: Mapping[str, str]
    text: str


def refusal(reply: Reply, provider: Provider, now: datetime) -> HeedfulError:
    """The error that an answer with this status (300 and up) means."""
    said = server_words(reply.text)
    if reply.status == 413 or (400 <= reply.status <= 500 and _TOO_LONG.search(said)):
        return too_long()
    by_status = _of_the_person(reply.status, said, provider) or _of_the_request(reply.status, said, provider)
    return by_status or _passing(reply, provider, now)


def server_words(text: str) -> str:
    """What the server said in its error body, in whichever of the known shapes; empty for a page of HTML."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return "" if looks_like_html(text) else text[:2000]
    return json.dumps(body)[:4000]


def looks_like_html(text: str) -> bool:
    """Whether a body is a web page, as captive portals, proxies and wrong addresses answer."""
    return (
        text.lstrip("\ufeff \t\r\n")[:200]
        .lower()
        .startswith(("<!doctype", "<html", "<head", "<?xml", "<body"))
    )


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait that `Retry-After` asks for, in seconds or as a date; None where there is none or it is nonsense."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(?:\.\d+)?", value):
            return float(value) * scale
        until = _date(value)
        if until is None:
            continue
        if until.tzinfo is None:
            until = until.replace(tzinfo=UTC)
        return max(0.0, (until - now).total_seconds())
    return None


def _date(value: str) -> datetime | None:
    from email.utils import parsedate_to_datetime  # costs 10 ms, and few servers name a date

    try:
        return parsedate_to_datetime(value)
    except ValueError:
        return None


def too_long() -> TooLongError:
    """What was sent does not fit."""
    return TooLongError(
        "The model can't take that much text at once",
        "What was sent is longer than its context.",
        "Choose a model with a larger context, or let it have fewer threads a call.",
    )


def no_sense(provider: Provider, *, html: bool) -> PassingError:
    """The answer's status was good, its body was not an answer."""
    if html:
        return PassingError(
            f"{provider.label} answered with a web page",
            "A login page of this network may stand between, or the address is not the server's.",
            "Open a browser to see, and check the address in Settings.",
        )
    return PassingError(
        f"{provider.label} sent an answer that breaks off or is empty", "", "It will be tried again."
    )


def foreign(exc: Exception, provider: Provider) -> HeedfulError:
    """Our error for one of httpx's.

    Raises:
        KeyError: It is none of httpx's.
    """
    for kinds, make in _foreign_table():
        if isinstance(exc, kinds):
            return make(provider)
    raise KeyError(type(exc).__name__)


@cache
def foreign_kinds() -> tuple[type[Exception], ...]:
    """Every kind of error that httpx may raise at a call; they are what `foreign` knows."""
    import httpx

    return (httpx.HTTPError, httpx.InvalidURL, httpx.CookieConflict, httpx.StreamError)


def timed_out(provider: Provider, seconds: float) -> PassingError:
    """No whole answer came in time."""
    hint = "A smaller model may be quicker." if provider.stays_here else "It will be tried again."
    return PassingError(f"{provider.label} did not answer within {seconds:.0f} s", "", hint)


def _of_the_person(status: int, said: str, provider: Provider) -> HeedfulError | None:
    """What only the person can remedy."""
    if status == 402 or (status == 429 and _NO_CREDIT.search(said)):
        return UserCanFixError(
            f"There is no credit left at {provider.label}",
            "It answers no more.",
            "Add credit there, or choose another.",
        )
    if status == 403 and _MODERATED.search(said):
        return None
    if status in {401, 403}:
        return wrong_key(provider)
    if lacks_model(status, said):
        return UserCanFixError(
            f"{provider.label} does not know the model “{provider.model}”",
            "",
            "Choose one of its models in Settings.",
        )
    if 300 <= status < 400 or status in {404, 405, 410}:
        return UserCanFixError(
            f"That is not the address of {provider.label}'s model server",
            f"{provider.endpoint.chat_url} answered {status}.",
            "Check the address in Settings; it usually ends in /v1.",
        )
    return None


def lacks_model(status: int, said: str) -> bool:
    """Whether a refusal with these words means that the server has no model of that name."""
    return status in {400, 404, 422} and bool(_NO_MODEL.search(said)) and not _names_a_field(said)


def wrong_key(provider: Provider) -> UserCanFixError:
    """The key is missing, wrong, or may not do this."""
    return UserCanFixError(
        f"{provider.label} did not accept the key",
        "It is missing or wrong, or may not use this model.",
        "Enter it again in Settings.",
    )


def _of_the_request(status: int, said: str, provider: Provider) -> HeedfulError | None:
    """What lies in this one request."""
    if status in {400, 404, 422, 500, 501} and (part := _unsupported(said)):
        return UnsupportedError(part)
    if status in {400, 403} and _MODERATED.search(said):
        return RefusedError(f"{provider.label} declined to read this text", "", "It is passed over.")
    if status in {408, 409, 425, 429} or status >= 500:
        return None
    return RejectedError(
        f"{provider.label} refused the request ({status})", "Its own words are in the ledger.", ""
    )


def _names_a_field(said: str) -> bool:
    return _unsupported(said) is not None


def _unsupported(said: str) -> UnsupportedPart | None:
    if _LIMIT_FIELD.search(said):
        return "limit_field"
    if _FORMAT.search(said):
        return "response_format"
    return "temperature" if _TEMPERATURE.search(said) else None


def _passing(reply: Reply, provider: Provider, now: datetime) -> PassingError:
    wait_s = retry_after_s(reply.headers, now)
    if reply.status == 429:
        return PassingError(
            f"{provider.label} asks for a pause", "Too much was asked of it lately.", "It will be tried again.",
            retry_after_s=wait_s,
        )  # fmt: skip
    kind = ServerFailedError if reply.status in {500, 501} else PassingError
    return kind(
        f"{provider.label} is not available right now ({reply.status})", "", "It will be tried again.",
        retry_after_s=wait_s,
    )  # fmt: skip


def _unreachable(provider: Provider) -> UnreachableError:
    if provider.endpoint.reach is Reach.LOOPBACK:
        return UnreachableError(
            f"{provider.label} does not answer on this computer",
            "",
            f"Start it; it is expected at {provider.endpoint.base_url}.",
        )
    return UnreachableError(f"{provider.label} can't be reached", "", "Check the internet connection.")


def _broke_off(provider: Provider) -> PassingError:
    return PassingError(f"The connection to {provider.label} broke off", "", "It will be tried again.")


def _slow(provider: Provider) -> PassingError:
    return PassingError(f"{provider.label} did not answer in time", "", "It will be tried again.")


def _bad_proxy(provider: Provider) -> UserCanFixError:
    return UserCanFixError(
        f"The proxy on the way to {provider.label} refused",
        "This computer's environment names it.",
        "Check HTTPS_PROXY.",
    )


def _bad_address(provider: Provider) -> UserCanFixError:
    return UserCanFixError(
        f"The address or key of {provider.label} can't be sent", "", "Enter both again in Settings."
    )


@cache
def _foreign_table() -> tuple[tuple[type[Exception], _Maker], ...]:
    """Errors of httpx and ours, the special before the general."""
    import httpx

    return (
        (httpx.ConnectTimeout, _unreachable),
        (httpx.TimeoutException, _slow),
        (httpx.ConnectError, _unreachable),
        (httpx.ProxyError, _bad_proxy),
        (httpx.UnsupportedProtocol, _bad_address),
        (httpx.LocalProtocolError, _bad_address),
        (httpx.TooManyRedirects, _bad_address),
        (httpx.InvalidURL, _bad_address),
        (httpx.CookieConflict, _bad_address),
        (httpx.StreamError, _broke_off),
        (httpx.HTTPError, _broke_off),
    )
