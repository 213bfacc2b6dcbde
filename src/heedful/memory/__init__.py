"""What Heedful remembers: one door in (with redaction), threads and messages whole, passages found again.

From outside: `Library` adds and reads sources, `search` and `recall` find passages; these, and the values that go
with them, are offered here. What fewer need is taken from the module that names it. Each room of the memory says
which of its modules are for that, and a house rule holds it to that; the single files are for everybody.
"""

from heedful.memory.embeddings.vector_meaning import Meaning, Sense
from heedful.memory.messages.own_addresses_store import OwnAddress
from heedful.memory.messages.sources_store import Egress, SourceRow
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
