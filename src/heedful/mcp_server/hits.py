"""Hits as search and recall give them, told in the shape that both tools share."""

from collections.abc import Sequence

from heedful.mcp_server.results import Found, HitResult, Why, moment
from heedful.mcp_server.tool import Answer
from heedful.memory import Hit
from heedful.memory.asked import asked_about
from heedful.storage import Connection


def found(connection: Connection, question: str, hits: Sequence[Hit]) -> Answer:
    """The answer that holds these hits."""
    result = Found(hits=[_hit(hit) for hit in hits], degraded=any(hit.degraded for hit in hits))
    ids = tuple(hit.id for hit in result.hits)
    return Answer(result, ids, asked_about(connection, question, ids))


def _hit(hit: Hit) -> HitResult:
    return HitResult(
        id=hit.chunk_id,
        kind="chunk",
        score=hit.score,
        why=Why(fts_rank=hit.fts_rank, cosine=hit.cosine, boosts=dict(hit.boosts)),
        source_id=hit.source_id,
        thread_id=hit.thread_id,
        message_id=hit.message_id,
        external_id=hit.external_id,
        author=hit.author,
        sent_at=moment(hit.sent_at),
        subject=hit.subject,
        excerpt=hit.excerpt,
        degraded=hit.degraded,
    )
