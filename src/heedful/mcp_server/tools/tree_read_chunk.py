"""`tree.read_chunk`: one passage whole, or one summary, and what lies around it."""

from heedful.core.errors import RejectedError
from heedful.mcp_server.arguments import ReadChunk
from heedful.mcp_server.results import Passage
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory.tree_rows import passage_row
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: ReadChunk) -> Answer:
    found = passage_row(connection, wanted.chunk_id, asked.scope.sources)
    if found is None:
        raise RejectedError(
            "There is no such passage", "", "Take an id from memory.search, memory.recall or tree.browse."
        )
    return Answer(Passage.model_validate(found), (wanted.chunk_id,))


TOOL = Tool(
    "tree.read_chunk",
    "Read a passage",
    "Gives one passage whole, with its message's author, recipients, date and subject, what its conversation is "
    "called, and the ids of the passages before and after it and of the summary above it. Given a summary's id, gives "
    "the summary and the ids below it.",
    ReadChunk,
    Passage,
    _answer,
)
