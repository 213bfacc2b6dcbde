"""Writes the texts of stale nodes from below, at once and without a model; `rewrite` may write them anew later."""

import asyncio
from collections.abc import Mapping

from heedful.core.events import Event
from heedful.memory.queue.asking import ALL, enqueue
from heedful.memory.tree import tree_store
from heedful.memory.tree.summaries import Material, extractive, material
from heedful.memory.tree.tree_store import Node
from heedful.memory.work.kind import JobContext, JobKind
from heedful.storage import Connection

NAME = "summarise"
AT_ONCE = 40


async def run(context: JobContext, payload: Mapping[str, object]) -> None:
    """One batch; asks for the next where more is stale, else for what is made of the texts."""
    del payload
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
            enqueue(connection, "rewrite", ALL, now=now)
        return None, []

    await context.finish(work)


def _stale(connection: Connection) -> list[Material]:
    return [material(connection, node) for node in tree_store.stale_nodes(connection, limit=AT_ONCE)]


def _drop(connection: Connection, read: Node) -> None:
    """Removes a node that was empty, unless something came below it since."""
    node = tree_store.node(connection, read.id)
    if node is not None and node.stale == read.stale:
        tree_store.drop_empty(connection, node)


JOB = JobKind(NAME, run, turn=40, on_growth=True)
