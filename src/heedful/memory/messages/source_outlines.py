"""Sources in outline: which there are, and what one holds, without what it costs to list them in full."""

from dataclasses import dataclass
from datetime import datetime

from heedful.core.clock import from_millis
from heedful.core.ids import SourceId
from heedful.memory.messages.sources_store import Egress
from heedful.storage import Connection, Value


@dataclass(frozen=True, slots=True)
class SourceOutline:
    """A source's id, the person's name for it, and whether anything of it may leave this machine."""

    id: SourceId
    name: str
    egress: Egress


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """Of the messages that a source brought in first; another source may have brought them again."""

    messages: int
    chunks: int
    oldest_at: datetime | None
    newest_at: datetime | None


def outlines(connection: Connection) -> tuple[SourceOutline, ...]:
    """All sources."""
    return tuple(
        SourceOutline(SourceId(str(source_id)), str(name), "allowed" if egress == "allowed" else "local-only")
        for source_id, name, egress in connection.rows("SELECT id, name, egress FROM sources ORDER BY id")
    )


def counts_of(connection: Connection, source_id: SourceId) -> SourceCounts:
    """The counts of one source; all zero where there is none of that id."""
    messages, chunks, oldest, newest = connection.row(
        "SELECT n.messages, n.chunks, (SELECT min(m.sent_at) FROM messages m WHERE m.source_id = n.source_id), "
        "(SELECT max(m.sent_at) FROM messages m WHERE m.source_id = n.source_id) "
        "FROM source_counts n WHERE n.source_id = ?",
        (source_id,),
    ) or (0, 0, None, None)
    return SourceCounts(int(messages or 0), int(chunks or 0), _moment(oldest), _moment(newest))


def _moment(value: Value) -> datetime | None:
    return None if value is None else from_millis(int(value))
