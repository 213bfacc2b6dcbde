"""A base URL as people paste it, made into the addresses of its chat and model endpoints.

What is refused is refused here, before anything is asked of the network: credentials in the address (they end
up in logs), and plain http across the internet (everybody on the way could read the mail).
"""

import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import SplitResult, urlsplit

from heedful.core.errors import UserCanFixError

_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")
_VERSION = re.compile(r"/v\d+(?:(?:alpha|beta)\d*)?(?=/|$)")
_FULL_ENDPOINT = re.compile(r"/(?:chat/completions|completions|responses|models|embeddings)$")
_OLLAMA_NATIVE = re.compile(r"/api/(?:chat|generate|tags)$")
_LAN_SUFFIXES = (".local", ".lan", ".home", ".home.arpa", ".internal")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_OLLAMA_PORT = 11434


class Reach(StrEnum):
    """How far text travels to an address."""

    LOOPBACK = "loopback"
    LAN = "lan"
    INTERNET = "internet"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider answers; `base_url` is the one spelling under which consent and abilities are kept.

    `caution` is a sentence to show beside the address, empty where there is nothing to say.
    """

    base_url: str
    host: str
    reach: Reach
    caution: str = ""

    @property
    def chat_url(self) -> str:
        return f"{self.base_url}/chat/completions"

    @property
    def models_url(self) -> str:
        return f"{self.base_url}/models"


def endpoint(pasted: str) -> Endpoint:
    """The endpoint that a pasted address means.

    A missing scheme is http for this computer and the local network, else https; a query and a fragment are
    dropped; `/v1` is added where no version is named; a full `…/chat/completions` is taken as it stands.

    Raises:
        UserCanFixError: It is not an address, carries credentials, or is plain http across the internet.
    """
    parts = _split(pasted.strip().strip("<>\"'"))
    host = (parts.hostname or "").rstrip(".")
    if host in {"0.0.0.0", "::"}:  # what a server prints when it listens everywhere; it answers on loopback
        host = "127.0.0.1"
    reach = reach_of(host)
    scheme = parts.scheme or ("https" if reach is Reach.INTERNET else "http")
    if scheme == "http" and reach is Reach.INTERNET:
        raise UserCanFixError(
            "This provider's address is not encrypted",
            f"Anybody between you and {host} could read what is sent over plain http.",
            "Use its https address.",
        )
    shown = f"[{host}]" if ":" in host else host
    port = "" if parts.port in {None, _DEFAULT_PORTS[scheme]} else f":{parts.port}"
    base_url = f"{scheme}://{shown}{port}{_base_path(parts.path, host, parts.port)}"
    return Endpoint(base_url, host, reach, _caution(scheme, host, reach))


def reach_of(host: str) -> Reach:
    """How far text sent to this host travels, judged by its name alone: nothing is looked up."""
    if host == "localhost" or host.endswith(".localhost"):
        return Reach.LOOPBACK
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        single_label = "." not in host and not host[:1].isdigit()
        return Reach.LAN if single_label or host.endswith(_LAN_SUFFIXES) else Reach.INTERNET
    if address.is_loopback:
        return Reach.LOOPBACK
    return Reach.LAN if address.is_private or address.is_link_local else Reach.INTERNET


def _split(text: str) -> SplitResult:
    named = _SCHEME.match(text)
    if named and named[1].lower() not in _DEFAULT_PORTS:
        raise _not_an_address("It must begin with https:// or http://.")
    try:
        parts = urlsplit(text if named else f"//{text}")
        port = parts.port
    except ValueError as exc:
        raise _not_an_address("Its host or port can't be read.") from exc
    if parts.username is not None or parts.password is not None:
        raise UserCanFixError(
            "The provider's address carries a name or password",
            "Addresses are shown and logged, so nothing was saved.",
            "Leave it out of the address and enter the key in its own field.",
        )
    if not parts.hostname or port == 0 or re.search(r"[\s\\]", text):
        raise _not_an_address("It names no host.")
    return parts


def _base_path(path: str, host: str, port: int | None) -> str:
    path = re.sub(r"/{2,}", "/", path).rstrip("/")
    whole = _FULL_ENDPOINT.sub("", path)
    if whole != path and path.endswith("/chat/completions"):
        return whole.rstrip("/")
    path = _OLLAMA_NATIVE.sub("", whole)
    if _VERSION.search(path):
        return path
    if path == "/api" and port == _OLLAMA_PORT:
        path = ""
    if path == "" and host == "openrouter.ai":
        path = "/api"
    return f"{path}/v1"


def _caution(scheme: str, host: str, reach: Reach) -> str:
    if scheme == "http" and reach is Reach.LAN:
        return f"Others on your network could read what is sent to {host}: the connection is not encrypted."
    return ""


def _not_an_address(why: str) -> UserCanFixError:
    return UserCanFixError(
        "That is not an address of a model server", why, "It looks like https://api.example.com/v1."
    )
