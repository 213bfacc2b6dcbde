"""Puts what a source reads into batches that one transaction can hold."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from heedful.sources.items import Begun, Incoming, Rejected
from heedful.sources.kinds import BATCH_SIZE, Batch

MAX_BATCH_TEXT = 2_000_000

Step = tuple[Incoming | Rejected | Begun | None, int]
"""What was found, or None for something read that yields nothing, with how far reading then is."""


class Left(NamedTuple):
    """What a source no longer holds: external ids, and parts."""

    gone: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


@dataclass(slots=True)
class _Gathered:
    """What the next batch has so far."""

    items: list[Incoming] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    begun: list[Begun] = field(default_factory=list)
    size: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.items) + len(self.rejected) >= BATCH_SIZE or self.size >= MAX_BATCH_TEXT

    def take(self, found: Incoming | Rejected | Begun | None) -> None:
        match found:
            case Incoming():
                self.items.append(found)
                self.size += len(found.text) + len(found.raw)
            case Rejected():
                self.rejected.append(found)
            case Begun():
                self.begun.append(found)
            case None:
                pass

    def batch(self, cursor: str, done: int, total: int | None, left: Left) -> Batch:
        return Batch(
            tuple(self.items),
            tuple(self.rejected),
            cursor,
            done,
            total,
            left.gone,
            (*(one.part for one in self.begun), *left.parts),
            is_rewritten=any(one.is_rewritten for one in self.begun),
        )


def in_batches(
    steps: Iterable[Step],
    *,
    since: str,
    cursor: Callable[[], str],
    total: int | None,
    finish: Callable[[], Left] = Left,
) -> Iterator[Batch]:
    """Batches of at most `BATCH_SIZE` things and about 2 MB of text, the last one as large as it comes.

    `cursor` is asked whenever a batch is full and speaks of the last step taken. `finish` is called after the last
    step and gives what is gone. Without news a last batch comes only if the cursor moved from `since`.
    """
    gathered = _Gathered()
    done = 0
    kept = since
    for found, done in steps:
        gathered.take(found)
        if gathered.is_full:
            kept = cursor()
            yield gathered.batch(kept, done, total, Left())
            gathered = _Gathered()
    left = finish()
    last = gathered.batch(cursor(), done, total, left)
    if last.items or last.rejected or last.gone or last.begun or last.cursor != kept:
        yield last
