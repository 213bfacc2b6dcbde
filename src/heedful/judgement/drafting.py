"""Makes a draft of what was found: the fields that come from the envelope and from rules, not from wording."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from heedful.actionables import Direction, Draft, Evidence, ItemSource, Priority
from heedful.judgement.cues import holds_cue
from heedful.judgement.due import Due
from heedful.judgement.naming import shortened
from heedful.judgement.priorities import priority_of
from heedful.memory import StoredMessage, ThreadView
from heedful.reading import fold_space
from heedful.sources import Channel

_SOURCES: dict[Channel, ItemSource] = {
    "email": ItemSource.EMAIL,
    "calendar": ItemSource.CALENDAR,
    "telegram": ItemSource.TELEGRAM,
    # The set of sources knows one messenger; the label says which one it was.
    "slack": ItemSource.TELEGRAM,
    "whatsapp": ItemSource.TELEGRAM,
    "chat": ItemSource.TELEGRAM,
    "note": ItemSource.SYSTEM,
    "system": ItemSource.SYSTEM,
}
_LABELS: dict[Channel, str] = {
    "email": "Mail",
    "calendar": "Calendar",
    "telegram": "Telegram",
    "slack": "Slack",
    "whatsapp": "WhatsApp",
    "chat": "Chat",
    "note": "Notes",
    "system": "System",
}
_DESCRIPTION = 240


@dataclass(frozen=True, slots=True)
class Setting:
    """What stays the same while a thread is judged."""

    thread: ThreadView
    now: datetime
    zone: tzinfo
    own: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a message, before it is a draft; `priority` is None where the clock decides."""

    title: str
    evidence: tuple[Evidence, ...]
    reasons: tuple[str, ...]
    confidence: float
    due: Due | None = None
    source: ItemSource | None = None
    alarm: bool = False
    complex_action: bool = False
    direction: Direction = "mine"
    people: tuple[str, ...] = ()
    expires_at: datetime | None = None
    priority: Priority | None = None
    description: str = ""


def draft_of(found: Found, message: StoredMessage, setting: Setting) -> Draft:
    """The draft, with priority, confirmation, source and labels by rule."""
    quotes = [evidence.quote for evidence in found.evidence]
    due = found.due.at if found.due else None
    reasons = (*found.reasons, *([due_reason(due, setting)] if due else []))
    return Draft(
        title=found.title,
        description=found.description or description_of(quotes),
        source=found.source or item_source(message),
        priority=found.priority or priority_of(due, now=setting.now, zone=setting.zone, alarm=found.alarm),
        source_label=source_label(setting.thread),
        evidence=found.evidence,
        requires_confirmation=needs_confirmation((message.subject, found.title, *quotes), message.lang),
        has_complex_action=found.complex_action,
        due=due,
        due_text=fold_space(found.due.text) if found.due else None,
        direction=found.direction,
        people=found.people,
        expires_at=found.expires_at,
        confidence=round(min(1.0, found.confidence), 2),
        reasons=reasons,
    )


def item_source(message: StoredMessage) -> ItemSource:
    """Where an item comes from that a message of this channel gave."""
    return _SOURCES[message.channel]


def source_label(thread: ThreadView) -> str:
    """What the person calls the source; its channel when they gave it no name."""
    return thread.source_name.strip() or _LABELS[thread.channel]


def description_of(quotes: Iterable[str]) -> str:
    """The quoted sentences themselves, at most two and 240 characters, in whole words."""
    return shortened(" ".join(fold_space(quote) for quote in tuple(quotes)[:2]), _DESCRIPTION)


def needs_confirmation(texts: Iterable[str], lang: str) -> bool:
    """Whether money, a signature or something that can't be taken back is involved."""
    return any(holds_cue(text, lang, "irreversible") for text in texts)


def due_reason(due: datetime, setting: Setting) -> str:
    """«due tomorrow 12:00», in the zone it was said in."""
    here = due.astimezone(setting.zone)
    days = (here.date() - setting.now.astimezone(setting.zone).date()).days
    day = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days, f"{here:%A}, {here.day} {here:%B}")
    whole_day = due.minute == 59 and due.hour == 23
    return f"due {day}" if whole_day else f"due {day} {here:%H:%M}"


def lowered(priority: Priority, allowed: Priority) -> Priority:
    """The less urgent of two."""
    return max(priority, allowed, key=lambda one: one.rank)


WEEK = timedelta(days=7)
