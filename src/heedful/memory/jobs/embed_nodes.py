"""Gives summaries their vectors, once their texts stand and the passages have theirs.

Asked for by the stages that write texts and by the one that embeds passages; a text that changes loses its vector,
so this stage begins at the first summary each time and passes over those that have one.
"""

import asyncio
from collections.abc import Mapping

from heedful.core.events import Event
from heedful.core.ids import SourceId
from heedful.memory.embeddings.port import Embedder
from heedful.memory.jobs.kind import JobContext, JobKind
from heedful.storage import Connection

NAME = "embed_nodes"
AT_ONCE = 64


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """All that wait, some dozens at a time. Without an embedder there is nothing to do."""
    del payload
    embedder = context.tools.meaning.embedder() if context.tools.meaning is not None else None
    if embedder is None:
        return
    model = await asyncio.to_thread(lambda: embedder.id)
    kept_back = await embedder.kept_back()
    place: int | None = 0
    while place is not None:
        place = await _embed_some(context, embedder, model, after=place, kept_back=kept_back)


async def _embed_some(
    context: JobContext, embedder: Embedder, model: str, *, after: int, kept_back: frozenset[SourceId]
) -> int | None:
    """Some dozens; returns the place of the last one looked at, None at the end."""
    from heedful.memory import node_vectors

    batch, place = await context.store.read(
        lambda connection: node_vectors.waiting(
            connection, model, after=after, kept_back=kept_back, limit=AT_ONCE
        )
    )
    made = await node_vectors.make(embedder, batch)

    def work(connection: Connection) -> tuple[None, list[Event]]:
        node_vectors.keep(connection, model, made)
        return None, []

    if made:
        await context.keep(work)
    return place


JOB = JobKind(NAME, run, turn=70)
