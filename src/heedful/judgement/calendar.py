"""What in a calendar needs the person: a change, a cancellation, an invitation, a single event close at hand."""

from datetime import datetime, timedelta
from itertools import pairwise

from heedful.actionables import Draft, Evidence, Priority
from heedful.judgement.addressing import is_mine, name_of
from heedful.judgement.cues import cues
from heedful.judgement.detect import read_sentence
from heedful.judgement.drafting import Found, Setting, draft_of
from heedful.judgement.due import Due
from heedful.judgement.naming import Naming, plain_subject
from heedful.judgement.quoting import evidence_at
from heedful.judgement.titles import topic_title
from heedful.memory.stored import StoredMessage
from heedful.reading import Span
from heedful.sources import Occurrence

_AHEAD = timedelta(days=14)
_CLOSE = timedelta(hours=24)
_REGULAR_GAP = timedelta(days=300)


def judge_event(message: StoredMessage, setting: Setting) -> tuple[Draft | None, str]:
    """The draft of an event and why it needs the person; None and why not."""
    coming = [
        occurrence
        for occurrence in message.occurrences
        if occurrence.ends_at > setting.now and occurrence.starts_at - setting.now <= _AHEAD
    ]
    if not coming:
        return None, "It takes place outside the coming fourteen days."
    for occurrence in coming:
        found = _found(message, occurrence, setting)
        if found is not None:
            return draft_of(found, message, setting), found.reasons[0]
    if _is_regular(message):
        return None, "It is a regular event that goes as planned."
    return None, "It goes as planned and is more than a day away."


def _found(message: StoredMessage, occurrence: Occurrence, setting: Setting) -> Found | None:
    if occurrence.status == "cancelled":
        return _item(message, occurrence, "cancelled", "this event was cancelled")
    if occurrence.moved_from is not None:
        return _item(
            message, occurrence, "moved", f"it was moved from {_spoken(occurrence.moved_from, setting)}"
        )
    if _awaits_answer(message, occurrence, setting):
        return _item(
            message,
            occurrence,
            "invitation",
            f"{name_of(message.author) or 'Somebody'} invites you and has no answer yet",
        )
    close = setting.now < occurrence.ends_at and occurrence.starts_at - setting.now <= _CLOSE
    if close and not _is_regular(message):
        return _item(message, occurrence, "event", "it takes place within a day")
    return None


def _awaits_answer(message: StoredMessage, occurrence: Occurrence, setting: Setting) -> bool:
    if is_mine(message, setting.own):
        return False
    return message.traits.invitation == "REQUEST" or (
        occurrence.status == "tentative" and bool(message.author.address)
    )


def _is_regular(message: StoredMessage) -> bool:
    """Whether a series returns more often than about once a year."""
    starts = sorted(occurrence.starts_at for occurrence in message.occurrences)
    return any(later - earlier < _REGULAR_GAP for earlier, later in pairwise(starts))


def _item(message: StoredMessage, occurrence: Occurrence, key: str, reason: str) -> Found | None:
    evidence = _evidence(message)
    if evidence is None:
        return None
    book = cues(message.lang)
    naming = Naming(
        read_sentence(message.subject, book), name_of(message.author), message.subject, message.text, book
    )
    return Found(
        title=topic_title(naming, key),
        evidence=(evidence,),
        reasons=(reason,),
        confidence=0.9,
        due=Due(
            occurrence.ends_at if occurrence.all_day else occurrence.starts_at, "", None, is_deadline=True
        ),
        people=(name_of(message.author),) if name_of(message.author) else (),
        expires_at=occurrence.ends_at,
        priority=Priority.NORMAL if key == "event" else None,
        description=plain_subject(message.subject),
    )


def _evidence(message: StoredMessage) -> Evidence | None:
    """The first line of the event's text that says something."""
    start = 0
    for line in message.text.splitlines(keepends=True):
        if line.strip():
            lead = len(line) - len(line.lstrip())
            return evidence_at(message, Span(start + lead, start + len(line.rstrip())))
        start += len(line)
    return None


def _spoken(moment: datetime, setting: Setting) -> str:
    here = moment.astimezone(setting.zone)
    return f"{here:%A}, {here.day} {here:%B} {here:%H:%M}"
