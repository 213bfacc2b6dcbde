"""Until when something asked for is wanted, from the dates of the message that asks it."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from heedful.judgement.cues import words_of
from heedful.memory import StoredMessage
from heedful.reading import DateMention, Span, find_dates, is_stop_word, without_diacritics

_PAST = timedelta(days=1)
_NEAR_CHARS = 60
_LAST_WORD = re.compile(r"([^\W\d_]+)\s+$")
_WORD_OR_COMMA = re.compile(r"\w+|[^\w\s]")
_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Due:
    """The moment it is wanted by: for a whole day, that day’s last minute.

    `span` covers the date with the words that lead to it («by Friday»); None when the subject said it.
    """

    at: datetime
    text: str
    span: Span | None
    is_deadline: bool

    def is_long_past(self, now: datetime) -> bool:
        """Whether it passed more than a day ago."""
        return now - self.at > _PAST


def written_at(message: StoredMessage, zone: tzinfo) -> datetime:
    """When a message was written, in its sender's zone, or in the person's when the source only knew UTC."""
    offset = message.sent_at.utcoffset()
    return message.sent_at.astimezone(zone) if not offset else message.sent_at


def due_of(message: StoredMessage, lead: Span, parts: tuple[Span, ...], zone: tzinfo) -> Due | None:
    """A deadline of the leading sentence, one elsewhere in `parts`, else any date of the sentence, or the subject's."""
    at = written_at(message, zone)
    inside = _first(lead.of(message.text), at, message.lang)
    if inside is not None and inside.is_deadline:
        return _due(inside, lead.start)
    for part in parts:
        elsewhere = _first(part.of(message.text), at, message.lang)
        if elsewhere is not None and elsewhere.is_deadline:
            return _due(elsewhere, part.start)
    if inside is not None:
        return _due(inside, lead.start)
    subject = _first(message.subject, at, message.lang) if parts else None
    return _due(subject, None) if subject is not None and subject.is_deadline else None


def is_one_of_several(text: str, date: Span, at: datetime, lang: str) -> bool:
    """Whether only «or», «and» or a comma stands between a date of a sentence and another («Monday or Tuesday»)."""
    between = words_of(lang, "between_days")
    for mention in _mentions(text, at, lang):
        gap = text[mention.end : date.start] if mention.end <= date.start else text[date.end : mention.start]
        is_apart = mention.end <= date.start or date.end <= mention.start
        words = _WORD_OR_COMMA.findall(gap)
        if is_apart and words and all(without_diacritics(word) in between or word == "," for word in words):
            return True
    return False


def _mentions(text: str, at: datetime, lang: str) -> tuple[DateMention, ...]:
    return find_dates(text, at=at, lang=lang) if text else ()


def _first(text: str, at: datetime, lang: str) -> DateMention | None:
    """The earliest deadline, else the earliest mention, that is not over when it was written.

    One that was over by then tells of the past.
    """
    fit = [
        mention
        for mention in _mentions(text, at, lang)
        if mention.begin is not None
        and (mention.is_deadline or not _describes(mention, text, lang))
        and not _is_start(mention, text, lang)
        and _moment(mention) >= at - _PAST * (1 if mention.is_deadline else 0)
    ]
    return min(
        fit, key=lambda mention: (not mention.is_deadline, _moment(mention), mention.start), default=None
    )


def _describes(mention: DateMention, text: str, lang: str) -> bool:
    """Whether a date only tells one thing from others («the October report», «our Friday call»)."""
    before = _LAST_WORD.search(text[max(0, mention.start - _NEAR_CHARS) : mention.start])
    after = _NEXT_WORD.match(text, mention.end)
    if before is None or after is None or is_stop_word(after[1], lang):
        return False
    return without_diacritics(before[1]) in words_of(lang, "article")


def _is_start(mention: DateMention, text: str, lang: str) -> bool:
    """Whether a date only tells since when something holds («seit Montag»)."""
    before = _LAST_WORD.search(text[max(0, mention.start - _NEAR_CHARS) : mention.start])
    return before is not None and without_diacritics(before[1]) in words_of(lang, "since")


def _moment(mention: DateMention) -> datetime:
    assert mention.begin is not None
    finish = mention.finish or mention.begin
    if finish == mention.begin:
        # «By midnight» means the day that ends then.
        is_day_end = mention.is_deadline and not (finish.hour or finish.minute)
        return finish - timedelta(minutes=1) if is_day_end else mention.begin
    if mention.kind in {"datetime", "time"}:
        return mention.begin
    return finish - timedelta(minutes=1)


def _due(mention: DateMention, offset: int | None) -> Due:
    span = None if offset is None else Span(offset + mention.phrase_start, offset + mention.end)
    return Due(_moment(mention), mention.text, span, mention.is_deadline)
