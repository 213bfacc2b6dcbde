"""Where things come from: one file a source, each a pure parser with thin file reading around it.

A new source is one new module here that offers `SOURCE`, a `SourceKind`; `source_kinds` finds it. A source reads
and yields `Incoming` things; it never writes to the store, never judges, never reaches the network.
"""

from heedful.sources.items import (
    Begun,
    Channel,
    Extent,
    Incoming,
    IncomingKind,
    Occurrence,
    Person,
    Rejected,
    Traits,
)
from heedful.sources.kinds import Batch, SourceKind, detect_kind, source_kinds

__all__ = [
    "Batch",
    "Begun",
    "Channel",
    "Extent",
    "Incoming",
    "IncomingKind",
    "Occurrence",
    "Person",
    "Rejected",
    "SourceKind",
    "Traits",
    "detect_kind",
    "source_kinds",
]
