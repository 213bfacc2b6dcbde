"""`tree.read_chunk`: one passage whole, or one summary, and what lies around it."""

from heedful.core.errors import RejectedError
from heedful.core.ids import ChunkId, NodeId
from heedful.mcp_server.arguments import ReadChunk
from heedful.mcp_server.clients import Scope
from heedful.mcp_server.results import Passage, moment
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory import Chunk, StoredMessage, memory_store, tree_store
from heedful.memory.source_outlines import outlines
from heedful.memory.tree_store import Node
from heedful.sources import Person
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: ReadChunk) -> Answer:
    found = memory_store.chunk(connection, ChunkId(wanted.chunk_id))
    if found is not None and found[0].source_id in asked.scope.sources:
        return Answer(_passage(connection, asked.scope, *found), (wanted.chunk_id,))
    node = tree_store.node(connection, NodeId(wanted.chunk_id))
    if node is not None and _may_see(connection, asked.scope, node):
        return Answer(_summary(connection, asked.scope, node), (wanted.chunk_id,))
    raise RejectedError(
        "There is no such passage", "", "Take an id from memory.search, memory.recall or tree.browse."
    )


def _may_see(connection: Connection, scope: Scope, node: Node) -> bool:
    """A summary is made of all that lies below it, so all of that must be in reach."""
    return tree_store.sources_below(connection, node) <= scope.sources


def _passage(connection: Connection, scope: Scope, message: StoredMessage, chunk: Chunk) -> Passage:
    place = message.chunks.index(chunk)
    above = tree_store.nodes_above(connection, chunk.id)
    return Passage(
        id=chunk.id,
        kind="chunk",
        source_id=message.source_id,
        source_name=_source_name(connection, message.source_id),
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
        above_id=_seen(connection, scope, above[0] if above else None),
        below_ids=[],
        made_by="",
    )


def _summary(connection: Connection, scope: Scope, node: Node) -> Passage:
    parent = None if node.parent_id is None else tree_store.node(connection, node.parent_id)
    source_id = node.scope_id if node.scope == "source" else ""
    below = [child.id for child in tree_store.children(connection, node.id)]
    return Passage(
        id=node.id,
        kind="node",
        source_id=source_id,
        source_name=_source_name(connection, source_id),
        thread_id=node.scope_id if node.scope == "thread" else "",
        message_id="",
        external_id="",
        author="",
        to=[],
        sent_at=moment(node.ends_at),
        subject="",
        text=node.text,
        previous_id=None,
        next_id=None,
        above_id=_seen(connection, scope, parent),
        below_ids=[*below, *tree_store.chunk_ids(connection, node.id)],
        made_by=node.made_by,
    )


def _seen(connection: Connection, scope: Scope, node: Node | None) -> str | None:
    return node.id if node is not None and node.text and _may_see(connection, scope, node) else None


def _source_name(connection: Connection, source_id: str) -> str:
    return next((source.name for source in outlines(connection) if source.id == source_id), "")


def _neighbour(message: StoredMessage, place: int) -> str | None:
    return message.chunks[place].id if 0 <= place < len(message.chunks) else None


def _name(person: Person) -> str:
    return person.name or person.address


TOOL = Tool(
    "tree.read_chunk",
    "Read a passage",
    "Gives one passage whole, with its message's author, recipients, date and subject, and the ids of the passages "
    "before and after it and of the summary above it. Given a summary's id, gives the summary and the ids below it.",
    ReadChunk,
    Passage,
    _answer,
)
