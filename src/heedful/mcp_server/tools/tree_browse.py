"""`tree.browse`: what the memory holds, by source, entity and time."""

from heedful.core.clock import from_millis
from heedful.core.errors import RejectedError
from heedful.core.ids import SourceId
from heedful.mcp_server.arguments import Browse
from heedful.mcp_server.results import Page
from heedful.mcp_server.tool import Answer, Asked, Bookmark, Tool
from heedful.memory.entities.among import is_mentioned_among
from heedful.memory.search.browsing import Range, browse, count
from heedful.memory.tree_rows import leaf_row
from heedful.storage import Connection


def _answer(connection: Connection, asked: Asked, wanted: Browse) -> Answer:
    listing = _listing(connection, asked, wanted)
    mark = asked.bookmarks.at(listing, wanted.offset)
    leaves = browse(
        connection,
        listing,
        limit=wanted.k + 1,
        after=None if mark is None else mark.place,
        skip=wanted.offset if mark is None else 0,
    )
    page = leaves[: wanted.k]
    total = count(connection, listing) if mark is None else mark.total
    next_offset = wanted.offset + wanted.k if len(leaves) > wanted.k else None
    if next_offset is not None:
        asked.bookmarks.put(listing, next_offset, Bookmark(page[-1].place, total))
    rows = [leaf_row(leaf) for leaf in page]
    result = Page.model_validate({"chunks": rows, "total": total, "next_offset": next_offset})
    asked_for = () if wanted.entity is None else (wanted.entity,)
    return Answer(result, tuple(leaf.chunk_id for leaf in page), asked_for)


def _listing(connection: Connection, asked: Asked, wanted: Browse) -> Range:
    sources = asked.scope.sources
    if wanted.source is not None:
        if wanted.source not in sources:
            raise RejectedError("There is no such source", "", "Take an id from tree.list_sources.")
        sources = frozenset({SourceId(wanted.source)})
    if wanted.entity is not None and not is_mentioned_among(connection, asked.scope.sources, wanted.entity):
        raise RejectedError("There is no such entity", "", "Take an id from tree.top_entities.")
    return Range(
        sources,
        wanted.entity,
        None if wanted.since_ms is None else from_millis(wanted.since_ms),
        None if wanted.until_ms is None else from_millis(wanted.until_ms),
    )


TOOL = Tool(
    "tree.browse",
    "Browse the memory",
    "Lists passages, the newest first, narrowed by source, entity and time of sending; both ends of a time span are "
    "included. Pages do not shift when something new comes in: ask for the next one with next_offset.",
    Browse,
    Page,
    _answer,
)
