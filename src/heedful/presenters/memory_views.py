"""What the Memory tab shows, as values."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from heedful.core.ids import ChunkId, MessageId, SourceId
from heedful.presenters.days import Group
from heedful.presenters.trouble import Trouble

Mode = Literal["exact", "meaning"]
Page = Literal["home", "results", "letter"]


@dataclass(frozen=True, slots=True)
class SourceScope:
    """One source."""

    id: SourceId
    name: str


@dataclass(frozen=True, slots=True)
class DayScope:
    """The days from `first` to `last`, both included."""

    first: date
    last: date
    name: str


@dataclass(frozen=True, slots=True)
class EntityScope:
    """One person or thing."""

    id: str
    name: str


Scope = SourceScope | DayScope | EntityScope


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A row of the navigator: where it leads, its name, and what is to be known of it."""

    scope: Scope
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class DayCell:
    """A day of the year's picture; `level` is 0 for nothing to 4 for the busiest, `words` tell it."""

    day: date
    count: int
    level: int
    words: str


@dataclass(frozen=True, slots=True)
class HomeView:
    """The navigator. `cells` are every day of the year that ends today, the oldest first."""

    stage: Literal["loading", "trouble", "empty", "ready"]
    sources: tuple[PlaceView, ...] = ()
    people: tuple[PlaceView, ...] = ()
    things: tuple[PlaceView, ...] = ()
    days: tuple[PlaceView, ...] = ()
    cells: tuple[DayCell, ...] = ()
    total: str = ""
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A passage in a list."""

    chunk_id: ChunkId
    title: str
    detail: str
    excerpt: str
    when: str

    @property
    def words(self) -> str:
        """The row as it is read aloud."""
        return ", ".join(part for part in (self.title, self.detail, self.when, self.excerpt) if part)


@dataclass(frozen=True, slots=True)
class RelationView:
    """One relation of the person or thing in sight; `weight` is 0 to 1."""

    entity_id: str
    name: str
    words: str
    note: str
    weight: float


@dataclass(frozen=True, slots=True)
class ResultsView:
    """A list of passages. A list ordered by fit has one group without a name; `named` are whom its words name."""

    stage: Literal["searching", "found", "nothing", "trouble"]
    title: str = ""
    note: str = ""
    advice: str = ""
    groups: tuple[Group[ResultRow], ...] = ()
    scope: Scope | None = None
    relations: tuple[RelationView, ...] = ()
    named: tuple[PlaceView, ...] = ()
    has_more: bool = False
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage of a letter; `marks` and `links` are character spans of its text, a link leads to an entity."""

    chunk_id: ChunkId
    text: str
    marks: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, str], ...]
    is_hit: bool


@dataclass(frozen=True, slots=True)
class Bar:
    """A signal with its strength from 0 to 1."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class WhyKept:
    """Why a passage counts; `threshold` lies on the same scale as `total`."""

    verdict: str
    total: float
    threshold: float
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class LetterView:
    """A message to be read. `earlier` and `later` count the passages that are folded away on either side."""

    message_id: MessageId
    chunk_id: ChunkId
    when: str
    place: str
    subject: str
    author: str
    recipients: str
    passages: tuple[PassageView, ...]
    earlier: int
    later: int
    people: tuple[EntityScope, ...]
    why: WhyKept | None
    whole: str


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The whole tab."""

    page: Page
    home: HomeView
    mode: Mode = "exact"
    text: str = ""
    results: ResultsView = ResultsView("searching")
    letter: LetterView | None = None
