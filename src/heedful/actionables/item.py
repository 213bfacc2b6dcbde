"""The item for the person: its fields, and the draft a finder makes of it before it has a life of its own."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from heedful.core.ids import ActionableId, ChunkId, MessageId, SourceId, ThreadId, content_id, normalise_title

TITLE_LENGTH = 80

Direction = Literal["mine", "theirs", "unknown"]


class ItemSource(StrEnum):
    """Where an item comes from, one of a closed set that other programs know."""

    EMAIL = "email"
    CALENDAR = "calendar"
    TELEGRAM = "telegram"
    AI_INSIGHT = "ai_insight"
    SYSTEM = "system"
    TRADING = "trading"
    SECURITY = "security"


class Priority(StrEnum):
    """Critical: due today or a breach. Important: within 48 hours. Normal: later."""

    CRITICAL = "critical"
    IMPORTANT = "important"
    NORMAL = "normal"

    @property
    def rank(self) -> int:
        """0 for the most urgent."""
        return tuple(Priority).index(self)


class State(StrEnum):
    """Where an item stands in its life."""

    ACTIVE = "active"
    AWAITING = "awaiting"
    APPROVED = "approved"
    COMPLETED = "completed"
    DISMISSED = "dismissed"
    SNOOZED = "snoozed"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Evidence:
    """An exact quote: characters [start, end) of its message's text, inside one chunk. `said_at` is aware."""

    chunk_id: ChunkId
    message_id: MessageId
    source_id: SourceId
    thread_id: ThreadId
    quote: str
    start: int
    end: int
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Draft:
    """What a finder found, checked, with its evidence; not yet an item.

    `due` is aware in the zone it was said in. `expires_at` is when it stops mattering by itself, None for never.
    `done_by` is the evidence that it is already done, None while it is open. `direction` is `theirs` when the
    person waits for somebody else. `reasons` are short sentences for «Why this?».
    """

    title: str
    description: str
    source: ItemSource
    priority: Priority
    source_label: str
    evidence: tuple[Evidence, ...]
    actionable: bool = True
    requires_confirmation: bool = False
    has_complex_action: bool = False
    due: datetime | None = None
    due_text: str | None = None
    direction: Direction = "mine"
    people: tuple[str, ...] = ()
    expires_at: datetime | None = None
    done_by: Evidence | None = None
    found_by: str = "builtin@1"
    prompt: str = ""
    confidence: float = 0.0
    reasons: tuple[str, ...] = ()

    @property
    def id(self) -> ActionableId:
        """The same for the same normalised title and source, on every run and machine."""
        return actionable_id(self.title, self.source)

    @property
    def is_builtin(self) -> bool:
        """Whether the built-in finder found it, and no model did."""
        return self.found_by.startswith("builtin@")

    @property
    def finder(self) -> str:
        """Who found it, as the person is told."""
        return "the built-in finder" if self.is_builtin else self.found_by


@dataclass(frozen=True, slots=True)
class Actionable:
    """An item with its life: what the draft said, and where it stands.

    `created_at` never changes; `last_seen_at` moves each time a finder meets it again.
    """

    id: ActionableId
    draft: Draft
    state: State
    created_at: datetime
    updated_at: datetime
    last_seen_at: datetime
    snoozed_until: datetime | None = None


def actionable_id(title: str, source: ItemSource) -> ActionableId:
    """The same for the same thing, however often it is found: a hash of its normalised title and its source."""
    return ActionableId(content_id("actionable", normalise_title(title), source.value))
