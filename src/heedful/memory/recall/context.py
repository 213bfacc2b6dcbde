"""What a model needs to answer a question, within so many tokens: passages through the tree, not one after another.

Each passage is worth the chance that it answers, which the ranking's points tell, and what stands next to one in its
node a part of that. What is worth most for its length goes in first. Passages of one conversation and day share a
heading, and stand in the order of time; a question that wants an overview begins with the summaries above them.

Whatever others wrote stands on a line of its own that is no heading, and holds no mark of a fence (`inference.fence`).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import ChunkId, NodeId, ThreadId
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.messages.thread_titles import titles
from heedful.memory.recall.recalling import recall
from heedful.memory.search.hits import MOST_HITS, Hit
from heedful.memory.search.question import understand
from heedful.memory.search.terms import UNFILTERED, Filters, narrowed
from heedful.memory.tree import tree_store
from heedful.storage import Connection, Row, Value
from heedful.tokenjuice import tokens_in

NEXT_TO = 0.15
"""What a passage is worth that stands next to one, as a share of that one's worth."""
FOR_SUMMARIES = 0.3
"""The share of the room that summaries may take."""
MOST_SUMMARIES = 5


@dataclass(frozen=True, slots=True)
class Line:
    """A passage or, with a node's id, a summary, as it stands in the context."""

    text: str
    chunk_id: ChunkId | None = None
    node_id: NodeId | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """`text` is ready for a prompt and has `tokens` by our own count; `lines` are what it is made of, in order."""

    text: str
    tokens: int
    lines: tuple[Line, ...]
    degraded: bool


@dataclass(frozen=True, slots=True)
class _Passage:
    """A passage below a node; `heading` is shared by those of its conversation and day, `turn` orders them."""

    chunk_id: ChunkId
    node_id: NodeId | None
    heading: str
    turn: tuple[int, int, int]
    line: str


def assemble(
    connection: Connection,
    text: str,
    *,
    budget: int,
    filters: Filters = UNFILTERED,
    sense: Sense | None = None,
    now: datetime | None = None,
) -> Context:
    """What fits a question best, in at most `budget` tokens. `sense` and `now` are as for `recall`."""
    hits = recall(connection, text, limit=MOST_HITS, filters=filters, sense=sense, now=now)
    found = _passages(connection, [hit.chunk_id for hit in hits], filters)
    homes = list(dict.fromkeys(one.node_id for one in found.values() if one.node_id is not None))
    around = found | _siblings(connection, homes, filters)
    worth = _worth(hits, around)
    summaries: list[Line] = []
    if understand(text, now=now).is_broad:
        summaries = _summaries(
            connection, _by_worth(worth, around), filters, room=int(budget * FOR_SUMMARIES)
        )
    spent = sum(tokens_in(f"{line.text}\n\n") for line in summaries)
    chosen = _chosen(worth, around, room=budget - spent)
    return _written(summaries, chosen, degraded=any(hit.degraded for hit in hits))


def _worth(hits: Sequence[Hit], around: Mapping[ChunkId, _Passage]) -> dict[ChunkId, float]:
    """By passage: the chance that it answers; of one that was not found, a part of its nearest neighbour's."""
    best = max((hit.score for hit in hits), default=0.0)
    odds = {hit.chunk_id: math.exp(hit.score - best) for hit in hits if hit.chunk_id in around}
    total = sum(odds.values()) or 1.0
    worth = {chunk_id: value / total for chunk_id, value in odds.items()}
    for row in _rows_of_siblings(around.values()):
        for place, one in enumerate(row):
            beside = [*row[max(0, place - 1) : place], *row[place + 1 : place + 2]]
            inherited = NEXT_TO * max(
                (odds.get(other.chunk_id, 0.0) / total for other in beside), default=0.0
            )
            worth[one.chunk_id] = worth.get(one.chunk_id, 0.0) + inherited
    return worth


def _rows_of_siblings(passages: Iterable[_Passage]) -> list[list[_Passage]]:
    rows: dict[NodeId, list[_Passage]] = {}
    for one in passages:
        if one.node_id is not None:
            rows.setdefault(one.node_id, []).append(one)
    return [sorted(row, key=lambda one: one.turn) for row in rows.values()]


def _by_worth(worth: Mapping[ChunkId, float], around: Mapping[ChunkId, _Passage]) -> list[NodeId]:
    """The nodes, those with the worthiest passages below first."""
    sums: dict[NodeId, float] = {}
    for chunk_id, value in worth.items():
        node_id = around[chunk_id].node_id
        if node_id is not None:
            sums[node_id] = sums.get(node_id, 0.0) + value
    return sorted(sums, key=lambda node_id: -sums[node_id])


def _summaries(connection: Connection, homes: Sequence[NodeId], filters: Filters, *, room: int) -> list[Line]:
    """The summaries right above the worthiest passages, as far as they fit and only of what the filters let through."""
    told: list[Line] = []
    for node_id in homes[:MOST_SUMMARIES]:
        node = tree_store.node(connection, node_id)
        if node is None or not node.text or not _lets_through(connection, filters, node):
            continue
        said = "\n".join(_as_line(one) for one in node.text.splitlines())
        line = Line(
            f"## Summary, {node.begins_at:%Y-%m-%d} to {node.ends_at:%Y-%m-%d}\n{said}", node_id=node_id
        )
        size = tokens_in(f"{line.text}\n\n")
        if size <= room:
            told.append(line)
            room -= size
    return told


