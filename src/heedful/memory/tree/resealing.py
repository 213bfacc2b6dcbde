"""Makes single branches of the tree anew at once, for whoever takes something out of the memory.

The queue would get there by itself; but what was forgotten must not stand in a summary until then.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime

from heedful.core.ids import ChunkId, NodeId
from heedful.memory.tree import tree_store
from heedful.memory.tree.digests import digest_of
from heedful.memory.tree.summaries import extractive, material
from heedful.memory.tree.tree_store import Node
from heedful.storage import Connection


def branches_of(connection: Connection, chunk_ids: Iterable[ChunkId]) -> list[NodeId]:
    """Every node that may speak of these chunks, from below; ask before the chunks are gone.

    A stale text may be of passages that do not hang below it any more: what an edit shortened, or took out.
    """
    wanted = list(chunk_ids)
    if not wanted:
        return []
    rows = connection.rows(
        "WITH RECURSIVE up (id) AS (SELECT k.node_id FROM node_chunks k JOIN json_each(?) j ON j.value = k.chunk_id "
        "UNION SELECT s.id FROM nodes s WHERE s.stale > 0 AND s.scope IN ('thread', 'source', 'root') AND s.text <> '' "
        "UNION SELECT n.parent_id FROM nodes n JOIN up ON n.id = up.id WHERE n.parent_id IS NOT NULL) "
        f"SELECT n.id FROM nodes n JOIN up ON up.id = n.id ORDER BY {tree_store.BOTTOM_UP}",
        (json.dumps(wanted),),
    )
    return [NodeId(str(node_id)) for (node_id,) in rows]


def reseal(connection: Connection, node_ids: Sequence[NodeId], *, now: datetime) -> int:
    """Writes these nodes anew from what is left below them, without a model, and removes those with nothing left.

    The nodes come from below, as `branches_of` gives them. Returns how many there were.
    """
    for node_id in node_ids:
        found = tree_store.node(connection, node_id)
        if found is not None:
            _rewrite(connection, found, now=now)
    return len(node_ids)


def _rewrite(connection: Connection, node: Node, *, now: datetime) -> None:
    made_of = material(connection, node)
    if node.scope == "day":
        tree_store.write_text(connection, node, digest_of(made_of), now=now)
        # What else came that day, and whether it stays, the digests' own job knows.
        tree_store.mark(connection, node.id)
    elif made_of.passages:
        tree_store.write_text(connection, node, extractive(made_of), now=now)
    else:
        tree_store.drop_empty(connection, node)
