"""What may leave, decided before the first byte: the person's consent to a provider, and sources that stay here.

A provider on this computer needs the person's choice too, because nothing is used unasked; but a source that
must not leave the machine may be read by it: loopback is this machine.
"""

from collections.abc import Iterable

from heedful.core.clock import Clock, to_millis
from heedful.core.errors import UserCanFixError
from heedful.core.ids import SourceId
from heedful.inference.preset import Provider
from heedful.storage import Connection, Store


class NoConsentError(UserCanFixError):
    """The person has not agreed to send anything to this provider."""


class KeptBackError(UserCanFixError):
    """Something of a source that stays on this computer was about to leave it."""


class Egress:
    """Consents by provider and address, and the guard before each call."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def allow(self, provider_id: str, base_url: str) -> None:
        """Records the person's consent. A changed address needs a new one."""
        row = (provider_id, base_url, to_millis(self._clock.now()))

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            connection.execute(
                "INSERT INTO consents (provider, base_url, given_at) VALUES (?, ?, ?)"
                " ON CONFLICT (provider, base_url) DO NOTHING",
                row,
            )
            return None, ()

        await self._store.write(write)

    async def revoke(self, provider_id: str, base_url: str) -> None:
        """Takes the consent back; quietly where there is none."""

        def write(connection: Connection) -> tuple[None, tuple[()]]:
            connection.execute(
                "DELETE FROM consents WHERE provider = ? AND base_url = ?", (provider_id, base_url)
            )
            return None, ()

        await self._store.write(write)

    async def is_allowed(self, provider: Provider) -> bool:
        """Whether the person has agreed to this provider at this address."""

        def read(connection: Connection) -> bool:
            return (
                connection.row(
                    "SELECT given_at FROM consents WHERE provider = ? AND base_url = ?",
                    (provider.id, provider.endpoint.base_url),
                )
                is not None
            )

        return await self._store.read(read)

    async def kept_back(self, provider: Provider) -> frozenset[SourceId]:
        """The sources that this provider must not see anything of: ask before reading any."""
        if provider.stays_here:
            return frozenset()

        def read(connection: Connection) -> frozenset[SourceId]:
            rows = connection.rows("SELECT id FROM sources WHERE egress = 'local-only'")
            return frozenset(SourceId(str(row[0])) for row in rows)

        return await self._store.read(read)

    async def require(self, provider: Provider, source_ids: Iterable[SourceId]) -> None:
        """Lets the call pass.

        Raises:
            NoConsentError: The person has not agreed to this provider at this address.
            KeptBackError: One of these sources must stay on this computer.
        """
        if not await self.is_allowed(provider):
            raise no_consent(provider)
        if not (await self.kept_back(provider)).isdisjoint(source_ids):
            raise KeptBackError(
                "A source that stays on this computer was not sent",
                f"{provider.label} is elsewhere. Nothing was sent.",
                "Choose a provider on this computer, or let that source leave it.",
            )


def no_consent(provider: Provider) -> NoConsentError:
    """Nothing is sent there before the person agrees."""
    return NoConsentError(
        f"You have not agreed to use {provider.label} yet",
        f"Nothing was sent to {provider.endpoint.host}.",
        "Agree in Settings, or stay with what is built in.",
    )
