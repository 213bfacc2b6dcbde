"""The way down through summaries, for a question that wants an overview: nodes that fit, then what is below them.

Nodes are met by the words of their texts, by the days the question names, and from below, by the passages nearest in
meaning; where a model is in reach their vectors count too. From the best ones the way goes down, child by child, to
passages. Whether a node is sealed, or knows of what came last, makes no difference: what hangs below it is read anew.

For whoever may see some sources only, a node in which another speaks is none: what it is about would lead to what was
said beside it.
"""

import heapq
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from heedful.core.clock import to_millis
from heedful.core.ids import SourceId
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.recall import by_words, node_vectors
from heedful.memory.search.question import Question
from heedful.storage import Connection, Row

BY_WORDS = 40
BY_DAYS = 40
FROM_BELOW = 20
LOOKED_INTO = 24
"""Nodes whose children are read, at most; each costs a look-up or two."""
MOST_LEAVES = 80
WORDS, NEAR, DAYS, ABOVE = 1.0, 1.0, 0.5, 0.5
HIGHEST_OF_SOME = 2
"""The highest level of a node that is asked who speaks in it; it has about a hundred passages below."""

Among = frozenset[SourceId] | None


@dataclass(frozen=True, slots=True)
class _Met:
    """A node that may fit: when it begins and ends, in milliseconds, and whether nodes hang below it."""

    seq: int
    id: str
    begins_at: int
    ends_at: int
    has_nodes: bool


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well nodes fit: by their words, and by their meaning."""

    words: Mapping[int, float]
    near: Mapping[int, float]
    periods: tuple[tuple[int, int], ...]

    def of(self, node: _Met, inherited: float) -> float:
        inside = any(begin < node.ends_at + 1 and node.begins_at < end for begin, end in self.periods)
        if self.periods and not inside:
            return 0.0
        return (
            WORDS * self.words.get(node.seq, 0.0)
            + NEAR * max(0.0, self.near.get(node.seq, 0.0))
            + DAYS * inside
            + ABOVE * inherited
        )


def below_summaries(
    connection: Connection,
    question: Question,
    *,
    sense: Sense | None,
    leaves: Sequence[int],
    among: Among = None,
) -> dict[int, float]:
    """Passages below the summaries that fit, with how well the best of these fits, as a share of the best of all.

    `leaves` are passages that were found near already: what is above them is looked at too. `among` are the sources
    that whoever asks may see, None for all.
    """
    words = _by_words(connection, question)
    periods = tuple((to_millis(begin), to_millis(end)) for begin, end in question.periods)
    met = _met(connection, [*words, *_above(connection, leaves[:FROM_BELOW]), *_by_days(connection, periods)])
    met = _seen(connection, met, among)
    fit = _Fit(words, _near(connection, sense, [node.seq for node in met]), periods)
    found = _downwards(connection, sense, fit, met, among)
    best = max(found.values(), default=0.0) or 1.0
    return {seq: points / best for seq, points in found.items()}


def _downwards(
    connection: Connection, sense: Sense | None, fit: _Fit, met: Iterable[_Met], among: Among
) -> dict[int, float]:
    """The passages below, the best node first; a child inherits a part of what spoke for its parent."""
    waiting = [(-points, node.seq, node) for node in met if (points := fit.of(node, 0.0)) > 0]
    heapq.heapify(waiting)
    seen: set[int] = set()
    found: dict[int, float] = {}
    while waiting and len(seen) < LOOKED_INTO and len(found) < MOST_LEAVES:
        negative, seq, node = heapq.heappop(waiting)
        if seq in seen:
            continue
        seen.add(seq)
        for leaf in _leaves(connection, node.id):
            found.setdefault(leaf, -negative)
        if node.has_nodes:
            children = _seen(connection, _children(connection, node.id), among)
            closer = _Fit(fit.words, _near(connection, sense, [child.seq for child in children]), fit.periods)
            for child in children:
                if (points := closer.of(child, -negative)) > 0:
                    heapq.heappush(waiting, (-points, child.seq, child))
    return found


def _by_words(connection: Connection, question: Question) -> dict[int, float]:
    """Nodes whose texts share telling words with the question, as a share of the best.

    As among passages the rarest words are asked for first, and of a word in very many the newest nodes are looked at.
    """
    telling = [term for term in question.terms if term.weight == 1.0]
    total = int(connection.value("SELECT max(seq) FROM nodes") or 0)
    counts = by_words.counted(connection, "node_index", telling, total)
    asked = by_words.rarest(telling, counts)
    if not asked:
        return {}
    matching = "SELECT rowid, bm25(node_index) AS score FROM node_index WHERE node_index MATCH :query"
    if counts[asked[0].word] > by_words.MOST_RANKED:
        matching = f"SELECT * FROM ({matching} ORDER BY rowid DESC LIMIT {by_words.MOST_RANKED})"
    query = " OR ".join(map(by_words.alternatives, asked))
    rows = connection.rows(f"{matching} ORDER BY score LIMIT :most", {"query": query, "most": BY_WORDS})
    best = -float(rows[0][1] or 0.0) if rows else 0.0
    return {int(seq or 0): -float(score or 0.0) / (best or 1.0) for seq, score in rows}


def _above(connection: Connection, leaves: Sequence[int]) -> list[int]:
    """The nodes right above these passages."""
    rows = connection.rows(
        "SELECT DISTINCT n.seq FROM chunks c JOIN node_chunks k ON k.chunk_id = c.id JOIN nodes n ON n.id = k.node_id "
        f"WHERE c.seq IN ({', '.join('?' * len(leaves))})",
        list(leaves),
    )
    return [int(seq or 0) for (seq,) in rows]


def _by_days(connection: Connection, periods: Sequence[tuple[int, int]]) -> list[int]:
    """Nodes right above passages within the days named, those with most below them first."""
    found: list[int] = []
    for begin, end in periods:
        rows = connection.rows(
            "SELECT seq FROM nodes WHERE level <= 1 AND scope <> 'root' AND items > 0 AND begins_at >= ? "
            "AND begins_at < ? AND ends_at < ? ORDER BY items DESC, ends_at DESC LIMIT ?",
            (begin, end, end, BY_DAYS),
        )
        found += [int(seq or 0) for (seq,) in rows]
    return found


def _met(connection: Connection, seqs: Iterable[int]) -> list[_Met]:
    wanted = sorted(set(seqs))
    return [
        _node(row)
        for row in connection.rows(f"{_NODE} WHERE n.seq IN ({', '.join('?' * len(wanted))})", wanted)
    ]


def _children(connection: Connection, node_id: str) -> list[_Met]:
    return [_node(row) for row in connection.rows(f"{_NODE} WHERE n.parent_id = ?", (node_id,))]


def _seen(connection: Connection, nodes: Sequence[_Met], among: Among) -> list[_Met]:
    """Those nodes that nobody speaks in who is not among these sources; none that is too high to be asked."""
    if among is None:
        return list(nodes)
    rows = connection.rows(
        "WITH RECURSIVE below (top, id) AS (SELECT n.seq, n.id FROM nodes n WHERE n.level <= :highest "
        "AND n.seq IN (SELECT value FROM json_each(:nodes)) UNION ALL SELECT b.top, n.id FROM below b "
        "CROSS JOIN nodes n ON n.parent_id = b.id) SELECT b.top FROM below b CROSS JOIN node_chunks k "
        "ON k.node_id = b.id CROSS JOIN chunks c ON c.id = k.chunk_id CROSS JOIN messages m "
        "ON m.seq = c.message_seq GROUP BY b.top "
        "HAVING min(m.source_id IN (SELECT value FROM json_each(:among))) = 1",
        {
            "highest": HIGHEST_OF_SOME,
            "nodes": json.dumps([node.seq for node in nodes]),
            "among": json.dumps(sorted(among)),
        },
    )
    seen = {row[0] for row in rows}
    return [node for node in nodes if node.seq in seen]


_NODE = (
    "SELECT n.seq, n.id, n.begins_at, n.ends_at, EXISTS (SELECT 1 FROM nodes b WHERE b.parent_id = n.id) "
    "FROM nodes n"
)


def _node(row: Row) -> _Met:
    return _Met(int(row[0] or 0), str(row[1]), int(row[2] or 0), int(row[3] or 0), bool(row[4]))


def _leaves(connection: Connection, node_id: str) -> list[int]:
    rows = connection.rows(
        "SELECT c.seq FROM node_chunks k JOIN chunks c ON c.id = k.chunk_id WHERE k.node_id = ?", (node_id,)
    )
    return [int(seq or 0) for (seq,) in rows]


def _near(connection: Connection, sense: Sense | None, seqs: Sequence[int]) -> dict[int, float]:
    return node_vectors.nearness(connection, sense, seqs) if sense is not None and seqs else {}
