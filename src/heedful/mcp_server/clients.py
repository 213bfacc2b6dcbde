"""Which sources another program may see: the person's settings against the sources there are. Pure.

A program is known by the name it gives itself, unless the person pinned one on its command line. A name can be
made up, so a list alone keeps honest programs to their part; `[clients."*"]` says what any other may see.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heedful.core.ids import SourceId
from heedful.core.settings import ClientSettings
from heedful.memory.messages.source_outlines import SourceOutline

ANYONE = "*"
NAMELESS = "unnamed"
NAME_LENGTH = 60

_BETWEEN_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """The sources that a program may see."""

    sources: frozenset[SourceId]
    is_everything: bool

    @property
    def narrowing(self) -> frozenset[SourceId] | None:
        """What a look-up is narrowed to; None where nothing needs to be kept from it."""
        return None if self.is_everything else self.sources


def client_name(given: str | None) -> str:
    """A program's name as settings and record know it: `Claude Desktop` and `claude_desktop` are `claude-desktop`."""
    return _BETWEEN_WORDS.sub("-", (given or "")[:NAME_LENGTH].casefold()).strip("-") or NAMELESS


def scope_of(client: str, settings: Mapping[str, ClientSettings], sources: Iterable[SourceOutline]) -> Scope:
    """What the program named `client` may see.

    Without an entry of its own, or one for anyone, that is every source but those that must not leave this machine:
    most programs pass what they read on to a model somewhere.
    """
    known = {ANYONE if name == ANYONE else client_name(name): entry for name, entry in settings.items()}
    entry = known.get(client) or known.get(ANYONE) or ClientSettings()
    there = list(sources)
    seen = [source for source in there if _may_see(entry, source)]
    return Scope(frozenset(source.id for source in seen), len(seen) == len(there))


def _may_see(entry: ClientSettings, source: SourceOutline) -> bool:
    if source.egress == "local-only" and not entry.stays_local:
        return False
    return entry.sources is None or source.id in entry.sources or source.name in entry.sources
