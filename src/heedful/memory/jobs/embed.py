"""Gives new passages their vectors, a few hundred at a time, and all of them anew when the model changes.

The cursor of this stage counts in `chunks.seq`, for each model apart; what was made by another model is used by
nobody meanwhile, and removed when the new one is through.
"""

from collections.abc import Mapping

from heedful.core.events import Event
from heedful.memory.embeddings.at_hand import at_hand
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

NAME = "embed"
AT_ONCE = 256


def stage_of(model: str) -> str:
    """The name of this stage's cursor for a model."""
    return f"{NAME} {model}"


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch; asks for the next where there is more. Without an embedder there is nothing to do."""
    del payload  # the cursor knows where to go on
    found = await at_hand(context.tools.meaning)
    if found is None:
        return
    from heedful.memory.embeddings import vector_work
    from heedful.memory.embeddings.vector_store import drop_other_models, keep, pending

    model = found.model
    stage = stage_of(model)
    waiting, upto = await context.store.read(
        lambda connection: pending(
            connection, cursor(connection, stage), limit=AT_ONCE, kept_back=found.kept_back
        )
    )
    batch = await vector_work.embed(found.embedder, waiting, upto)
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        if batch.upto is None:
            drop_other_models(connection, model)
            enqueue(connection, "embed_nodes", ALL, now=now)
            return None, []
        if batch.made:
            keep(connection, model, batch.dimensions, batch.made)
        advance(connection, stage, batch.upto)
        enqueue(connection, NAME, ALL, now=now)
        return None, []

    await context.finish(work)


JOB = JobKind(NAME, run, turn=25, on_growth=True)
