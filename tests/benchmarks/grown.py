"""Grows the tree above the passages of a store, with its summaries and their vectors, as the stages would."""

import asyncio
import math

from heedful.core.clock import from_millis
from heedful.core.ids import ChunkId, SourceId, ThreadId
from heedful.memory.recall import node_vectors
from heedful.memory.tree import tree_store
from heedful.memory.tree.growing import Leaf, Planter
from heedful.memory.tree.summaries import extractive, material
from heedful.storage import Connection
from tests.benchmarks.retrieval_sets import BEGIN
from tests.benchmarks.set_embeddings import KeptEmbeddings

AT_ONCE = 200


def grow(connection: Connection, embedder: KeptEmbeddings | None) -> None:
    """Plants every passage and writes every summary."""
    rows = connection.rows(
        "SELECT c.id, m.source_id, m.thread_id, m.channel, t.messages, m.sent_at, c.finish - c.start FROM chunks c "
        "JOIN messages m ON m.seq = c.message_seq JOIN threads t ON t.id = m.thread_id ORDER BY c.seq"
    )
    with connection.transaction():
        planter = Planter(connection, BEGIN)
        for chunk_id, source, thread, channel, size, sent_at, length in rows:
            planter.plant(
                Leaf(
                    ChunkId(str(chunk_id)), SourceId(str(source)), ThreadId(str(thread)), str(channel),
                    int(size or 0), int(sent_at or 0), math.ceil(int(length or 0) / 4),
                )
            )  # fmt: skip
        planter.flush()
        while stale := tree_store.stale_nodes(connection, limit=AT_ONCE):
            for node in stale:
                made_of = material(connection, node)
                tree_store.write_text(connection, node, extractive(made_of), now=from_millis(0))
    if embedder is not None:
        asyncio.run(_embed(connection, embedder))


async def _embed(connection: Connection, embedder: KeptEmbeddings) -> None:
    place: int | None = 0
    while place is not None:
        batch, place = node_vectors.waiting(
            connection, embedder.id, after=place, kept_back=frozenset(), limit=AT_ONCE
        )
        if batch:
            made = await node_vectors.make(embedder, batch)
            with connection.transaction():
                node_vectors.keep(connection, embedder.id, made)
