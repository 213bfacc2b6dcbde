"""Which embedding server the settings name, for whoever asks about it without asking it."""

from dataclasses import replace

from heedful.core.settings import EmbeddingSettings
from heedful.inference import Provider, endpoint
from heedful.inference.preset import FREE

PROVIDER_ID = "embeddings"
"""Under which the person's consent to an embedding server, and its key, are kept."""


def provider_of(settings: EmbeddingSettings) -> Provider:
    """The server that the settings name.

    Raises:
        UserCanFixError: Its address is none.
    """
    place = endpoint(settings.base_url)
    asked = Provider(
        PROVIDER_ID, place.host, place, settings.model, needs_key=False, threads_per_call=0, price=None
    )
    return replace(asked, price=FREE) if asked.stays_here else asked
