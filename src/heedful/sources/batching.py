"""Puts what a source reads into batches that one transaction can hold."""

from collections.abc import Callable, Iterable, Iterator

from heedful.sources.items import Incoming, Rejected
from heedful.sources.kinds import BATCH_SIZE, Batch

MAX_BATCH_TEXT = 2_000_000


def in_batches(
    steps: Iterable[tuple[Incoming | Rejected | None, int]],
    *,
    since: str,
    cursor: Callable[[], str],
    total: int | None,
    finish: Callable[[], tuple[str, ...]] = tuple,
) -> Iterator[Batch]:
    """Batches of at most `BATCH_SIZE` things and about 2 MB of text, the last one as large as it comes.

    A step is what was found, or None for something read that yields nothing, with how far reading then is.
    `cursor` is asked whenever a batch is full and speaks of the last step taken. `finish` is called after the last
    step and gives the ids that are gone. Without news a last batch comes only if the cursor moved from `since`.
    """
    items: list[Incoming] = []
    rejected: list[Rejected] = []
    size = done = 0
    kept = since
    for found, done in steps:
        if isinstance(found, Incoming):
            items.append(found)
            size += len(found.text) + len(found.raw)
        elif found is not None:
            rejected.append(found)
        if len(items) + len(rejected) >= BATCH_SIZE or size >= MAX_BATCH_TEXT:
            kept = cursor()
            yield Batch(tuple(items), tuple(rejected), kept, done, total)
            items, rejected, size = [], [], 0
    gone = finish()
    if items or rejected or gone or cursor() != kept:
        yield Batch(tuple(items), tuple(rejected), cursor(), done, total, gone)
