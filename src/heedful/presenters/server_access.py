"""What lets Heedful at a server: its key in the keyring, and the person's yes to it at its address."""

import asyncio

from heedful.core.secrets import NoKeyringError, Secrets
from heedful.inference import Provider
from heedful.presenters.ports import EgressPort
from heedful.presenters.toasts import Toasts


def named(provider: Provider) -> str:
    """The provider as a sentence names it: by its own name, or a server without one by where it is."""
    return f"the server at {provider.endpoint.host}" if provider.id == "custom" else provider.label


class ServerAccess:
    """Gives and takes back both, for whichever form names the server; what is taken back is said in a toast."""

    def __init__(self, secrets: Secrets, egress: EgressPort, toasts: Toasts) -> None:
        self._secrets = secrets
        self._egress = egress
        self._toasts = toasts

    async def is_locked(self) -> bool:
        """Whether the keyring would ask for its own password first."""
        return await asyncio.to_thread(self._secrets.is_locked)

    async def has_key(self, provider: Provider) -> bool:
        """Whether a key is kept for the server; no where there is no keyring."""
        try:
            return bool(await asyncio.to_thread(self._secrets.get, provider.secret_name))
        except NoKeyringError:
            return False

    async def keep_key(self, provider: Provider, key: str) -> None:
        """Puts a key into the keyring.

        Raises:
            NoKeyringError: There is none.
        """
        await asyncio.to_thread(self._secrets.set, provider.secret_name, key)

    async def forget_key(self, provider: Provider) -> None:
        """Removes the server's key from the keyring."""
        await asyncio.to_thread(self._secrets.delete, provider.secret_name)
        self._toasts.say("The key is gone from the keyring")

    async def is_allowed(self, provider: Provider) -> bool:
        """Whether the person agreed to the server at this address."""
        return await self._egress.is_allowed(provider)

    async def allow(self, provider: Provider) -> None:
        """Notes the person's yes."""
        await self._egress.allow(provider.id, provider.endpoint.base_url)

    async def withdraw(self, provider: Provider) -> None:
        """Takes the yes back: nothing is sent there from now on."""
        await self._egress.revoke(provider.id, provider.endpoint.base_url)
        self._toasts.say(f"Nothing goes to {named(provider)} any more")
