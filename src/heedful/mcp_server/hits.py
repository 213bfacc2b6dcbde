"""Hits as search and recall give them, in the shape that both tools share."""

from collections.abc import Sequence

from heedful.mcp_server.results import Found
from heedful.mcp_server.tool import Answer
from heedful.memory import Hit
from heedful.memory.entities.asked import asked_about
from heedful.memory.tree_rows import hit_row
from heedful.storage import Connection


def found(connection: Connection, question: str, hits: Sequence[Hit]) -> Answer:
    """The answer that holds these hits."""
    rows = [hit_row(hit) for hit in hits]
    result = Found.model_validate({"hits": rows, "degraded": any(hit.degraded for hit in hits)})
    ids = tuple(hit.id for hit in result.hits)
    return Answer(result, ids, asked_about(connection, question, ids))
