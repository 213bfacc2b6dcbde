"""Lets the person's model name what patterns can't explain, passage by passage, the newest first.

Without a chosen model there is nothing to do; with one that is not in reach the work is put off. A passage whose answer
is of no use, or that gets none while others do, is not asked about again until the prompt is another.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import partial

from heedful.core.errors import PassingError
from heedful.core.events import Event
from heedful.core.ids import RunId
from heedful.memory.entities import named_store
from heedful.memory.entities.kinds import Sighting
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.work.kind import JobContext, JobKind
from heedful.memory.work.unanswered import UNANSWERED_IN_A_ROW, give_time
from heedful.storage import Connection

NAME = "name_entities"
AT_ONCE = 5
LOOKS_AGAIN_AFTER = timedelta(minutes=5)


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch; asks for the next while there are any."""
    del payload
    # The inference room brings the network's libraries, which a run without a model never needs.
    from heedful.inference import load_prompt
    from heedful.memory.entities import by_model
    from heedful.memory.tree.by_model import provider_to_ask

    tools = context.tools
    provider = await provider_to_ask(tools)
    if provider is None or tools.inference is None:
        return
    await by_model.leave_most(tools)
    prompt = load_prompt(by_model.PROMPT, tools.prompts)
    kept_back = await tools.inference.egress.kept_back(provider)
    batch = await context.store.read(
        partial(named_store.next_batch, prompt=prompt.name, kept_back=kept_back, limit=AT_ONCE)
    )
    if batch is None:
        await context.finish(lambda connection: _look_again(connection, context))
        return
    run_id, made_by = RunId(tools.new_id()), f"{prompt.name} {provider.name}"
    unanswered = 0
    for passage in batch.passages:
        try:
            named = await by_model.named_by_model(tools, provider, passage, prompt=prompt, run_id=run_id)
        except PassingError as exc:
            unanswered += 1
            give_time(exc)
            if unanswered == UNANSWERED_IN_A_ROW:
                raise
            named = ()
        else:
            unanswered = 0
        await context.keep(partial(_write, batch, passage, named, made_by, context))
    await context.finish(partial(_go_on, batch, context))


def _write(
    batch: named_store.Batch,
    passage: named_store.Passage,
    named: tuple[Sighting, ...],
    made_by: str,
    context: JobContext,
    connection: Connection,
) -> tuple[None, list[Event]]:
    named_store.write_named(connection, batch, passage, named, made_by=made_by, now=context.clock.now())
    return None, []


def _go_on(batch: named_store.Batch, context: JobContext, connection: Connection) -> tuple[None, list[Event]]:
    named_store.pass_over(connection, batch, batch.end)
    enqueue(connection, NAME, ALL, now=context.clock.now())
    return None, []


def _look_again(connection: Connection, context: JobContext) -> tuple[None, list[Event]]:
    """Asks for itself later where the stages before have not come to the end: what they bring may need a model."""
    if named_store.is_more_to_come(connection):
        enqueue(connection, NAME, ALL, now=context.clock.now(), delay=LOOKS_AGAIN_AFTER)
    return None, []


JOB = JobKind(NAME, run, turn=85, asks_model=True)
