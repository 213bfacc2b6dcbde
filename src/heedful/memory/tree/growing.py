"""Hangs chunks into the tree: root, source, thread, and between them summary nodes of at most ten items.

Each scope's tree grows at its right end, like the index of a database. A chunk goes into the newest node of level one.
A node is sealed when it holds ten items, or as many tokens as one summary can take in, or is a day old. The next node
then opens beside it, and a level above when the one above is full too. So every chunk hangs in the tree from the moment
it is planted, a node's place never changes, and a change touches exactly one branch.

A thread gets a tree of its own when it is a chat or has grown a little; smaller ones share the nodes of their source.

Why so, and not by buffers that are sealed later: decision 0007.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from heedful.core.clock import to_millis
from heedful.core.ids import ChunkId, NodeId, SourceId, ThreadId, content_id
from heedful.memory.tree import tree_store
from heedful.memory.tree.tree_store import Scope
from heedful.storage import Connection, Row

FAN_OUT = 10
MOST_TOKENS = 3000
SEALED_AFTER = timedelta(hours=24)
AGED_ITEMS = 3
"""A node that is a day old is sealed when it holds so many; with fewer it waits, or a slow thread were all nodes."""

OWN_TREE_FROM = 4
"""How many chunks a thread of letters has before it gets a tree of its own."""

CHATS = frozenset(["telegram", "slack", "whatsapp", "chat"])


@dataclass(frozen=True, slots=True)
class Leaf:
    """A chunk to plant. `thread_chunks` counts those of its whole thread; `sent_at` is in milliseconds."""

    chunk_id: ChunkId
    source_id: SourceId
    thread_id: ThreadId
    channel: str
    thread_chunks: int
    sent_at: int
    tokens: int


@dataclass(frozen=True, slots=True)
class _Tree:
    scope: Scope
    scope_id: str
    outer: "_Tree | None"


_ROOT = _Tree("root", "", None)


@dataclass(slots=True)
class _Newest:
    """The newest node of a level, with what decides whether it has room."""

    id: NodeId
    level: int
    items: int
    weight: int
    opened_at: int
    is_sealed: bool


@dataclass(slots=True)
class Planter:
    """Plants chunks, in one transaction; `flush` ends it and says which branches changed."""

    connection: Connection
    now: datetime
    _newest: dict[tuple[str, str, int], _Newest | None] = field(default_factory=dict)
    _has_tree: dict[ThreadId, bool] = field(default_factory=dict)
    _touched: dict[NodeId, tuple[int, int]] = field(default_factory=dict)

    def plant(self, leaf: Leaf) -> NodeId:
        """Hangs a chunk at the right end of its thread's or its source's tree, and returns the node it hangs below."""
        source = _Tree("source", leaf.source_id, _ROOT)
        tree = _Tree("thread", leaf.thread_id, source) if self._grows_alone(leaf) else source
        room = self._room(tree, 1)
        tree_store.attach(self.connection, room.id, leaf.chunk_id)
        room.items += 1
        room.weight += leaf.tokens
        begins, ends = self._touched.get(room.id, (leaf.sent_at, leaf.sent_at))
        self._touched[room.id] = (min(begins, leaf.sent_at), max(ends, leaf.sent_at))
        return room.id

    def flush(self) -> int:
        """Writes how full the nodes are and marks their branches stale; returns how many nodes were touched."""
        self.connection.execute_many(
            "UPDATE nodes SET items = ?, weight = ?, sealed = ? WHERE id = ?",
            [
                (newest.items, newest.weight, int(newest.is_sealed), newest.id)
                for newest in self._newest.values()
                if newest is not None
            ],
        )
        _stretch(self.connection, self._touched)
        touched = tree_store.mark_branches(self.connection, self._touched)
        self._touched.clear()
        return touched

    def _grows_alone(self, leaf: Leaf) -> bool:
        if leaf.channel in CHATS or leaf.thread_chunks >= OWN_TREE_FROM:
            return True
        known = self._has_tree.get(leaf.thread_id)
        if known is None:
            known = self._newest_of(_Tree("thread", leaf.thread_id, None), 1) is not None
            self._has_tree[leaf.thread_id] = known
        return known

    def _room(self, tree: _Tree, level: int) -> _Newest:
        """The node of that level that takes the next item, opened where the last one is full."""
        newest = self._newest_of(tree, level)
        if newest is not None and not self._is_full(newest):
            return newest
        if newest is not None:
            self._seal(newest)
        return self._open(tree, level, newest)

    def _is_full(self, newest: _Newest) -> bool:
        if newest.is_sealed or newest.items >= FAN_OUT:
            return True
        if newest.level > 1:
            return False
        age = to_millis(self.now) - newest.opened_at
        is_aged = age >= SEALED_AFTER.total_seconds() * 1000 and newest.items >= AGED_ITEMS
        return newest.weight >= MOST_TOKENS or is_aged

    def _open(self, tree: _Tree, level: int, last: _Newest | None) -> _Newest:
        above = self._newest_of(tree, level + 1)
        if above is None and last is None:
            parent = None if tree.outer is None else self._room(tree.outer, 1)
        elif above is None and last is not None:
            parent = self._grow(tree, level + 1, last)
        else:
            parent = self._room(tree, level + 1)
        if parent is not None:
            parent.items += 1
        return self._insert(tree, level, parent.id if parent is not None else None)

    def _grow(self, tree: _Tree, level: int, top: _Newest) -> _Newest:
        """Puts a level above the node that was the tree's top; it takes that one's place in the tree around it."""
        outer = self.connection.value("SELECT parent_id FROM nodes WHERE id = ?", (top.id,))
        above = self._insert(tree, level, None if outer is None else NodeId(str(outer)))
        above.items = 1
        self.connection.execute(
            "UPDATE nodes SET (begins_at, ends_at) = (SELECT begins_at, ends_at FROM nodes WHERE id = ?) WHERE id = ?",
            (top.id, above.id),
        )
        self.connection.execute("UPDATE nodes SET parent_id = ? WHERE id = ?", (above.id, top.id))
        return above

    def _insert(self, tree: _Tree, level: int, parent_id: NodeId | None) -> _Newest:
        place = int(self.connection.value("SELECT seq FROM sqlite_sequence WHERE name = 'nodes'") or 0) + 1
        node_id = NodeId(content_id("node", tree.scope, tree.scope_id, str(level), str(place)))
        opened_at = to_millis(self.now)
        self.connection.execute(
            "INSERT INTO nodes (seq, id, scope, scope_id, level, parent_id, begins_at, ends_at, opened_at, stale) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            (place, node_id, tree.scope, tree.scope_id, level, parent_id, _NEVER, -_NEVER, opened_at),
        )
        opened = _Newest(node_id, level, 0, 0, opened_at, is_sealed=False)
        self._newest[tree.scope, tree.scope_id, level] = opened
        return opened

    def _newest_of(self, tree: _Tree, level: int) -> _Newest | None:
        key = (tree.scope, tree.scope_id, level)
        if key not in self._newest:
            row = self.connection.row(
                "SELECT id, items, weight, opened_at, sealed FROM nodes WHERE scope = ? AND scope_id = ? AND level = ? "
                "ORDER BY seq DESC LIMIT 1",
                key,
            )
            self._newest[key] = None if row is None else _newest(level, row)
        return self._newest[key]

    def _seal(self, newest: _Newest) -> None:
        self.connection.execute(
            "UPDATE nodes SET items = ?, weight = ?, sealed = 1 WHERE id = ?",
            (newest.items, newest.weight, newest.id),
        )


_NEVER = 1 << 53
"""Where a node's time begins before anything was planted below it: later than anything."""


