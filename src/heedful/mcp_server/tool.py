"""The shape of a tool: what it takes, what it gives, and how it answers from a reader's connection."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from heedful.core import discovery
from heedful.mcp_server.arguments import Arguments
from heedful.mcp_server.clients import Scope
from heedful.mcp_server.results import Result
from heedful.memory import Sense
from heedful.memory.search.browsing import Place, Range
from heedful.storage import Connection

MOST_BOOKMARKS = 500

A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where a page of a listing ended, and how long the listing was when it was begun."""

    place: Place
    total: int


@dataclass(slots=True)
class Bookmarks:
    """Where each page ended, so that the next goes on there whatever came in meanwhile.

    Bounded; a listing that fell out is paged by counting. Belongs to one program's connection.
    """

    _kept: "OrderedDict[tuple[Range, int], Bookmark]" = field(default_factory=OrderedDict)

    def put(self, listing: Range, offset: int, bookmark: Bookmark) -> None:
        """Notes what came right before `offset`."""
        self._kept[listing, offset] = bookmark
        self._kept.move_to_end((listing, offset))
        while len(self._kept) > MOST_BOOKMARKS:
            self._kept.popitem(last=False)

    def at(self, listing: Range, offset: int) -> Bookmark | None:
        """What came right before `offset`; None where nobody asked for the page before."""
        return self._kept.get((listing, offset))


@dataclass(frozen=True, slots=True)
class Asked:
    """What whoever asks may see, where their listings stand, what their question means, and now.

    `sense` is None for a tool that looks for no meaning, and where no model is in reach. `nonce` is new in
    each call.
    """

    scope: Scope
    bookmarks: Bookmarks
    sense: Sense | None
    now: datetime
    nonce: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A result, the ids of what it hands out, and those of the entities that were asked for."""

    result: Result
    handed: tuple[str, ...]
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool. `answer` runs on a reader's thread and raises a HeedfulError where there is no answer.

    `meant` gives the words whose meaning is looked for; None for a tool that looks for none.
    """

    name: str
    title: str
    description: str
    takes: type[A]
    gives: type[Result]
    answer: Callable[[Connection, Asked, A], Answer]
    meant: Callable[[A], str] | None = None


def every_tool() -> dict[str, Tool[Any]]:
    """Every tool, by name."""
    from heedful.mcp_server import tools as room

    return discovery.discover(room, "TOOL", Tool, key=lambda tool: tool.name)
