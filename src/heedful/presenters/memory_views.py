"""What the Memory tab shows, as values."""

from dataclasses import dataclass
from datetime import date
from typing import Literal

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId
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
class ThingsView:
    """Things of one kind, such as places; `name` is their heading."""

    name: str
    places: tuple[PlaceView, ...]


@dataclass(frozen=True, slots=True)
class PersonView:
    """One of two who may be one person; `known_by` is their address or what else they are known by."""

    id: str
    name: str
    known_by: str
    note: str


@dataclass(frozen=True, slots=True)
class QuestionView:
    """«Are these two one person?»; `why` is the evidence as a sentence, `place` says which question of how many."""

    first: PersonView
    second: PersonView
    why: str
    place: str


@dataclass(frozen=True, slots=True)
class IdentityView:
    """One of the identities that count as a person: an address, or a name within one source."""

    id: str
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class ProfileView:
    """What is known of the person or thing in sight; `names` are its other spellings, `identities` one or more."""

    kind: str
    note: str
    names: str
    identities: tuple[IdentityView, ...]
    is_person: bool


@dataclass(frozen=True, slots=True)
class ForgetView:
    """What is to be forgotten: counted first, then asked about, then done. `button` says what a yes does."""

    stage: Literal["counting", "asking", "forgetting", "refused"]
    headline: str
    goes: str = ""
    stays: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True)
class DayCell:
    """A day of the year's picture: messages that came in, and calendar entries that take place.

    `level` is 0 for nothing to 4 for the busiest.
    """

    day: date
    count: int
    level: int
    taken: int = 0

    @property
    def held(self) -> int:
        """How much there is to open."""
        return self.count + self.taken


@dataclass(frozen=True, slots=True)
class YearView:
    """The year in sight. `cells` are its days, the oldest first; `earlier` and `later` name the years beside it."""

    title: str = ""
    note: str = ""
    cells: tuple[DayCell, ...] = ()
    earlier: str = ""
    later: str = ""


@dataclass(frozen=True, slots=True)
class HomeView:
    """The navigator."""

    stage: Literal["loading", "trouble", "empty", "ready"]
    sources: tuple[PlaceView, ...] = ()
    people: tuple[PlaceView, ...] = ()
    things: tuple[ThingsView, ...] = ()
    days: tuple[PlaceView, ...] = ()
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A passage in a list; `why` says in a few words why it was found, where that is not plain."""

    chunk_id: ChunkId
    message_id: MessageId
    thread_id: ThreadId
    title: str
    detail: str
    excerpt: str
    when: str
    why: str = ""

    @property
    def words(self) -> str:
        """The row as it is read aloud."""
        return ", ".join(
            part for part in (self.title, self.detail, self.when, self.excerpt, self.why) if part
        )


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
    profile: ProfileView | None = None
    named: tuple[PlaceView, ...] = ()
    has_more: bool = False
    trouble: Trouble | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """Characters [start, end) of a passage that lead to a person or thing; `words` say to whom or what."""

    start: int
    end: int
    entity_id: str
    words: str


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage of a letter; `marks` are character spans of its text that matched."""

    chunk_id: ChunkId
    text: str
    marks: tuple[tuple[int, int], ...]
    links: tuple[Link, ...]
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
class WhyFound:
    """Why a search found a passage: in a sentence, and what added to its place in the list, the most first."""

    words: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class LetterView:
    """A message to be read. `earlier` and `later` count the passages that are folded away on either side.

    `whole` is the letter as plain text with its head; `citation` names it below words taken out of it.
    """

    message_id: MessageId
    thread_id: ThreadId
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
    found: WhyFound | None
    whole: str
    citation: str


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The whole tab."""

    page: Page
    home: HomeView
    mode: Mode = "exact"
    text: str = ""
    results: ResultsView = ResultsView("searching")
    letter: LetterView | None = None
