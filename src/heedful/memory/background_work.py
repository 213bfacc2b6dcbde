"""The queue as the person sees it: what is unfinished and why, at which pace it is worked off, and a way to push it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from heedful.core.clock import Clock
from heedful.memory.embeddings.vector_meaning import Meaning
from heedful.memory.jobs import embed
from heedful.memory.messages.cursors_store import cursor
from heedful.memory.queue.asking import retry_failed, wake, work_by_kind
from heedful.memory.queue.queue_store import KindWork
from heedful.memory.work.host_load import Verdict
from heedful.storage import Connection, Store


@dataclass(frozen=True, slots=True)
class Share:
    """How much of something is done."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class WorkNow:
    """All unfinished work, the pace, and how many passages have vectors of the model in use while some lack them."""

    kinds: tuple[KindWork, ...]
    pace: Verdict
    embedded: Share | None


class BackgroundWork:
    """Looks at the queue, and pushes it at the person's word. For the event loop."""

    def __init__(self, store: Store, clock: Clock, meaning: Meaning, gauge: Callable[[], Verdict]) -> None:
        """`gauge` may block for a moment; it is asked in a thread."""
        self._store = store
        self._clock = clock
        self._meaning = meaning
        self._gauge = gauge

    async def now(self) -> WorkNow:
        """What is unfinished at this moment."""
        now = self._clock.now()
        kinds = await self._store.read(lambda connection: work_by_kind(connection, now=now))
        is_embedding = any(
            work.kind == embed.NAME and work.due + work.put_off + work.running for work in kinds
        )
        pace = await asyncio.to_thread(self._gauge)
        return WorkNow(kinds, pace, await self.embedded() if is_embedding else None)

    async def embedded(self) -> Share | None:
        """How far the model in use has come; None where none is."""
        embedder = self._meaning.embedder()
        if embedder is None:
            return None
        model = await asyncio.to_thread(lambda: embedder.id)
        return await self._store.read(lambda connection: _share(connection, embed.stage_of(model)))

    async def retry_failed(self) -> int:
        """Lets every failed job be tried afresh; returns how many."""
        now = self._clock.now()
        return await self._store.write(lambda connection: (retry_failed(connection, now=now), ()))

    async def wake(self) -> int:
        """Lets what was put off be tried at once; returns how much."""
        now = self._clock.now()
        return await self._store.write(lambda connection: (wake(connection, now=now), ()))


def _share(connection: Connection, stage: str) -> Share:
    done = connection.value("SELECT count(*) FROM chunks WHERE seq <= ?", (cursor(connection, stage),))
    return Share(int(done or 0), int(connection.value("SELECT count(*) FROM chunks") or 0))
