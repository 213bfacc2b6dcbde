"""A stored message as a letter to be read: who, when, its passages with the match marked, and why it was kept."""

import re
from collections.abc import Iterable
from datetime import tzinfo

from heedful.memory import Chunk, StoredMessage
from heedful.memory.entities.kinds import NAMED
from heedful.memory.entities.registry import Mention
from heedful.memory.tree.admission import KEEP_FROM, Admission, Signal
from heedful.presenters import times
from heedful.presenters.memory_profiles import kind_words
from heedful.presenters.memory_reader import Letter
from heedful.presenters.memory_views import (
    Bar,
    EntityScope,
    LetterView,
    Link,
    PassageView,
    WhyFound,
    WhyKept,
)
from heedful.reading import tokens, without_diacritics
from heedful.sources import Person

PASSAGES_AROUND = 2
MORE_PASSAGES = 3
NAMES_SHOWN = 8
RECIPIENTS_SHOWN = 6
CANCELLED = "cancelled"

_IN_SIGHT, _LEAD = 24, 10
"""A word begins in sight within so many characters of a line; one that does not is led in with so many."""
_WORD = re.compile(r"\w+")
_SIGNALS = {
    Signal.INTERACTION: "between you and others",
    Signal.MACHINE: "written by a person",
    Signal.FRESH: "said here first",
    Signal.KIND: "kind of message",
    Signal.PLACE: "where it was said",
    Signal.LENGTH: "length",
    Signal.VARIETY: "variety of words",
    Signal.ENTITIES: "names in it",
}


def letter_view(
    letter: Letter,
    text: str,
    *,
    reach: tuple[int, int],
    zone: tzinfo,
    found: WhyFound | None = None,
) -> LetterView:
    """The letter around its passage: `reach` says how many passages before and after it are unfolded."""
    message = letter.message
    chunks = message.chunks
    at = next(place for place, one in enumerate(chunks) if one.id == letter.chunk.id)
    first, last = max(0, at - reach[0]), min(len(chunks), at + reach[1] + 1)
    words = looked_for(text)
    when = _when(letter, zone)
    return LetterView(
        message_id=message.id,
        thread_id=message.thread_id,
        chunk_id=letter.chunk.id,
        when=when,
        place=letter.source_name,
        subject=message.subject,
        author=_name(message.author),
        recipients=_recipients(message),
        passages=tuple(_passage(letter, chunk, words) for chunk in chunks[first:last]),
        earlier=first,
        later=len(chunks) - last,
        people=_named(letter.mentions),
        why=None if letter.admission is None else why_kept(letter.admission),
        found=found,
        whole=_whole(message, when),
        citation=_citation(message, letter.source_name, when),
    )


def why_kept(verdict: Admission) -> WhyKept:
    """The verdict with its signals, those that weigh most first."""
    return WhyKept(
        _verdict(verdict),
        verdict.total,
        KEEP_FROM,
        tuple(Bar(_SIGNALS[one], verdict.signals[one]) for one in _SIGNALS if one in verdict.signals),
    )


def _verdict(verdict: Admission) -> str:
    """The reason in words; one that is a score, as the share of a hundred that the bars show."""
    if not verdict.reason.startswith("Its score"):
        return verdict.reason
    return f"What speaks for it comes to {verdict.total * 100:.0f} of 100; {KEEP_FROM * 100:.0f} are enough."


def _passage(letter: Letter, chunk: Chunk, words: tuple[str, ...]) -> PassageView:
    raw = letter.message.text[chunk.start : chunk.end]
    text = raw.strip()
    begin = chunk.start + len(raw) - len(raw.lstrip())
    return PassageView(
        chunk.id,
        text,
        tuple(_marks(text, words)),
        tuple(_links(letter.mentions, begin, begin + len(text))),
        chunk.id == letter.chunk.id,
    )


def looked_for(text: str) -> tuple[str, ...]:
    """The words of a question as they are marked where they stand."""
    return tuple(without_diacritics(word) for word in tokens(text))


def led_in(excerpt: str, words: tuple[str, ...]) -> str:
    """An excerpt from a little before the first of the words looked for, so that one line of it shows them."""
    first, _ = next(iter(_marks(excerpt, words)), (0, 0))
    if first <= _IN_SIGHT:
        return excerpt
    begin = excerpt.rfind(" ", 0, max(0, first - _LEAD)) + 1
    return f"… {excerpt[begin:]}"


def _marks(text: str, words: tuple[str, ...]) -> Iterable[tuple[int, int]]:
    beginnings = tuple(_beginning(word) for word in words)
    if not beginnings:
        return
    for found in _WORD.finditer(text):
        if without_diacritics(found[0]).startswith(beginnings) and _is_near(found[0], words):
            yield found.span()


def _beginning(word: str) -> str:
    """A word without the end that its inflections change."""
    return word[:-2] if len(word) > 6 else word[:-1] if len(word) > 4 else word


def _is_near(written: str, words: tuple[str, ...]) -> bool:
    """Whether it is one of the words, or one of their inflections: about as long as they are."""
    return any(
        abs(len(written) - len(word)) <= (3 if len(word) > 4 else 0)
        for word in words
        if without_diacritics(written).startswith(_beginning(word))
    )


def _links(mentions: tuple[Mention, ...], begin: int, end: int) -> Iterable[Link]:
    """The mentions of named people and things within [begin, end), the longest where two lie in one place."""
    after = begin
    within = [one for one in mentions if one.kind in NAMED and begin <= one.start < one.end <= end]
    for one in sorted(within, key=lambda one: (one.start, -one.end)):
        if one.start >= after:
            yield Link(
                one.start - begin, one.end - begin, one.entity_id, f"{kind_words(one.kind)} · {one.name}"
            )
            after = one.end


def _named(mentions: tuple[Mention, ...]) -> tuple[EntityScope, ...]:
    found: dict[str, EntityScope] = {}
    for one in mentions:
        if one.kind in NAMED:
            found[one.entity_id] = EntityScope(one.entity_id, one.name)
            if len(found) == NAMES_SHOWN:
                break
    return tuple(found.values())


def _recipients(message: StoredMessage) -> str:
    everyone = [_name(person) for person in (*message.to, *message.cc)]
    more = len(everyone) - RECIPIENTS_SHOWN
    shown = ", ".join(name for name in everyone[:RECIPIENTS_SHOWN] if name)
    return f"{shown} and {more} more" if more > 0 else shown


def _name(person: Person) -> str:
    return person.name or person.address


def _when(letter: Letter, zone: tzinfo) -> str:
    """When a message was sent; of a calendar entry when it takes place next, took place last, or would have."""
    slot = letter.slot
    if slot is None:
        return times.full_moment_words(letter.message.sent_at, zone)
    words = times.full_slot_words(slot.starts_at, slot.ends_at, zone, all_day=slot.all_day)
    return f"{words}, {CANCELLED}" if slot.is_cancelled else words


def _whole(message: StoredMessage, when: str) -> str:
    head = [
        message.subject,
        f"{_name(message.author)}, {when}".strip(", "),
        f"To {_recipients(message)}" if message.to or message.cc else "",
    ]
    return "\n".join([*(part for part in head if part), "", message.text.strip()])


def _citation(message: StoredMessage, source_name: str, when: str) -> str:
    by = f"{_name(message.author)}, {when}".strip(", ")
    return " · ".join(part for part in (by, message.subject, source_name) if part)
