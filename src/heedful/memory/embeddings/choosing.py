"""The embedder that the settings name."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from heedful.core.settings import EmbeddingSettings
from heedful.memory.embeddings.port import Embedder

if TYPE_CHECKING:  # it brings the network's libraries, which only one kind needs
    from heedful.memory.embeddings.openai_compatible import Remote


def embedder_for(
    settings: EmbeddingSettings, remote: "Callable[[EmbeddingSettings], Remote] | None" = None
) -> Embedder | None:
    """The embedder of these settings; None where there is none, or where `remote` is needed and missing."""
    match settings.kind:
        case "embedded":
            from heedful.memory.embeddings.embedded import EmbeddedModel

            return EmbeddedModel()
        case "e5":
            from heedful.memory.embeddings.e5 import E5Model

            return E5Model()
        case "openai_compatible":
            return remote(settings) if remote is not None else None
        case "none":
            return None
