"""The path that a person gives for a source: whether something is there, and what kind of source it is."""

from pathlib import Path

from heedful.core.errors import RejectedError, UserCanFixError
from heedful.memory.messages.cleaning import storable
from heedful.sources import SourceKind, detect_kind, source_kinds
from heedful.sources.files import translated


def existing(path: Path) -> Path:
    """The path in full.

    Raises:
        UserCanFixError: Nothing is there, or it can't be read.
    """
    place = path.expanduser().absolute()
    if storable(str(place)) != str(place):
        raise UserCanFixError("The path's name is not readable text", "", "Rename it and try again.")
    with translated(place):
        if not place.exists():
            raise UserCanFixError(f"There is nothing at {place}", "", "Check the path and try again.")
    return place


def kind_at(path: Path, kind: str | None) -> SourceKind:
    """The kind of source that is there, or the one of that name.

    Raises:
        RejectedError: No kind fits, or `kind` is unknown.
        UserCanFixError: The path can't be read.
    """
    if kind is None:
        with translated(path):
            return detect_kind(path)
    known = source_kinds()
    if kind not in known:
        raise RejectedError(
            f"There is no kind of source called {kind}", "", f"Known are: {', '.join(known)}."
        )
    return known[kind]