def _newest(level: int, row: Row) -> _Newest:
    node_id, items, weight, opened_at, is_sealed = row
    return _Newest(
        NodeId(str(node_id)), level, int(items or 0), int(weight or 0), int(opened_at or 0), bool(is_sealed)
    )


def _stretch(connection: Connection, times: Mapping[NodeId, tuple[int, int]]) -> None:
    """Lets the branches of these nodes cover the time of what was hung below them."""
    for node_id, (begins, ends) in times.items():
        connection.execute(
            "WITH RECURSIVE up (id) AS (SELECT ? UNION SELECT n.parent_id FROM nodes n JOIN up ON n.id = up.id "
            "WHERE n.parent_id IS NOT NULL) UPDATE nodes SET begins_at = min(begins_at, ?), "
            "ends_at = max(ends_at, ?) WHERE id IN (SELECT id FROM up) AND (begins_at > ? OR ends_at < ?)",
            (node_id, begins, ends, begins, ends),
        )


def seal_aged(connection: Connection, *, now: datetime) -> int:
    """Seals the nodes above chunks that are a day old and hold enough; returns how many."""
    return connection.execute(
        "UPDATE nodes SET sealed = 1 WHERE sealed = 0 AND level = 1 AND scope <> 'root' AND items >= ? "
        "AND opened_at <= ?",
        (AGED_ITEMS, to_millis(now - SEALED_AFTER)),
    )


def keep_place(
    connection: Connection, message_seq: int, before: Sequence[tuple[ChunkId, NodeId | None]]
) -> int:
    """Hangs the new chunks of an edited message where the old ones hung; returns how many nodes that touched.

    The first stays in the first one's place, and so on. A chunk in the place of one that was left out, or that the
    edit added, hangs nowhere yet: it is judged and planted like anything new. `before` is `tree_store.homes` from
    before the edit.
    """
    rows = connection.rows(
        "SELECT c.id, m.sent_at FROM chunks c JOIN messages m ON m.seq = c.message_seq WHERE m.seq = ? "
        "ORDER BY c.start",
        (message_seq,),
    )
    times: dict[NodeId, tuple[int, int]] = {}
    for (chunk_id, sent_at), (_, node_id) in zip(rows, before, strict=False):
        if node_id is not None:
            tree_store.attach(connection, node_id, ChunkId(str(chunk_id)))
            connection.execute("UPDATE nodes SET items = items + 1 WHERE id = ?", (node_id,))
            times[node_id] = (int(sent_at or 0), int(sent_at or 0))
    _stretch(connection, times)
    return tree_store.mark_branches(connection, {node_id for _, node_id in before if node_id is not None})


def keep_days(connection: Connection, message_seq: int, days: Sequence[NodeId]) -> None:
    """Leaves an edited message linked to the days that tell of it, until they are told anew.

    Their texts still say what it said before, and whoever forgets it finds them by this. `days` is `tree_store.days_of`
    from before the edit.
    """
    first = connection.value("SELECT id FROM chunks WHERE message_seq = ? ORDER BY start", (message_seq,))
    for day in days:
        tree_store.attach(connection, day, ChunkId(str(first)))
        connection.execute("UPDATE nodes SET items = items + 1 WHERE id = ?", (day,))
