"""What Heedful remembers: one door in (with redaction), threads and messages whole, passages found again.

From outside: `Library` adds and reads sources, `search` and `recall` find passages, `memory_store` reads messages
and threads. Nothing else writes messages.
"""

from heedful.memory.library import Library, SyncReport
from heedful.memory.search import Filters, Hit, recall, search
from heedful.memory.sources_store import Egress, OwnAddress, SourceRow
from heedful.memory.stored import Chunk, StoredMessage, ThreadView

__all__ = [
    "Chunk",
    "Egress",
    "Filters",
    "Hit",
    "Library",
    "OwnAddress",
    "SourceRow",
    "StoredMessage",
    "SyncReport",
    "ThreadView",
    "recall",
    "search",
]
