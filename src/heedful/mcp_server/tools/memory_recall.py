"""`memory.recall`: what fits a question."""

from heedful.mcp_server.arguments import Query
from heedful.mcp_server.hits import found
from heedful.mcp_server.results import Found
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory import Filters, recall
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, query: Query) -> Answer:
    filters = Filters(among=asked.scope.narrowing)
    hits = recall(connection, query.query, limit=query.k, filters=filters, sense=asked.sense, now=asked.now)
    return found(connection, asked, query.query, hits)


TOOL = Tool(
    "memory.recall",
    "Recall by meaning",
    "Finds what fits a question in plain words, in any language, though it was said in other words. For an exact id, "
    "number or code use memory.search; for a fixed time span use tree.browse.",
    Query,
    Found,
    _answer,
    meant=lambda query: query.query,
)
