"""The rows of the tree: nodes, what hangs below them, and which of them do not know of a change yet."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from heedful.core.clock import from_millis, to_millis
from heedful.core.ids import ChunkId, NodeId, SourceId
from heedful.storage import Connection, Row

Scope = Literal["thread", "source", "root", "day"]
Method = Literal["none", "model", "extractive"]

_SCOPES: dict[str, Scope] = {"thread": "thread", "source": "source", "root": "root", "day": "day"}
_METHODS: dict[str, Method] = {"none": "none", "model": "model", "extractive": "extractive"}

_COLUMNS = (
    "n.id, n.scope, n.scope_id, n.level, n.parent_id, n.begins_at, n.ends_at, n.items, n.sealed, n.stale, n.text, "
    "n.tokens, n.method, n.made_by, n.prompt, n.made_at"
)

PAGE = 50
MILLISECOND = timedelta(milliseconds=1)

WIDER = timedelta(days=14)
"""What a step up the tree is worth where a model's time is shared out: as much as being so much more recent."""

# A node is made after everything below it: threads hang below sources, sources below the root.
BOTTOM_UP = "CASE n.scope WHEN 'thread' THEN 0 WHEN 'source' THEN 1 ELSE 2 END, n.level"

_UP = (
    "WITH RECURSIVE up (id) AS (SELECT value FROM json_each(?) UNION SELECT n.parent_id FROM nodes n "
    "JOIN up ON n.id = up.id WHERE n.parent_id IS NOT NULL)"
)


@dataclass(frozen=True, slots=True)
class Node:
    """A summary. `scope_id` is a thread's or source's id, a local day, or empty for the root.

    `level` counts from 1 within its scope, a day is 0. `items` counts the chunks and nodes right below it; `stale`
    the changes below that `text` does not know of. `method` is `none` and `made_at` None before the first text;
    `made_by` is the summariser's or the model's name. `prompt` is that of a model's text; with an extractive one it
    says what was tried (`Tries`).
    """

    id: NodeId
    scope: Scope
    scope_id: str
    level: int
    parent_id: NodeId | None
    begins_at: datetime
    ends_at: datetime
    items: int
    is_sealed: bool
    stale: int
    text: str
    tokens: int
    method: Method
    made_by: str
    prompt: str
    made_at: datetime | None


@dataclass(frozen=True, slots=True)
class Written:
    """The text of a node and how it came about."""

    text: str
    tokens: int
    method: Method
    made_by: str
    prompt: str = ""


@dataclass(frozen=True, slots=True)
class Tries:
    """How a node is marked for which this prompt and model brought nothing: refused for good, or not answered yet.

    What was refused says why; `refusals` is how every such mark begins.
    """

    prompt: str
    model: str

    @property
    def refusals(self) -> str:
        return f"{self.prompt}, nothing of use from {self.model}: "

    def refused(self, why: str) -> str:
        """The mark of what was refused for a reason."""
        return f"{self.refusals}{why}"

    @property
    def unanswered(self) -> str:
        return f"{self.prompt}, no answer from {self.model}"


def node(connection: Connection, node_id: NodeId) -> Node | None:
    """One node; None when there is none of that id."""
    row = connection.row(f"SELECT {_COLUMNS} FROM nodes n WHERE n.id = ?", (node_id,))
    return None if row is None else _node(row)


def top(connection: Connection, scope: Scope, scope_id: str) -> Node | None:
    """The node above everything of a scope."""
    row = connection.row(
        f"SELECT {_COLUMNS} FROM nodes n WHERE n.scope = ? AND n.scope_id = ? ORDER BY n.level DESC, n.seq LIMIT 1",
        (scope, scope_id),
    )
    return None if row is None else _node(row)


