"""`tree.top_entities`: who and what is mentioned most."""

from heedful.mcp_server.arguments import TopEntities
from heedful.mcp_server.results import Entities
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory.entities.among import entities_among
from heedful.memory.tree_rows import entity_rows
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: TopEntities) -> Answer:
    found = entities_among(connection, asked.scope.sources, kind=wanted.kind, limit=wanted.k)
    result = Entities.model_validate({"entities": entity_rows(found)})
    return Answer(result, tuple(one.id for one in result.entities))


TOOL = Tool(
    "tree.top_entities",
    "List the most mentioned entities",
    "Lists people, organisations, places, projects and other things by how many passages mention them. Their ids "
    "narrow tree.browse.",
    TopEntities,
    Entities,
    _answer,
)
