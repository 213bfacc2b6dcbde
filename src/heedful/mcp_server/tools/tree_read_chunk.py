"""`tree.read_chunk`: one passage, whole."""

from heedful.core.errors import RejectedError
from heedful.core.ids import ChunkId
from heedful.mcp_server.arguments import ReadChunk
from heedful.mcp_server.results import Passage, moment
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory import StoredMessage, memory_store
from heedful.memory.source_outlines import outlines
from heedful.sources import Person
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: ReadChunk) -> Answer:
    found = memory_store.chunk(connection, ChunkId(wanted.chunk_id))
    if found is None or found[0].source_id not in asked.scope.sources:
        raise RejectedError(
            "There is no such passage", "", "Take an id from memory.search, memory.recall or tree.browse."
        )
    message, chunk = found
    names = {source.id: source.name for source in outlines(connection)}
    place = message.chunks.index(chunk)
    passage = Passage(
        id=chunk.id,
        kind="chunk",
        source_id=message.source_id,
        source_name=names[message.source_id],
        thread_id=message.thread_id,
        message_id=message.id,
        external_id=message.external_id,
        author=_name(message.author),
        to=[_name(person) for person in (*message.to, *message.cc)],
        sent_at=moment(message.sent_at),
        subject=message.subject,
        text=message.text[chunk.start : chunk.end],
        previous_id=_neighbour(message, place - 1),
        next_id=_neighbour(message, place + 1),
    )
    return Answer(passage, (chunk.id,))


def _neighbour(message: StoredMessage, place: int) -> str | None:
    return message.chunks[place].id if 0 <= place < len(message.chunks) else None


def _name(person: Person) -> str:
    return person.name or person.address


TOOL = Tool(
    "tree.read_chunk",
    "Read a passage",
    "Gives one passage whole, with its message's author, recipients, date and subject, and the ids of the passages "
    "before and after it in the same message.",
    ReadChunk,
    Passage,
    _answer,
)
