"""What Heedful remembers: one door in (with redaction), threads and messages whole, passages found again.

From outside: `Library` adds and reads sources, `search` and `recall` find passages, `messages_store` reads messages
and threads. Nothing else writes messages.
"""

from heedful.memory.embeddings.vector_meaning import Meaning, Sense
from heedful.memory.messages.sources_store import Egress, OwnAddress, SourceRow
from heedful.memory.messages.stored import Chunk, StoredMessage, ThreadView
from heedful.memory.recall.recalling import recall
from heedful.memory.search.exact import search
from heedful.memory.search.hits import Hit
from heedful.memory.search.terms import Filters
from heedful.memory.sync.library import Library, SyncReport

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
