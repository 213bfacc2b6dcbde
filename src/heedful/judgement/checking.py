"""Checks what a model answered: nothing it says becomes an item unless the memory bears it out.

The model gives words: a title, a description, a priority, quotes. What they rest on is ours: the quotes must stand
in the memory it was shown, every number in its evidence; source, people and dates come from the message itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from types import MappingProxyType

from heedful.actionables import TITLE_LENGTH, Draft, Evidence, ItemSource, Priority
from heedful.core.ids import ChunkId
from heedful.judgement.addressing import is_mine, name_of
from heedful.judgement.cues import holds_cue
from heedful.judgement.drafting import Found, Setting, draft_of, lowered, needs_confirmation
from heedful.judgement.due import due_of
from heedful.judgement.features import TOPICS
from heedful.judgement.leads import read_message
from heedful.judgement.naming import plain_subject
from heedful.judgement.quoting import evidence_at, is_new_text, new_spans
from heedful.memory import Chunk, StoredMessage, ThreadView
from heedful.reading import Span, fold_space, locate, numbers_in

_NO_LABELS: Mapping[str, ChunkId] = MappingProxyType({})
_DESCRIPTION = 400
_TITLE_MIN = 3
_FLAGS = ("actionable", "requires_confirmation", "has_complex_action")
_ALARM_CUES = {"security": "breach", "system": "outage"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an item of a model was not taken; `title` is as the model gave it, empty when it gave none."""

    reason: str
    title: str


class _RefusedError(Exception):
    """Carries a reason from a check to `check_item`, which alone answers."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the model may say, with types checked."""

    title: str
    description: str
    priority: Priority
    actionable: bool
    requires_confirmation: bool
    has_complex_action: bool
    insight: bool
    quotes: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """A chunk of the memory with where it belongs."""

    chunk: Chunk
    message: StoredMessage
    thread: ThreadView


def check_item(
    raw: object,
    threads: ThreadView | Sequence[ThreadView],
    *,
    now: datetime,
    zone: tzinfo,
    own: frozenset[str],
    found_by: str,
    prompt: str,
    labels: Mapping[str, ChunkId] = _NO_LABELS,
) -> Draft | Refusal:
    """One decoded JSON value of a model's answer as a draft, or why not. Never raises on any value.

    `labels` are the short names under which the prompt showed its chunks; a chunk's own id is understood too.
    """
    views = (threads,) if isinstance(threads, ThreadView) else tuple(threads)
    title = raw.get("title") if isinstance(raw, Mapping) else None
    try:
        draft = _checked(_answer(raw), views, now=now, zone=zone, own=own, labels=labels)
    except _RefusedError as refused:
        return Refusal(str(refused), title if isinstance(title, str) else "")
    return replace(draft, found_by=found_by, prompt=prompt)


def _answer(raw: object) -> _Answer:
    """What the prompt asks for (`prompts/CONSCIOUS_LOOP.schema.json`), field by field."""
    if not isinstance(raw, Mapping):
        raise _RefusedError("It is not an object.")
    title = fold_space(_text(raw, "title"))
    if not _TITLE_MIN <= len(title) <= TITLE_LENGTH:
        raise _RefusedError(
            f"Its title has {len(title)} characters; {_TITLE_MIN} to {TITLE_LENGTH} are allowed."
        )
    source = raw.get("source")
    if source is not None and source not in tuple(ItemSource):
        raise _RefusedError("Its source is none of those allowed.")
    priority = raw.get("priority")
    if priority not in tuple(Priority):
        raise _RefusedError("Its priority is none of those allowed.")
    flags = [raw.get(name, name == "actionable") for name in _FLAGS]
    if not all(isinstance(flag, bool) for flag in flags):
        raise _RefusedError("One of its flags is neither true nor false.")
    return _Answer(
        title=title,
        description=fold_space(_text(raw, "description"))[:_DESCRIPTION],
        priority=Priority(str(priority)),
        actionable=bool(flags[0]),
        requires_confirmation=bool(flags[1]),
        has_complex_action=bool(flags[2]),
        insight=source == ItemSource.AI_INSIGHT,
        quotes=_quotes(raw.get("evidence")),
    )


def _text(raw: Mapping[object, object], name: str) -> str:
    value = raw.get(name, "")
    if not isinstance(value, str):
        raise _RefusedError(f"Its {name} is not text.")
    return value


def _quotes(raw: object) -> tuple[tuple[str, str], ...]:
    """Chunk label and quote of each piece of evidence; the label is empty where the model gave none."""
    entries = raw if isinstance(raw, Sequence) and not isinstance(raw, str | bytes) else ()
    found = []
    for entry in entries:
        quote = entry.get("quote") if isinstance(entry, Mapping) else entry
        label = entry.get("chunk", "") if isinstance(entry, Mapping) else ""
        if not isinstance(quote, str) or not isinstance(label, str | int) or not quote.strip():
            raise _RefusedError("Its evidence is not a list of chunks and quotes.")
        found.append((str(label).strip(" []#"), quote))
    if not found:
        raise _RefusedError("It names no evidence.")
    return tuple(found)


def _checked(
    answer: _Answer,
    views: tuple[ThreadView, ...],
    *,
    now: datetime,
    zone: tzinfo,
    own: frozenset[str],
    labels: Mapping[str, ChunkId],
) -> Draft:
    shown = {
        chunk.id: _Shown(chunk, message, view)
        for view in views
        for message in view.messages
        for chunk in message.chunks
    }
    found = [_placed(label, quote, shown, labels) for label, quote in answer.quotes]
    for place, evidence in found:
        _may_be_evidence(place, evidence, own)
    _no_invented_numbers(answer, [place for place, _ in found], now=now, zone=zone)
    return _draft(answer, found, now=now, zone=zone, own=own)


