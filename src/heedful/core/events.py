"""What has happened, told after it was committed: frozen, in the past tense, carrying ids.

An event is news, never a command: nobody may depend on somebody having heard it. The three
`ConsciousLoop…` events carry exactly the payloads of the loop's event protocol.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.core.ids import ActionableId, RunId, SourceId


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that can be published on the bus."""


@dataclass(frozen=True, slots=True)
class MemoryGrew(Event):
    """A batch of a source was committed; `new` counts messages, events and notes not known before."""

    source_id: SourceId
    new: int


@dataclass(frozen=True, slots=True)
class SourcesChanged(Event):
    """A source was added, removed, paused, resumed, finished a sync, or met an error."""

    source_id: SourceId


@dataclass(frozen=True, slots=True)
class SourceProgressed(Event):
    """How far a running sync is, in messages; `total` is about how many there are, None while that can't be known."""

    source_id: SourceId
    done: int
    total: int | None
    rejected: int


@dataclass(frozen=True, slots=True)
class ActionablesChanged(Event):
    """These actionables were added or changed."""

    ids: tuple[ActionableId, ...]


@dataclass(frozen=True, slots=True)
class ConsciousLoopStarted(Event):
    """A tick began; `namespaces` are the ids of the sources it will look at."""

    run_id: RunId
    timestamp: datetime
    namespaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConsciousLoopCompleted(Event):
    """A tick ended well."""

    run_id: RunId
    actionable_count: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class ConsciousLoopFailed(Event):
    """A tick could not do its work; `error_type` is the error's class name."""

    run_id: RunId
    message: str
    error_type: str


@dataclass(frozen=True, slots=True)
class TickRecorded(Event):
    """A row of Activity was written or changed, whatever the tick's outcome."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class LoopPaused(Event):
    """The loop's timer pauses until a moment; None: until it is resumed."""

    until: datetime | None


@dataclass(frozen=True, slots=True)
class LoopResumed(Event):
    """The loop's timer runs again."""


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """Settings were saved; readers take them afresh."""


@dataclass(frozen=True, slots=True)
class StoreStateChanged(Event):
    """The store was opened, locked, or stopped taking writes."""

    state: Literal["open", "locked", "damaged"]
