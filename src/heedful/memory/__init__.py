"""What Heedful remembers: one door in (with redaction), threads and messages whole, passages found again.

From outside: `Library` adds and reads sources, `search` and `recall` find passages, `memory_store` reads messages
and threads. Nothing else writes messages.
"""

from heedful.memory.hits import Hit
from heedful.memory.library import Library, SyncReport
from heedful.memory.recall import recall
from heedful.memory.search import search
from heedful.memory.search_terms import Filters
from heedful.memory.sources_store import Egress, OwnAddress, SourceRow
from heedful.memory.stored import Chunk, StoredMessage, ThreadView
from heedful.memory.vector_meaning import Meaning, Sense

__all__ = [
    "Chunk",
    "Egress",
    "Filters",
    "Hit",
    "Library",
    "Meaning",
    "OwnAddress",
    "Sense",
    "SourceRow",
    "StoredMessage",
    "SyncReport",
    "ThreadView",
    "recall",
    "search",
]
