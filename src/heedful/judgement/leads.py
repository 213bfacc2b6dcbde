"""Which sentence of a message carries what it wants: the leads from which items are made."""

from dataclasses import dataclass
from functools import lru_cache

from heedful.judgement.cues import Cues, cues
from heedful.judgement.detect import SentenceReading, SightingKind, read_sentence, sighted
from heedful.judgement.quoting import new_spans
from heedful.memory import StoredMessage
from heedful.reading import Span, sentences

_CHARS = 24_000
_LEADS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Lead:
    """One sentence of the author's own, and what it wants; `kind` is None for one that wants nothing."""

    span: Span
    reading: SentenceReading
    kind: SightingKind | None
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class ReadMessage:
    """A message with its own sentences read; `subject` is its subject read as a sentence."""

    message: StoredMessage
    book: Cues
    subject: SentenceReading
    leads: tuple[Lead, ...]

    def holds(self, *cue_names: str) -> bool:
        """Whether the subject or any own sentence holds one of these cues."""
        return self.subject.has(*cue_names) or any(lead.reading.has(*cue_names) for lead in self.leads)

    def wanting(self, *kinds: SightingKind) -> tuple[Lead, ...]:
        """The sentences of these kinds, in order."""
        return tuple(lead for lead in self.leads if lead.kind in kinds)


def read_message(message: StoredMessage, *, most: int = _LEADS) -> ReadMessage:
    """Reads the first sentences of what the author wrote, 200 unless told otherwise."""
    book = cues(message.lang)
    leads: list[Lead] = []
    for part in new_spans(message):
        piece = message.text[part.start : min(part.end, part.start + _CHARS)]
        for sentence in sentences(piece, message.lang):
            if len(leads) >= most:
                break
            reading = read_sentence(sentence.text, book)
            seen = sighted(reading)
            span = Span(part.start + sentence.start, part.start + sentence.end)
            leads.append(Lead(span, reading, seen[0] if seen else None, seen[1] if seen else 0.0))
    return ReadMessage(message, book, _subject(message.subject, book), tuple(leads))


@lru_cache(maxsize=512)
def _subject(subject: str, book: Cues) -> SentenceReading:
    return read_sentence(subject, book)
