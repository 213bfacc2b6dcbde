"""The one place that opens a connection to a provider: bounded in time and size, following no redirect.

httpx and the certificates cost a quarter of a second once; they are loaded in a thread, when first needed, so
that the window never stands still for them.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from heedful.core.errors import HeedfulError, RejectedError, UserCanFixError
from heedful.inference.failures import Reply, foreign, foreign_kinds, timed_out
from heedful.inference.preset import Provider
from heedful.inference.urls import Reach

if TYPE_CHECKING:
    import ssl

    import httpx

CONNECT_S = 10.0
MAX_BODY_BYTES = 2_000_000


class Transport(Protocol):
    """Sends one request and brings its whole answer, whatever its status."""

    async def send(
        self,
        provider: Provider,
        url: str,
        *,
        key: str | None,
        body: Mapping[str, object] | None,
        within_s: float,
    ) -> Reply:
        """POSTs `body`, or GETs where it is None. Cancelling closes the connection at once.

        Raises:
            HeedfulError: No whole answer came; never a foreign error.
        """
        ...


class HttpTransport:
    """The real thing, over httpx."""

    def __init__(self) -> None:
        self._certificates: ssl.SSLContext | None = None

    async def send(
        self,
        provider: Provider,
        url: str,
        *,
        key: str | None,
        body: Mapping[str, object] | None,
        within_s: float,
    ) -> Reply:
        headers = _headers(provider, key)
        client = await asyncio.to_thread(self._client, provider)
        try:
            async with asyncio.timeout(within_s), client:
                return await _exchange(client, url, headers, body)
        except TimeoutError as exc:
            raise timed_out(provider, within_s) from exc
        except foreign_kinds() as exc:
            raise foreign(exc, provider) from exc

    def _client(self, provider: Provider) -> "httpx.AsyncClient":
        import httpx

        encrypted = provider.endpoint.base_url.startswith("https:")
        if encrypted and self._certificates is None:
            self._certificates = httpx.create_ssl_context()
        try:
            return httpx.AsyncClient(
                # Plain http checks no certificate; False only spares loading them.
                verify=self._certificates if encrypted and self._certificates else False,
                # A proxy named in the environment must not see what goes to this computer.
                trust_env=provider.endpoint.reach is not Reach.LOOPBACK,
                follow_redirects=False,
                timeout=httpx.Timeout(None, connect=CONNECT_S),
            )
        except (ValueError, ImportError) as exc:
            raise UserCanFixError(
                "The proxy that this computer's environment names can't be used",
                "",
                "Check HTTPS_PROXY and ALL_PROXY.",
            ) from exc


async def _exchange(
    client: "httpx.AsyncClient", url: str, headers: Mapping[str, str], body: Mapping[str, object] | None
) -> Reply:
    method = "GET" if body is None else "POST"
    async with client.stream(method, url, headers=dict(headers), json=body) as response:
        received = bytearray()
        async for part in response.aiter_bytes():
            received += part
            if len(received) > MAX_BODY_BYTES:
                raise RejectedError("The model server sent far too much", "Its answer was dropped.", "")
        names = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status_code, names, received.decode("utf-8", "replace"))


def _headers(provider: Provider, key: str | None) -> dict[str, str]:
    headers = {"accept": "application/json", "user-agent": "heedful"}
    if key:
        if not key.isascii() or not key.isprintable() or " " in key:
            raise _unsendable_key(provider)
        headers["authorization"] = f"Bearer {key}"
    return headers


def _unsendable_key(provider: Provider) -> HeedfulError:
    return UserCanFixError(
        f"The key for {provider.label} has characters no key has",
        "It may have been pasted with something around it.",
        "Enter it again in Settings.",
    )
