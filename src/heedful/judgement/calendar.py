"""What in a calendar needs the person: a change, an invitation, a single event close at hand, a to-do."""

import re
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise

from heedful.actionables import Draft, Evidence, Priority
from heedful.judgement.addressing import is_mine, name_of
from heedful.judgement.cues import cues
from heedful.judgement.detect import read_sentence
from heedful.judgement.drafting import Found, Setting, draft_of
from heedful.judgement.due import Due, due_of
from heedful.judgement.naming import Naming, plain_subject
from heedful.judgement.quoting import evidence_at, new_spans
from heedful.judgement.titles import topic_title
from heedful.memory import StoredMessage
from heedful.reading import Span, available, language
from heedful.sources import Occurrence

_AHEAD = timedelta(days=14)
_CLOSE = timedelta(hours=24)
_LATE = timedelta(days=1)
_HALF_DAY = timedelta(hours=12)
_REGULAR_GAP = timedelta(days=300)
# The words in which sources/calendar_text.py renders a series, a change and a to-do.
_REGULAR = re.compile(r", every (?:\d+ )?(?:hour|day|week|month)")
_TODO = re.compile(r"\ATo do: ")
_TODO_DONE = re.compile(r"^Done\.$", re.MULTILINE)
_CHANGE_LINES = {"moved": "Moved: ", "cancelled": "Cancelled: "}


def judge_event(message: StoredMessage, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """The draft of an event, or why it needs nothing."""
    if _TODO.match(message.text):
        return _todo(message, setting)
    coming = [
        occurrence
        for occurrence in message.occurrences
        if occurrence.ends_at > setting.now and occurrence.starts_at - setting.now <= _AHEAD
    ]
    if not coming:
        return (), "It takes place outside the coming fourteen days."
    for occurrence in coming:
        found = _found(message, occurrence, setting)
        if found is not None:
            return (draft_of(found, message, setting),), ""
    if _is_regular(message):
        return (), "It is a regular event that goes as planned."
    return (), "It goes as planned and is more than a day away."


def judge_invitation(message: StoredMessage, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """The draft of a mail that brings an invitation or a cancellation, or why it needs nothing."""
    key = {"REQUEST": "invitation", "CANCEL": "cancelled"}.get(message.traits.invitation)
    evidence = _line(message, _CHANGE_LINES.get(key or "", ""))
    if key is None or evidence is None:
        return (), "It only answers an invitation."
    due = next(
        (due for due in (due_of(message, part, (), setting.zone) for part in new_spans(message)) if due), None
    )
    if due is None or due.at < setting.now:
        return (), "Its date has passed." if due else "It names no time that is still to come."
    name = name_of(message.author) or "Somebody"
    reason = f"{name} invites you and has no answer yet" if key == "invitation" else f"{name} cancelled it"
    return (draft_of(_item(message, evidence, due, key=key, reason=reason), message, setting),), ""


def _found(message: StoredMessage, occurrence: Occurrence, setting: Setting) -> Found | None:
    close = occurrence.starts_at - setting.now <= _CLOSE and not _is_regular(message)
    if occurrence.status == "cancelled":
        key, reason = "cancelled", "this event was cancelled"
    elif occurrence.moved_from is not None:
        key, reason = "moved", f"it was moved from {_spoken(occurrence.moved_from, setting)}"
    elif occurrence.status == "tentative" and message.author.address and not is_mine(message, setting.own):
        key, reason = "invitation", f"{name_of(message.author)} invites you and has no answer yet"
    elif close:
        key, reason = "event", "it takes place within a day"
    else:
        return None
    evidence = _line(message, _CHANGE_LINES.get(key, ""), f"{occurrence.starts_at:%H:%M}") or _line(message)
    if evidence is None:
        return None
    due = Due(_due_moment(occurrence, setting), "", None, is_deadline=True)
    return _item(message, evidence, due, key=key, reason=reason, expires_at=occurrence.ends_at)


def _due_moment(occurrence: Occurrence, setting: Setting) -> datetime:
    """Its start; of whole days the last minute of the first, or of today once they have begun.

    The first is the day of its noon, which is the same day where the calendar's midnight falls elsewhere.
    """
    if not occurrence.all_day:
        return occurrence.starts_at
    day = max(occurrence.starts_at + _HALF_DAY, setting.now).astimezone(setting.zone)
    return day.replace(hour=23, minute=59, second=0, microsecond=0)


def _todo(message: StoredMessage, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """A to-do of the calendar, from two weeks before it is due to a day after."""
    if _TODO_DONE.search(message.text):
        return (), "A to-do that is done."
    due = min((occurrence.starts_at for occurrence in message.occurrences), default=None)
    evidence = _line(message)
    if due is None or evidence is None or not -_LATE <= due - setting.now <= _AHEAD:
        return (), "A to-do without a date in the coming fourteen days."
    found = _item(
        message, evidence, Due(due, "", None, is_deadline=True), key="todo", reason="it is on your list"
    )
    return (draft_of(found, message, setting),), ""


def _is_regular(message: StoredMessage) -> bool:
    """Whether a series returns more often than about once a year."""
    if _REGULAR.search(message.text):
        return True
    starts = sorted(occurrence.starts_at for occurrence in message.occurrences)
    return any(later - earlier < _REGULAR_GAP for earlier, later in pairwise(starts))


def _item(
    message: StoredMessage,
    evidence: Evidence,
    due: Due,
    *,
    key: str,
    reason: str,
    expires_at: datetime | None = None,
) -> Found:
    name, book = name_of(message.author), cues(message.lang)
    subject = _unlabelled(plain_subject(message.subject))
    naming = Naming(read_sentence(subject, book), name, subject, message.text, book)
    return Found(
        title=topic_title(naming, key),
        evidence=(evidence,),
        reasons=(reason,),
        confidence=0.9,
        due=due,
        people=(name,) if name else (),
        expires_at=expires_at if expires_at is not None or key == "todo" else due.at,
        priority=Priority.NORMAL if key == "event" else None,
        description=f"{subject}: {evidence.quote}" if subject and subject != evidence.quote else "",
    )


def _unlabelled(subject: str) -> str:
    """A subject without what a calendar program puts before it («Invitation: …»)."""
    return _labels().sub("", subject) or subject


@lru_cache(maxsize=1)
def _labels() -> re.Pattern[str]:
    labels = {label for code in available() for label in language(code).lines("cues", "invitation_label")}
    return re.compile(
        rf"^(?:{'|'.join(map(re.escape, sorted(labels, key=len, reverse=True)))})\s*:\s*", re.IGNORECASE
    )


def _line(message: StoredMessage, beginning: str = "", holding: str = "") -> Evidence | None:
    """The first line of the author's own that begins so and holds this; every line that says something does."""
    for part in new_spans(message):
        start = part.start
        for line in part.of(message.text).splitlines(keepends=True):
            said = line.strip()
            if said and said.startswith(beginning) and holding in said:
                lead = start + len(line) - len(line.lstrip())
                return evidence_at(message, Span(lead, lead + len(said)))
            start += len(line)
    return None


def _spoken(moment: datetime, setting: Setting) -> str:
    here = moment.astimezone(setting.zone)
    return f"{here:%A}, {here.day} {here:%B} {here:%H:%M}"
