"""Vectors of summaries: which have none yet, what is kept, and how near a summary is to a question.

A summary is one vector, the mean of its parts'. It goes when the text changes (by a trigger), so that what is here is
of the text that is there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from heedful.core.ids import NodeId, SourceId
from heedful.memory.embeddings import vector_store
from heedful.memory.embeddings.port import Embedder
from heedful.memory.embeddings.units import parts
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.tree import tree_store
from heedful.reading import guess
from heedful.storage import Connection


@dataclass(frozen=True, slots=True)
class Waiting:
    """A summary without a vector: its text, and the sources whose words are in it."""

    node_seq: int
    text: str
    sources: frozenset[SourceId]


@dataclass(frozen=True, slots=True)
class Made:
    """The vector of a text, eight bits a number; `numbers` is None where it has none."""

    waiting: Waiting
    numbers: bytes | None


def waiting(
    connection: Connection, model: str, *, after: int, kept_back: frozenset[SourceId], limit: int
) -> tuple[list[Waiting], int | None]:
    """Summaries behind a place that stand as they are and have no vector of this model, and the last one's place.

    None in which a source that is kept back speaks is among them; the place is None when there is nothing behind.
    """
    rows = connection.rows(
        "SELECT n.seq, n.id, n.text FROM nodes n WHERE n.seq > ? AND n.text <> '' AND n.stale = 0 AND n.items > 0 "
        "AND NOT EXISTS (SELECT 1 FROM node_vectors v JOIN embedding_models m ON m.id = v.model_id "
        "WHERE v.node_seq = n.seq AND m.name = ?) ORDER BY n.seq LIMIT ?",
        (after, model, limit),
    )
    found = [
        Waiting(int(seq or 0), str(text), _sources(connection, NodeId(str(node_id))))
        for seq, node_id, text in rows
    ]
    return [one for one in found if kept_back.isdisjoint(one.sources)], int(
        rows[-1][0] or 0
    ) if rows else None


def _sources(connection: Connection, node_id: NodeId) -> frozenset[SourceId]:
    node = tree_store.node(connection, node_id)
    return frozenset() if node is None else tree_store.sources_below(connection, node)


async def make(embedder: Embedder, batch: Sequence[Waiting]) -> list[Made]:
    """The vectors of these texts.

    Raises:
        HeedfulError: The model is not in reach.
    """
    from heedful.memory.embeddings.vector_codes import pack
    from heedful.memory.embeddings.vector_numpy import np

    pieces = [parts(one.text, guess(one.text)) for one in batch]
    texts = [text for part in pieces for text in part]
    sources = frozenset(source for one in batch for source in one.sources)
    vectors = iter(await embedder.embed(texts, source_ids=sources) if texts else [])
    made = []
    for one, part in zip(batch, pieces, strict=True):
        known = [vector for _ in part if (vector := next(vectors)) is not None]
        packed = pack(np.mean(known, axis=0)) if known else None
        made.append(Made(one, packed.numbers if packed is not None else None))
    return made


def keep(connection: Connection, model: str, made: Iterable[Made]) -> None:
    """Keeps vectors of a model that is known; those of texts that changed meanwhile are left out."""
    number = vector_store.model_id(connection, model)
    if number is None:
        return
    connection.execute_many(
        "INSERT OR IGNORE INTO node_vectors (node_seq, model_id, numbers) "
        "SELECT n.seq, ?, ? FROM nodes n WHERE n.seq = ? AND n.text = ?",
        [(number, one.numbers, one.waiting.node_seq, one.waiting.text) for one in made],
    )


def nearness(connection: Connection, sense: Sense, node_seqs: Sequence[int]) -> dict[int, float]:
    """The cosine of each of these summaries with the question; those without a vector are left out."""
    from heedful.memory.embeddings.vector_codes import cosines

    number = vector_store.model_id(connection, sense.model)
    rows = connection.rows(
        "SELECT node_seq, numbers FROM node_vectors WHERE model_id IS ? AND numbers IS NOT NULL "
        f"AND node_seq IN ({', '.join('?' * len(node_seqs))})",
        [number, *node_seqs],
    )
    kept = [(int(seq or 0), numbers) for seq, numbers in rows if isinstance(numbers, bytes)]
    found = cosines(sense.vector, [numbers for _, numbers in kept])
    return {seq: float(cosine) for (seq, _), cosine in zip(kept, found, strict=True)}
