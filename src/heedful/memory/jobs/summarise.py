"""Writes the texts of stale nodes: at once without a model, and later with one where the person chose one.

Two jobs of one kind: `all` works through what is stale from below, `model` lets the person's model write anew what
has an extractive text only. A summary that a model could not be trusted with keeps its extractive text.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial

from heedful.core.events import Event
from heedful.core.ids import RunId
from heedful.memory import tree_store
from heedful.memory.jobs.kind import JobContext, JobKind
from heedful.memory.queue import enqueue
from heedful.memory.summaries import Material, extractive, material
from heedful.memory.tree_store import Node, Written
from heedful.storage import Connection

NAME = "summarise"
ALL = "all"
BY_MODEL = "model"
AT_ONCE = 40
MODEL_AT_ONCE = 5
SETTLED_AFTER = timedelta(hours=24)


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch, by the payload's `by`."""
    if payload.get("by") == BY_MODEL:
        await _with_model(context)
    else:
        await _without_model(context)


async def _without_model(context: JobContext) -> None:
    batch = await context.store.read(_stale)
    texts = await asyncio.to_thread(lambda: [extractive(one) if one.passages else None for one in batch])
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        for made_of, written in zip(batch, texts, strict=True):
            if written is None:
                _drop(connection, made_of.node)
            else:
                tree_store.write_text(connection, made_of.node, written, now=now)
        if tree_store.count_stale(connection):
            enqueue(connection, NAME, ALL, now=now)
            return None, []
        enqueue(connection, "embed_nodes", ALL, now=now)
        if context.tools.inference is not None:
            _ask_for_model(connection, now=now)
        return None, []

    await context.finish(work)


def _stale(connection: Connection) -> list[Material]:
    return [material(connection, node) for node in tree_store.stale_nodes(connection, limit=AT_ONCE)]


def _drop(connection: Connection, read: Node) -> None:
    """Removes a node that was empty, unless something came below it since."""
    node = tree_store.node(connection, read.id)
    if node is not None and node.stale == read.stale:
        tree_store.drop_empty(connection, node)


async def _with_model(context: JobContext) -> None:
    # The inference room brings the network's libraries, which a run without a model never needs.
    from heedful.inference import load_prompt
    from heedful.memory.summaries_model import PROMPT, provider_to_ask, written_by_model

    tools = context.tools
    provider = await provider_to_ask(tools)
    if provider is None or tools.inference is None:
        return
    prompt = load_prompt(PROMPT, tools.prompts)
    kept_back = await tools.inference.egress.kept_back(provider)
    before = context.clock.now() - SETTLED_AFTER

    def read(connection: Connection) -> list[Material]:
        waiting = tree_store.extractive_nodes(
            connection, prompt=prompt.name, kept_back=kept_back, before=before, limit=MODEL_AT_ONCE
        )
        return [material(connection, node) for node in waiting]

    batch = await context.store.read(read)
    run_id = RunId(tools.new_id())
    for made_of in sorted(batch, key=_turn):
        written = await written_by_model(tools, provider, made_of, prompt=prompt, run_id=run_id)
        await _keep(context, made_of.node, written or _tried(made_of.node, prompt.name))
    if batch:
        await context.finish(partial(_ask_for_model, now=context.clock.now()))


def _turn(made_of: Material) -> tuple[int, int, int]:
    """From below, and of those the shortest first: one that is too much for the model must not hold the others up."""
    scopes = ("thread", "source", "root", "day")
    length = sum(len(passage.text) for passage in made_of.passages)
    return scopes.index(made_of.node.scope), made_of.node.level, length


def _ask_for_model(connection: Connection, *, now: datetime) -> tuple[None, list[Event]]:
    enqueue(connection, NAME, BY_MODEL, {"by": BY_MODEL}, now=now)
    return None, []


async def _keep(context: JobContext, node: Node, written: Written) -> None:
    now = context.clock.now()

    def work(connection: Connection) -> tuple[None, list[Event]]:
        if tree_store.write_text(connection, node, written, now=now) and written.text != node.text:
            enqueue(connection, NAME, ALL, now=now)
        return None, []

    await context.keep(work)


def _tried(node: Node, prompt: str) -> Written:
    """The text as it is, with a note that this prompt brought nothing better."""
    return Written(node.text, node.tokens, node.method, node.made_by, prompt)


JOB = JobKind(NAME, run, turn=40, on_growth=True)
