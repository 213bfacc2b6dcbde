"""Stops asking a provider whose refusal only the person can lift, until the settings change."""

from heedful.core.errors import UserCanFixError
from heedful.inference.preset import Provider


class Breaker:
    """Keeps the first lasting refusal of each endpoint and model, so that it is met once and not every tick."""

    def __init__(self) -> None:
        self._refusals: dict[tuple[str, str], UserCanFixError] = {}

    def refusal(self, provider: Provider) -> UserCanFixError | None:
        """Why this provider is not asked any more; None while it may be."""
        return self._refusals.get((provider.endpoint.base_url, provider.model))

    def trip(self, provider: Provider, error: UserCanFixError) -> None:
        """Asks this provider no more."""
        self._refusals[provider.endpoint.base_url, provider.model] = error

    def reset(self) -> None:
        """Forgets every refusal: the settings or a key have changed, or the person asked to try again."""
        self._refusals.clear()
