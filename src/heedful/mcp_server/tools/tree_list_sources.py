"""`tree.list_sources`: what the memory is made from."""

from heedful.mcp_server.arguments import Nothing
from heedful.mcp_server.results import Sources
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory.tree_rows import source_rows
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: Nothing) -> Answer:  # noqa: ARG001 (every tool's shape)
    result = Sources.model_validate({"sources": source_rows(connection, asked.scope.sources)})
    return Answer(result, tuple(source.id for source in result.sources))


TOOL = Tool(
    "tree.list_sources",
    "List the sources",
    "Lists the mailboxes, calendars, chats and notes that the memory was made from, with how much each holds, how "
    "fresh it is and whether its last reading stopped early. Their ids narrow tree.browse.",
    Nothing,
    Sources,
    _answer,
)
