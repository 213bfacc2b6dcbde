"""`memory.search`: exact words."""

from heedful.mcp_server.arguments import Query
from heedful.mcp_server.hits import found
from heedful.mcp_server.results import Found
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory import Filters, search
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, query: Query) -> Answer:
    filters = Filters(among=asked.scope.narrowing)
    hits = search(connection, query.query, limit=query.k, filters=filters)
    return found(connection, asked, query.query, hits)


TOOL = Tool(
    "memory.search",
    "Search exact words",
    "Finds passages of the person's messages, events and notes that hold every word of the query: for names, numbers, "
    'codes and known words. "Quoted words" are a phrase; a star ends a word that may go on (invoic*). '
    "A day or month in full (5 March 2024, 2024-03) finds what was sent then as well.",
    Query,
    Found,
    _answer,
)
