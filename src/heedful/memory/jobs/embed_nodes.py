"""Gives summaries their vectors, once their texts stand and the passages have theirs.

Asked for by the stages that write texts and by the one that embeds passages; a text that changes loses its vector,
so this stage begins at the first summary each time and passes over those that have one.
"""

from collections.abc import Mapping

from heedful.core.events import Event
from heedful.memory.embeddings.at_hand import AtHand, at_hand
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

NAME = "embed_nodes"
AT_ONCE = 64


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """All that wait, some dozens at a time. Without an embedder there is nothing to do."""
    del payload
    found = await at_hand(context.tools.meaning)
    if found is None:
        return
    place: int | None = 0
    while place is not None:
        place = await _embed_some(context, found, after=place)


async def _embed_some(context: JobContext, using: AtHand, *, after: int) -> int | None:
    """Some dozens; returns the place of the last one looked at, None at the end."""
    from heedful.memory.recall import node_vectors

    batch, place = await context.store.read(
        lambda connection: node_vectors.waiting(
            connection, using.model, after=after, kept_back=using.kept_back, limit=AT_ONCE
        )
    )
    made = await node_vectors.make(using.embedder, batch)

    def work(connection: Connection) -> tuple[None, list[Event]]:
        node_vectors.keep(connection, using.model, made)
        return None, []

    if made:
        await context.keep(work)
    return place


JOB = JobKind(NAME, run, turn=70)
