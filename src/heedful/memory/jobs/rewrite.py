"""Lets the person's model write summaries anew, a few at a time, what is recent and wide first.

Every node has its extractive text by then, and keeps it where the model can't be trusted with it. One that the model
does not answer for, within the time of a call, goes behind all others and is tried once more with half of its
passages; after a second one in a row the model gets time.
"""

from collections.abc import Mapping
from datetime import timedelta

from heedful.core.errors import PassingError
from heedful.core.events import Event
from heedful.core.ids import RunId
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.tree import tree_store
from heedful.memory.tree.summaries import Material, material
from heedful.memory.tree.tree_store import Node, Tries, Written
from heedful.memory.work.kind import JobContext, JobKind
from heedful.memory.work.unanswered import UNANSWERED_IN_A_ROW, give_time
from heedful.storage import Connection

NAME = "rewrite"
AT_ONCE = 5
SETTLED_AFTER = timedelta(hours=24)
SECOND_SHARE = 0.5


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch; asks for the next while there are any. Without a model there is nothing to do."""
    del payload
    # The inference room brings the network's libraries, which a run without a model never needs.
    from heedful.inference import load_prompt
    from heedful.memory.tree.by_model import PROMPT, Refused, provider_to_ask, written_by_model

    tools = context.tools
    provider = await provider_to_ask(tools)
    if provider is None or tools.inference is None:
        return
    prompt = load_prompt(PROMPT, tools.prompts)
    tries = Tries(prompt.name, provider.name)
    kept_back = await tools.inference.egress.kept_back(provider)
    before = context.clock.now() - SETTLED_AFTER

    def read(connection: Connection) -> list[Material]:
        waiting = tree_store.extractive_nodes(
            connection, tries, kept_back=kept_back, before=before, limit=AT_ONCE
        )
        return [material(connection, node, with_sources=True) for node in waiting]

    batch = await context.store.read(read)
    run_id = RunId(tools.new_id())

    async def ask(made_of: Material) -> Written | Refused:
        share = SECOND_SHARE if made_of.node.prompt == tries.unanswered else 1.0
        return await written_by_model(tools, provider, made_of, prompt=prompt, run_id=run_id, share=share)

    unanswered = 0
    for made_of in batch:
        node = made_of.node
        try:
            written = await ask(made_of)
        except PassingError as exc:
            unanswered += 1
            await _pass_over(context, node, tries, exc, is_last=unanswered == UNANSWERED_IN_A_ROW)
        else:
            unanswered = 0
            await (
                _note(context, node, tries.refused(written))
                if isinstance(written, Refused)
                else _keep(context, node, written)
            )
    if batch:
        await context.finish(lambda connection: _ask_again(connection, context))


async def _pass_over(
    context: JobContext, node: Node, tries: Tries, error: PassingError, *, is_last: bool
) -> None:
    """Notes that a node got no answer.

    Raises:
        PassingError: It is not the node's fault, or enough of them got none.
    """
    give_time(error)
    is_second = node.prompt == tries.unanswered
    await _note(context, node, tries.refused("no answer in time") if is_second else tries.unanswered)
    if is_last:
        raise error


async def _note(context: JobContext, node: Node, note: str) -> None:
    def work(connection: Connection) -> tuple[None, list[Event]]:
        tree_store.note_try(connection, node, note)
        return None, []

    await context.keep(work)


async def _keep(context: JobContext, node: Node, written: Written) -> None:
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        if tree_store.write_text(connection, node, written, now=now) and written.text != node.text:
            enqueue(connection, "summarise", ALL, now=now)
        return None, []

    await context.keep(work)


def _ask_again(connection: Connection, context: JobContext) -> tuple[None, list[Event]]:
    enqueue(connection, NAME, ALL, now=context.clock.now())
    return None, []


JOB = JobKind(NAME, run, turn=80, asks_model=True)
