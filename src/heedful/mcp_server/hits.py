"""Hits as search and recall give them, in the shape that both tools share.

How rare a word is, and what a passage means beside the message before it, is told by the whole memory. So that a
program which may see a part of it can't sound out the rest, its hits bear their place for a score, and only those
reasons that come from the question and the passage itself. Their ranks by words say which share words, in the order
of the hits.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from heedful.core.ids import SourceId
from heedful.mcp_server.results import Found
from heedful.mcp_server.tool import Answer, Asked
from heedful.memory import Hit
from heedful.memory.embeddings.vector_store import made_beside_others
from heedful.memory.entities.asked import asked_about
from heedful.memory.tree_rows import hit_row
from heedful.storage import Connection

OF_THE_PASSAGE = frozenset(
    {"author", "other_author", "day", "number", "name", "asks", "long", "short", "said", "verbatim"}
)
"""The features of `ranking_features.FEATURES` that no other message has a part in."""


def found(connection: Connection, asked: Asked, question: str, hits: Sequence[Hit]) -> Answer:
    """The answer that holds these hits."""
    told = hits if asked.scope.is_everything else _kept_to_themselves(connection, asked.scope.sources, hits)
    rows = [hit_row(hit) for hit in told]
    result = Found.model_validate({"hits": rows, "degraded": any(hit.degraded for hit in hits)})
    ids = tuple(hit.id for hit in result.hits)
    return Answer(result, ids, asked_about(connection, question, ids))


def _kept_to_themselves(
    connection: Connection, sources: frozenset[SourceId], hits: Sequence[Hit]
) -> list[Hit]:
    ranks = count(1)
    mingled = made_beside_others(connection, sources, [hit.chunk_id for hit in hits])
    return [
        replace(
            hit,
            score=round(1 / place, 4),
            fts_rank=None if hit.fts_rank is None else next(ranks),
            cosine=None if hit.chunk_id in mingled else hit.cosine,
            boosts={name: worth for name, worth in hit.boosts.items() if name in OF_THE_PASSAGE},
        )
        for place, hit in enumerate(hits, start=1)
    ]