def _lets_through(connection: Connection, filters: Filters, node: tree_store.Node) -> bool:
    """Whether nothing but what the filters let through can stand in a summary."""
    if filters == UNFILTERED:
        return True
    only = Filters(source_id=filters.source_id, among=filters.among)
    if filters != only:
        return False
    sources = tree_store.sources_below(connection, node)
    return (filters.source_id is None or sources <= {filters.source_id}) and (
        filters.among is None or sources <= filters.among
    )


def _chosen(
    worth: Mapping[ChunkId, float], around: Mapping[ChunkId, _Passage], *, room: int
) -> list[_Passage]:
    """The passages that are worth most for their length; the first under a heading pays for it."""
    sizes = {chunk_id: tokens_in(f"{around[chunk_id].line}\n") for chunk_id in worth}
    headings = {one.heading: tokens_in(f"\n{one.heading}\n") for one in around.values()}
    opened: set[str] = set()
    chosen: list[_Passage] = []
    left = {chunk_id for chunk_id, value in worth.items() if value > 0}

    def cost(chunk_id: ChunkId) -> int:
        heading = around[chunk_id].heading
        return sizes[chunk_id] + (0 if heading in opened else headings[heading])

    while left:
        left = {chunk_id for chunk_id in left if cost(chunk_id) <= room}
        if not left:
            break
        best = max(left, key=lambda chunk_id: (worth[chunk_id] / cost(chunk_id), chunk_id))
        room -= cost(best)
        opened.add(around[best].heading)
        chosen.append(around[best])
        left.remove(best)
    return chosen


def _written(summaries: Sequence[Line], chosen: Sequence[_Passage], *, degraded: bool) -> Context:
    blocks = [line.text for line in summaries]
    lines = list(summaries)
    for heading in dict.fromkeys(one.heading for one in chosen):
        below = sorted((one for one in chosen if one.heading == heading), key=lambda one: one.turn)
        blocks.append("\n".join([heading, *(one.line for one in below)]))
        lines += [Line(one.line, chunk_id=one.chunk_id) for one in below]
    text = "\n\n".join(blocks)
    return Context(text, tokens_in(text), tuple(lines), degraded)


_SELECT = (
    "SELECT c.id, k.node_id, m.sent_at, m.seq, c.start, substr(m.text, c.start + 1, c.finish - c.start), "
    "coalesce(nullif(a.name, ''), a.address, ''), m.subject, m.thread_id FROM chunks c "
    "JOIN messages m ON m.seq = c.message_seq LEFT JOIN participants a ON a.id = m.author_id "
)
_HOME = (
    "node_chunks k ON k.chunk_id = c.id AND k.node_id IN (SELECT id FROM nodes WHERE id = k.node_id "
    "AND scope <> 'day') "
)


def _passages(connection: Connection, ids: Sequence[ChunkId], filters: Filters) -> dict[ChunkId, _Passage]:
    """These passages with the node each hangs below; None for one that hangs nowhere yet."""
    return _read(connection, f"{_SELECT} LEFT JOIN {_HOME}", "c.id", ids, filters)


def _siblings(connection: Connection, homes: Sequence[NodeId], filters: Filters) -> dict[ChunkId, _Passage]:
    """Everything right below these nodes."""
    return _read(connection, f"{_SELECT} JOIN {_HOME}", "k.node_id", homes, filters)


def _read(
    connection: Connection, select: str, column: str, ids: Sequence[str], filters: Filters
) -> dict[ChunkId, _Passage]:
    where, bindings = narrowed(filters)
    named: dict[str, Value] = {**bindings, **{f"i{place}": value for place, value in enumerate(ids)}}
    chosen = ", ".join(f":i{place}" for place in range(len(ids)))
    rows = connection.rows(f"{select} WHERE {column} IN ({chosen}) AND {where}", named)
    called = titles(connection, {ThreadId(str(row[8])) for row in rows if not row[7]}, among=filters.among)
    passages = (_passage(row, called.get(ThreadId(str(row[8])), "")) for row in rows)
    return {one.chunk_id: one for one in passages}


def _plain(*parts: str) -> str:
    """What is there of the parts, on one line, with no mark of a fence."""
    from heedful.inference import neutralised  # a room of many; only a context needs it

    said = (" ".join(part.split()) for part in parts)
    return neutralised(": ".join(part for part in said if part))


def _as_line(*parts: str) -> str:
    """The same where it stands alone: no heading, whatever it begins with."""
    line = _plain(*parts)
    return f"\\{line}" if line.startswith("#") else line


def _passage(row: Row, thread_title: str) -> _Passage:
    title = _plain(str(row[7]) or thread_title)
    day = f"{from_millis(int(row[2] or 0)):%Y-%m-%d}"
    return _Passage(
        chunk_id=ChunkId(str(row[0])),
        node_id=None if row[1] is None else NodeId(str(row[1])),
        heading=f"## {title}, {day}" if title else f"## {day}",
        turn=(int(row[2] or 0), int(row[3] or 0), int(row[4] or 0)),
        line=_as_line(str(row[6]), str(row[5])),
    )