def _placed(
    label: str, quote: str, shown: Mapping[ChunkId, _Shown], labels: Mapping[str, ChunkId]
) -> tuple[_Shown, Evidence]:
    """Where a quote stands. A label that is missing or wrong is forgiven when only one chunk holds the quote."""
    named = shown.get(labels.get(label, ChunkId(label)))
    places = [named] if named is not None else list(shown.values()) if not label else []
    for place in places:
        evidence = _evidence(place, quote)
        if evidence is not None:
            return place, evidence
    raise _RefusedError("A quote of its evidence does not stand in the chunk it names.")


def _evidence(place: _Shown, quote: str) -> Evidence | None:
    chunk, message = place.chunk, place.message
    span = locate(quote, message.text[chunk.start : chunk.end])
    if span is None:
        return None
    whole = Span(chunk.start + span.start, chunk.start + span.end)
    found = evidence_at(message, whole)
    return replace(found, chunk_id=chunk.id) if found is not None else None


def _may_be_evidence(place: _Shown, evidence: Evidence, own: frozenset[str]) -> None:
    message = place.message
    if message.kind == "event" or message.channel == "note":
        return
    if not is_new_text(message, Span(evidence.start, evidence.end)):
        raise _RefusedError(
            "A quote of its evidence is quoted, forwarded or signature text, not what its author wrote."
        )
    if message.traits.bulk:
        read = read_message(message)
        if not any(read.holds(topic) for topic in TOPICS):
            raise _RefusedError("Its evidence is a newsletter or mass mail.")
    if is_mine(message, own) and not read_message(message).wanting("commitment"):
        raise _RefusedError("Its evidence is what the person wrote themselves.")


def _no_invented_numbers(answer: _Answer, places: list[_Shown], *, now: datetime, zone: tzinfo) -> None:
    """Every number must stand in a message it cites, its subject or author, or be part of a date found there."""
    allowed: set[str] = set()
    for place in places:
        message = place.message
        allowed |= numbers_in(
            f"{message.subject}\n{message.author.name}\n{message.author.address}\n{message.text}"
        )
        for moment in (message.sent_at, now, *_moments(message, zone)):
            allowed |= numbers_in(f"{moment:%Y-%m-%d %H:%M %d %m} {moment.day} {moment.hour} {moment:%I:%M}")
        allowed |= {part for number in tuple(allowed) for part in number.split(".")}
    for number in sorted(numbers_in(f"{answer.title}\n{answer.description}")):
        if number not in allowed and number.lstrip("0") not in allowed:
            raise _RefusedError(f"The number {number} does not stand in its evidence.")


def _moments(message: StoredMessage, zone: tzinfo) -> tuple[datetime, ...]:
    dates = [due_of(message, part, (), zone) for part in new_spans(message)]
    events = [moment for one in message.occurrences for moment in (one.starts_at, one.ends_at)]
    return (*(due.at for due in dates if due), *events)


def _draft(
    answer: _Answer, found: list[tuple[_Shown, Evidence]], *, now: datetime, zone: tzinfo, own: frozenset[str]
) -> Draft:
    place, first = found[0]
    message = place.message
    setting = Setting(place.thread, now, zone, own)
    name = name_of(message.author) if not is_mine(message, own) else ""
    due = due_of(message, Span(first.start, first.end), new_spans(message), zone)
    draft = draft_of(
        Found(
            title=answer.title,
            evidence=tuple(dict.fromkeys(evidence for _, evidence in found)),
            reasons=(
                f"{name or plain_subject(message.subject) or 'It'}: found by a model, its quotes checked",
            ),
            confidence=0.7,
            due=due if due is not None and not due.is_long_past(now) else None,
            source=_source(answer, message),
            alarm=_is_alarm(message),
            complex_action=answer.has_complex_action,
            people=(name,) if name else (),
            description=answer.description,
        ),
        message,
        setting,
    )
    if due is not None and due.is_long_past(now):
        raise _RefusedError("Its date has passed.")
    return replace(
        _with_priority(draft, answer.priority),
        actionable=answer.actionable,
        requires_confirmation=answer.requires_confirmation
        or needs_confirmation(
            (message.subject, answer.title, *(one.quote for _, one in found)), message.lang
        ),
    )


def _with_priority(draft: Draft, suggested: Priority) -> Draft:
    """Critical is the clock's to say; between the other two the model may choose when no date decides."""
    if suggested is Priority.CRITICAL and draft.priority is not Priority.CRITICAL:
        allowed = lowered(Priority.IMPORTANT, draft.priority) if draft.due else Priority.IMPORTANT
        reason = "the model said critical, but it is not due today and no alarm"
        return replace(draft, priority=allowed, reasons=(*draft.reasons, reason))
    if draft.due is None and draft.priority is Priority.NORMAL:
        return replace(draft, priority=suggested)
    return draft


def _source(answer: _Answer, message: StoredMessage) -> ItemSource | None:
    """Security by what the message says, an insight by the model's word; None for what its channel says."""
    read = read_message(message)
    if read.holds("security"):
        return ItemSource.SECURITY
    return ItemSource.AI_INSIGHT if answer.insight else None


def _is_alarm(message: StoredMessage) -> bool:
    told = f"{message.subject}\n{message.text[:4000]}"
    read = read_message(message)
    return any(read.holds(topic) and holds_cue(told, message.lang, cue) for topic, cue in _ALARM_CUES.items())
