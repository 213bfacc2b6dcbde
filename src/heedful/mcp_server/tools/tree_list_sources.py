"""`tree.list_sources`: what the memory is made from."""

from heedful.core.clock import to_millis
from heedful.mcp_server.arguments import Nothing
from heedful.mcp_server.results import SourceResult, Sources, moment_or_none
from heedful.mcp_server.tool import Answer, Asked, Tool
from heedful.memory import SourceRow, sources_store
from heedful.memory.source_outlines import SourceCounts, counts_of
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: Nothing) -> Answer:  # noqa: ARG001 (every tool's shape)
    seen = [row for row in sources_store.sources(connection) if row.id in asked.scope.sources]
    told = [_source(row, counts_of(connection, row.id)) for row in seen]
    newest_first = sorted(told, key=lambda source: -(source.most_recent_ms or 0))
    return Answer(Sources(sources=newest_first), tuple(source.id for source in newest_first))


def _source(row: SourceRow, counts: SourceCounts) -> SourceResult:
    newest = counts.newest_at
    return SourceResult(
        id=row.id,
        kind=row.kind,
        name=row.name,
        state=row.state,
        messages=counts.messages,
        chunks=counts.chunks,
        oldest=moment_or_none(counts.oldest_at),
        most_recent=moment_or_none(newest),
        most_recent_ms=None if newest is None else to_millis(newest),
        last_sync=moment_or_none(row.last_sync_at),
    )


TOOL = Tool(
    "tree.list_sources",
    "List the sources",
    "Lists the mailboxes, calendars, chats and notes that the memory was made from, with how much each holds and how "
    "fresh it is. Their ids narrow tree.browse.",
    Nothing,
    Sources,
    _answer,
)
