"""The shape of a source, and which one a path belongs to."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from heedful.core import discovery
from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.sources.items import Extent, Incoming, Rejected

BATCH_SIZE = 200


@dataclass(frozen=True, slots=True)
class Batch:
    """A few things of one source, to be stored in one transaction together with `cursor`.

    `done` and `total` count what the source has got through, in units of its own (messages or bytes); `total` is
    None while it cannot be known. `gone` are external ids that the source no longer holds. `begun` are the parts
    that were read from their beginning, before anything of `rejected`; `is_rewritten` when one had been read before.
    """

    items: tuple[Incoming, ...]
    rejected: tuple[Rejected, ...]
    cursor: str
    done: int
    total: int | None
    gone: tuple[str, ...] = ()
    begun: tuple[str, ...] = ()
    is_rewritten: bool = False


@runtime_checkable
class SourceKind(Protocol):
    """One kind of source."""

    @property
    def kind(self) -> str:
        """The stable name, as `--source` takes it."""
        ...

    @property
    def label(self) -> str:
        """What a person calls it, for instance «Mail folder»."""
        ...

    @property
    def extent(self) -> Extent:
        """What may be concluded from a thing's absence."""
        ...

    def fits(self, path: Path) -> float:
        """How surely this path is of this kind, from its content: 0 not at all, 1 certain; reads a few kB at most."""
        ...

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        """What is new since `cursor` (empty: everything), in batches of at most `BATCH_SIZE`.

        Blocking; run it in a worker thread. Yields nothing when nothing changed. Reading again with an older
        cursor is safe. A bad message becomes a `Rejected`, never an exception.

        Raises:
            RejectedError: The file as a whole is not of this kind.
            UserCanFixError: The path is gone or may not be read.
        """
        ...


@cache
def source_kinds() -> dict[str, SourceKind]:
    """Every kind in this package, by name."""
    import heedful.sources as package

    return discovery.discover(package, "SOURCE", SourceKind, key=lambda kind: kind.kind)  # type: ignore[type-abstract] # a runtime-checkable protocol stands for its implementations


def _is_empty(path: Path) -> bool:
    return not any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size == 0


def detect_kind(path: Path) -> SourceKind:
    """The kind whose content test is surest about this path.

    Raises:
        RejectedError: No kind knows it.
    """
    best = max(source_kinds().values(), key=lambda kind: kind.fits(path))
    if best.fits(path) <= 0:
        if _is_empty(path):
            raise RejectedError(f"{path.name} is empty", "There is nothing in it to read.", "")
        raise RejectedError(
            f"Heedful can't tell what {path.name} is",
            "It reads: " + ", ".join(kind.label for kind in source_kinds().values()) + ".",
        )
    return best
