"""Whether an item is already done, by what came after its evidence in the same thread."""

from heedful.actionables import Draft, Evidence
from heedful.judgement.addressing import is_mine
from heedful.judgement.leads import Lead, ReadMessage, read_message
from heedful.judgement.quoting import evidence_at, new_spans
from heedful.memory import StoredMessage, ThreadView
from heedful.reading import Span

_LONG_REPLY_WORDS = 3


def fulfilled_by(draft: Draft, thread: ThreadView, *, own: frozenset[str]) -> Evidence | None:
    """The words that show an item is done: an answer of the person, a cancellation, a confirmation, a withdrawal.

    None while it is open, or when the thread does not hold the item's evidence.
    """
    quoted = {evidence.message_id for evidence in draft.evidence}
    asked = [message for message in thread.messages if message.id in quoted]
    if not asked:
        return None
    last = max(asked, key=_place)
    if last.kind == "event":
        return _event_over(draft, last)
    answerable = last.traits.invitation == "REQUEST" or _is_answerable(draft, last)
    for message in sorted(thread.messages, key=_place):
        if _place(message) > _place(last) and message.id not in quoted:
            shown = _shown_done(message, last, draft, own, answerable=answerable)
            if shown is not None:
                return shown
    return None


def _place(message: StoredMessage) -> tuple[float, int]:
    return message.sent_at.timestamp(), message.seq


def _is_answerable(draft: Draft, asked: StoredMessage) -> bool:
    """Whether words alone fulfil it: a question, a proposal, «let me know»."""
    lead = next(
        (
            lead
            for lead in read_message(asked).leads
            if any(
                one.message_id == asked.id and lead.span.start <= one.start < lead.span.end
                for one in draft.evidence[:1]
            )
        ),
        None,
    )
    if lead is None:
        return False
    return lead.kind in {"question", "proposal", "meeting"} or lead.reading.has("answer_me", "availability")


def _shown_done(
    message: StoredMessage, asked: StoredMessage, draft: Draft, own: frozenset[str], *, answerable: bool
) -> Evidence | None:
    read = read_message(message)
    if is_mine(message, own):
        mine = is_mine(asked, own)
        return _done_by_person(read, asked, answerable=answerable and not mine, promised=mine)
    if message.traits.invitation == "CANCEL":
        return _quote(read, None)
    paid = _first(read, "paid")
    if paid is not None and read.holds("payment_thing"):
        return _quote(read, paid)
    if draft.direction == "theirs" and _same_author(message, asked):
        return _delivered(read)
    withdrawn = _first(read, "withdrawn")
    return _quote(read, withdrawn) if withdrawn is not None and _same_author(message, asked) else None


def _done_by_person(
    read: ReadMessage, asked: StoredMessage, *, answerable: bool, promised: bool
) -> Evidence | None:
    """The person's later message, unless it puts off, only accepts, or asks back."""
    message = read.message
    done = _first(read, "done")
    if done is not None and not done.reading.has("question", "negated", "deferral"):
        return _quote(read, done)
    if message.traits.attachments or message.traits.invitation == "REPLY":
        return _quote(read, None)
    if promised or read.holds("deferral", "commit"):
        return None
    if answerable:
        said = [lead for lead in read.leads if not lead.reading.has("question")]
        return _quote(read, said[0]) if said else None
    if read.holds("accepted") or all(lead.reading.has("question") for lead in read.leads):
        return None
    directly = message.channel == "email" or message.reply_to == asked.external_id
    words = sum(len(lead.reading.tokens) for lead in read.leads)
    return _quote(read, None) if directly and words >= _LONG_REPLY_WORDS else None


def _delivered(read: ReadMessage) -> Evidence | None:
    """What shows that somebody kept a promise."""
    done = _first(read, "done")
    if done is not None:
        return _quote(read, done)
    return _quote(read, None) if read.message.traits.attachments else None


def _event_over(draft: Draft, event: StoredMessage) -> Evidence | None:
    """An event whose every coming time was cancelled; an item that tells of the cancellation stays open."""
    if not event.occurrences or any(one.status != "cancelled" for one in event.occurrences):
        return None
    told = any("cancelled" in reason for reason in draft.reasons)
    return None if told else _whole(event)


def _first(read: ReadMessage, cue: str) -> Lead | None:
    return next((lead for lead in read.leads if lead.reading.has(cue)), None)


def _same_author(one: StoredMessage, other: StoredMessage) -> bool:
    if one.author.address and other.author.address:
        return one.author.address == other.author.address
    return one.author.name == other.author.name


def _quote(read: ReadMessage, lead: Lead | None) -> Evidence | None:
    if lead is not None:
        return evidence_at(read.message, lead.span)
    return evidence_at(read.message, read.leads[0].span) if read.leads else _whole(read.message)


def _whole(message: StoredMessage) -> Evidence | None:
    """The beginning of what a message says itself."""
    for part in new_spans(message):
        said = part.of(message.text)
        start = part.start + len(said) - len(said.lstrip())
        if start < part.end:
            return evidence_at(message, Span(start, part.end))
    return None