def children(connection: Connection, node_id: NodeId) -> list[Node]:
    """The nodes right below a node, in the order of time."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM nodes n WHERE n.parent_id = ? ORDER BY n.begins_at, n.seq", (node_id,)
    )
    return [_node(row) for row in rows]


def chunk_ids(connection: Connection, node_id: NodeId) -> list[ChunkId]:
    """The chunks right below a node, in the order of time."""
    rows = connection.rows(
        "SELECT c.id FROM node_chunks k JOIN chunks c ON c.id = k.chunk_id JOIN messages m ON m.seq = c.message_seq "
        "WHERE k.node_id = ? ORDER BY m.sent_at, c.message_seq, c.start",
        (node_id,),
    )
    return [ChunkId(str(chunk_id)) for (chunk_id,) in rows]


def homes(connection: Connection, message_seq: int) -> list[tuple[ChunkId, NodeId | None]]:
    """Every chunk of a message in its order, with the node it hangs below, if any; days do not count."""
    rows = connection.rows(
        "SELECT c.id, (SELECT n.id FROM node_chunks k JOIN nodes n ON n.id = k.node_id AND n.scope <> 'day' "
        "WHERE k.chunk_id = c.id) FROM chunks c WHERE c.message_seq = ? ORDER BY c.start",
        (message_seq,),
    )
    return [
        (ChunkId(str(chunk_id)), None if node_id is None else NodeId(str(node_id)))
        for chunk_id, node_id in rows
    ]


def days_of(connection: Connection, message_seq: int) -> list[NodeId]:
    """The days that a message is told on."""
    rows = connection.rows(
        "SELECT DISTINCT n.id FROM chunks c JOIN node_chunks k ON k.chunk_id = c.id "
        "JOIN nodes n ON n.id = k.node_id AND n.scope = 'day' WHERE c.message_seq = ? ORDER BY n.seq",
        (message_seq,),
    )
    return [NodeId(str(node_id)) for (node_id,) in rows]


def nodes_above(connection: Connection, chunk_id: ChunkId) -> list[Node]:
    """Every node a chunk speaks in, from its own up to the root, then the days."""
    rows = connection.rows(
        "WITH RECURSIVE up (id) AS (SELECT node_id FROM node_chunks WHERE chunk_id = ? UNION "
        "SELECT n.parent_id FROM nodes n JOIN up ON n.id = up.id WHERE n.parent_id IS NOT NULL) "
        f"SELECT {_COLUMNS} FROM nodes n JOIN up ON up.id = n.id ORDER BY n.scope = 'day', {BOTTOM_UP}",
        (chunk_id,),
    )
    return [_node(row) for row in rows]


def attach(connection: Connection, node_id: NodeId, chunk_id: ChunkId) -> None:
    """Hangs a chunk below a node."""
    connection.execute("INSERT INTO node_chunks (node_id, chunk_id) VALUES (?, ?)", (node_id, chunk_id))


def detach(connection: Connection, chunk_ids: Iterable[ChunkId]) -> int:
    """Takes these chunks out of the tree and marks the branches they hung in as stale; returns how many hung there."""
    wanted = json.dumps(list(chunk_ids))
    hanging = connection.rows(
        "SELECT k.chunk_id, k.node_id FROM json_each(?) j JOIN node_chunks k ON k.chunk_id = j.value "
        "JOIN nodes n ON n.id = k.node_id WHERE n.scope <> 'day'",
        (wanted,),
    )
    connection.execute_many("DELETE FROM node_chunks WHERE chunk_id = ? AND node_id = ?", hanging)
    mark_branches(connection, {NodeId(str(node_id)) for _, node_id in hanging})
    return len(hanging)


def mark_branches(connection: Connection, node_ids: Iterable[NodeId]) -> int:
    """Marks these nodes and everything above them as stale; returns how many nodes that touched."""
    return connection.execute(
        f"UPDATE nodes SET stale = stale + 1 WHERE id IN ({_UP} SELECT id FROM up)",
        (json.dumps(list(node_ids)),),
    )


def mark(connection: Connection, node_id: NodeId) -> None:
    """Marks one node as stale."""
    connection.execute("UPDATE nodes SET stale = stale + 1 WHERE id = ?", (node_id,))


def count_stale(connection: Connection) -> int:
    """How many nodes of the tree wait to be made anew; days do not count."""
    return int(
        connection.value(
            "SELECT count(*) FROM nodes WHERE stale > 0 AND scope IN ('thread', 'source', 'root')"
        )
        or 0
    )


def stale_nodes(connection: Connection, *, limit: int) -> list[Node]:
    """Stale nodes of the lowest level that has any, so that none of them hangs below another."""
    lowest = connection.row(
        "SELECT n.scope, n.level FROM nodes n WHERE n.stale > 0 AND n.scope IN ('thread', 'source', 'root') "
        f"ORDER BY {BOTTOM_UP} LIMIT 1"
    )
    if lowest is None:
        return []
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM nodes n WHERE n.stale > 0 AND n.scope = ? AND n.level = ? ORDER BY n.seq LIMIT ?",
        (lowest[0], lowest[1], limit),
    )
    return [_node(row) for row in rows]


def stale_days(connection: Connection, *, before: str, limit: int) -> list[Node]:
    """Days before a local day (as ISO text) whose digest is to be made, the newest first."""
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM nodes n WHERE n.stale > 0 AND n.scope = 'day' AND n.scope_id < ? "
        "ORDER BY n.scope_id DESC LIMIT ?",
        (before, limit),
    )
    return [_node(row) for row in rows]


def write_text(connection: Connection, made: Node, written: Written, *, now: datetime) -> bool:
    """Gives a node its text, unless something changed below it since it was read; True when it was written.

    Where the text differs from before, the node above is stale from now on.
    """
    changed = connection.execute(
        "UPDATE nodes SET text = ?, tokens = ?, method = ?, made_by = ?, prompt = ?, made_at = ?, stale = 0 "
        "WHERE id = ? AND stale = ?",
        (
            written.text,
            written.tokens,
            written.method,
            written.made_by,
            written.prompt,
            to_millis(now),
            made.id,
            made.stale,
        ),
    )
    if changed and written.text != made.text and made.parent_id is not None:
        connection.execute("UPDATE nodes SET stale = stale + 1 WHERE id = ? AND stale = 0", (made.parent_id,))
    return changed == 1


def note_try(connection: Connection, tried: Node, note: str) -> None:
    """Notes what was tried with a node whose text stays, unless something changed below it since it was read."""
    connection.execute(
        "UPDATE nodes SET prompt = ? WHERE id = ? AND stale = ?", (note, tried.id, tried.stale)
    )


def drop_empty(connection: Connection, empty: Node) -> None:
    """Removes a node with nothing below it; the one above has an item less, and is stale."""
    connection.execute("DELETE FROM nodes WHERE id = ?", (empty.id,))
    if empty.parent_id is not None:
        connection.execute(
            "UPDATE nodes SET items = items - 1, stale = stale + 1 WHERE id = ?", (empty.parent_id,)
        )


def sources_below(connection: Connection, above: Node) -> frozenset[SourceId]:
    """The sources whose words a node's text is made of; goes all the way down, so ask it of few nodes.

    A thread may hold messages of several sources, and so may everything above it, whichever source it is listed under.
    """
    rows = connection.rows(
        "WITH RECURSIVE below (id) AS (SELECT ? UNION ALL SELECT n.id FROM below CROSS JOIN nodes n "
        "ON n.parent_id = below.id) SELECT DISTINCT m.source_id FROM below CROSS JOIN node_chunks k "
        "ON k.node_id = below.id CROSS JOIN chunks c ON c.id = k.chunk_id "
        "CROSS JOIN messages m ON m.seq = c.message_seq",
        (above.id,),
    )
    return frozenset(SourceId(str(source_id)) for (source_id,) in rows)


def browse(
    connection: Connection,
    *,
    scope: Scope | None = None,
    below: str | None = None,
    since: datetime | None = None,
    limit: int = 20,
) -> list[Node]:
    """Nodes with a text, the newest first and of those the highest.

    Each filter narrows where given; `below` is a source's id and keeps its own nodes and those of its threads.
    """
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM nodes n WHERE n.text <> '' AND (:scope IS NULL OR n.scope = :scope) "
        "AND (:below IS NULL OR n.scope_id = :below OR (n.scope = 'thread' "
        "AND n.scope_id IN (SELECT id FROM threads WHERE source_id = :below))) "
        "AND (:since IS NULL OR n.ends_at >= :since) "
        "ORDER BY n.ends_at DESC, n.level DESC, n.seq DESC LIMIT :limit",
        {
            "scope": scope,
            "below": below,
            "since": None if since is None else to_millis(since),
            "limit": limit,
        },
    )
    return [_node(row) for row in rows]


def extractive_nodes(
    connection: Connection, tries: Tries, *, kept_back: frozenset[SourceId], before: datetime, limit: int
) -> list[Node]:
    """Nodes that wait for a model, recent and wide ones first; those that got no answer last, those refused never.

    Those are sealed ones right above chunks, days, and whatever was made before a moment and so changes seldom;
    none in which one of the sources that are kept back speaks.
    """
    found: list[Node] = []
    page: list[Row] | None = None
    begin = 0
    while len(found) < limit and (page is None or len(page) == PAGE):
        page = connection.rows(
            f"SELECT {_COLUMNS} FROM nodes n WHERE n.method = 'extractive' AND n.stale = 0 "
            "AND n.text <> '' AND n.items > 0 AND substr(n.prompt, 1, ?) <> ? AND ((n.sealed = 1 AND n.level = 1) "
            "OR n.scope = 'day' OR n.made_at < ?) ORDER BY n.prompt = ?, n.ends_at + ? * (n.level + "
            "CASE n.scope WHEN 'thread' THEN 0 WHEN 'root' THEN 2 ELSE 1 END) DESC, n.seq DESC LIMIT ? OFFSET ?",
            (
                len(tries.refusals),
                tries.refusals,
                to_millis(before),
                tries.unanswered,
                WIDER // MILLISECOND,
                PAGE,
                begin,
            ),
        )
        found += [
            one for one in map(_node, page) if kept_back.isdisjoint(_speakers(connection, one, kept_back))
        ]
        begin += PAGE
    return found[:limit]


def _speakers(connection: Connection, node: Node, kept_back: frozenset[SourceId]) -> frozenset[SourceId]:
    """The sources below a node, which need not be looked up where none is kept back."""
    return sources_below(connection, node) if kept_back else kept_back


def _node(row: Row) -> Node:
    return Node(
        id=NodeId(str(row[0])),
        scope=_SCOPES[str(row[1])],
        scope_id=str(row[2]),
        level=int(row[3] or 0),
        parent_id=None if row[4] is None else NodeId(str(row[4])),
        begins_at=from_millis(int(row[5] or 0)),
        ends_at=from_millis(int(row[6] or 0)),
        items=int(row[7] or 0),
        is_sealed=bool(row[8]),
        stale=int(row[9] or 0),
        text=str(row[10]),
        tokens=int(row[11] or 0),
        method=_METHODS[str(row[12])],
        made_by=str(row[13]),
        prompt=str(row[14]),
        made_at=None if row[15] is None else from_millis(int(row[15])),
    )
