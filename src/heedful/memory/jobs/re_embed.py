"""Goes back for passages that have no vector of the model in use though the stage of vectors has passed them.

`embed` follows what comes in, and begins at the first passage for a model that is new; this job closes the gaps behind
it: a source that had to stay here and may be shown to the model now, a passage whose neighbour was edited or is gone.
"""

from collections.abc import Mapping

from heedful.core.events import Event
from heedful.memory.embeddings.at_hand import at_hand
from heedful.memory.jobs.embed import stage_of
from heedful.memory.messages.cursors_store import advance, cursor
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

AT_ONCE = 256


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch behind the cursor; asks for the next. Asked anew meanwhile, it begins at the first passage again.

    A passage that has no embedding is a gap for ever, and is looked at once each time gaps are asked for.
    """
    del payload
    found = await at_hand(context.tools.meaning)
    if found is None:
        return
    from heedful.memory.embeddings import vector_gaps, vector_work
    from heedful.memory.embeddings.vector_store import Pending, keep

    model = found.model
    stage = f"{vector_gaps.RE_EMBED} {model}"

    def read(connection: Connection) -> tuple[int, list[Pending], int | None]:
        place, end = cursor(connection, stage), cursor(connection, stage_of(model))
        gaps = vector_gaps.read_gaps(
            connection, model, after=place, upto=end, limit=AT_ONCE, kept_back=found.kept_back
        )
        return vector_gaps.asked(connection), *gaps

    asked, waiting, upto = await context.store.read(read)
    batch = await vector_work.embed(found.embedder, waiting, upto)
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        if batch.made:
            keep(connection, model, batch.dimensions, batch.made)
        if batch.upto is not None and vector_gaps.asked(connection) == asked:
            advance(connection, stage, batch.upto)
        if batch.upto is not None:
            enqueue(connection, vector_gaps.RE_EMBED, ALL, now=now)
        return None, []

    await context.finish(work)


JOB = JobKind("re-embed", run, turn=26)
