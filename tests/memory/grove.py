"""A memory with its stages run: letters taken in, judged, hung into the tree and summarised."""

from dataclasses import dataclass

from heedful.inference import Inference
from heedful.memory.tree import tree_store
from heedful.memory.tree.tree_store import Node, Scope
from heedful.memory.work.known_kinds import job_kinds
from heedful.memory.work.worker import Settled, Worker
from heedful.storage import Connection, Store
from tests.fakes.clock import FakeClock
from tests.memory.workshop import tools_of

STAGES = ("seal", "summarise", "digest", "rewrite")


async def settle(store: Store, clock: FakeClock, *stages: str, inference: Inference | None = None) -> Settled:
    """Runs these stages, or those of the tree, to their end."""
    kinds = {name: kind for name, kind in job_kinds().items() if name in (stages or STAGES)}
    return await Worker(tools_of(store, clock, inference), lambda: kinds).settle()


async def node(store: Store, scope: Scope, scope_id: str) -> Node:
    """The top of a scope, which must be there."""
    found = await store.read(lambda connection: tree_store.top(connection, scope, scope_id))
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class Shape:
    """The tree as numbers: nodes by scope and level, and what is wrong with it."""

    nodes: dict[tuple[str, int], int]
    faults: tuple[str, ...]


def shape(connection: Connection) -> Shape:
    """What every tree must be: each admitted chunk hangs once, counts are true, fan-out holds, one root."""
    counted = connection.rows("SELECT scope, level, count(*) FROM nodes WHERE scope <> 'day' GROUP BY 1, 2")
    checks = {
        "admitted chunks that do not hang in exactly one node": (
            "SELECT d.chunk_id FROM admissions d LEFT JOIN node_chunks k ON k.chunk_id = d.chunk_id "
            "AND k.node_id IN (SELECT id FROM nodes WHERE scope <> 'day') WHERE d.admitted = 1 "
            "GROUP BY d.chunk_id HAVING count(k.node_id) <> 1"
        ),
        "nodes whose items are counted wrong": (
            "SELECT n.id FROM nodes n WHERE n.items <> (SELECT count(*) FROM nodes c WHERE c.parent_id = n.id) "
            "+ (SELECT count(*) FROM node_chunks k WHERE k.node_id = n.id)"
        ),
        "nodes with more than ten items": "SELECT id FROM nodes WHERE items > 10 AND scope <> 'day'",
        "nodes without a parent": "SELECT id FROM nodes WHERE parent_id IS NULL AND scope NOT IN ('day', 'root')",
        "two roots": "SELECT count(*) FROM nodes WHERE scope = 'root' AND parent_id IS NULL HAVING count(*) > 1",
        "open nodes that are not the newest of their level": (
            "SELECT n.id FROM nodes n WHERE n.sealed = 0 AND n.scope <> 'day' AND EXISTS (SELECT 1 FROM nodes m "
            "WHERE m.scope = n.scope AND m.scope_id = n.scope_id AND m.level = n.level AND m.seq > n.seq)"
        ),
        "nodes that end before something below them": (
            "SELECT n.id FROM nodes n JOIN nodes c ON c.parent_id = n.id "
            "WHERE c.begins_at < n.begins_at OR c.ends_at > n.ends_at"
        ),
        "nodes with nothing below": "SELECT id FROM nodes WHERE items = 0 AND scope <> 'day'",
    }
    faults = [f"{what}: {rows}" for what, sql in checks.items() if (rows := connection.rows(sql))]
    return Shape(
        {(str(scope), int(level or 0)): int(count or 0) for scope, level, count in counted}, tuple(faults)
    )
