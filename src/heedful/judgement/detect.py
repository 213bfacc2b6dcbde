"""Tells, sentence by sentence and before any gating, what a text asks, promises, announces or warns of."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.judgement.cues import Cues, Hit, Token, clause_starts, cues, words_of
from heedful.judgement.features import features_of
from heedful.judgement.spoken import spoken_hits
from heedful.judgement.weighing import weights
from heedful.reading import find_dates, guess, sentences

SightingKind = Literal[
    "request", "question", "commitment", "proposal", "meeting", "deadline", "payment", "security", "delivery",
    "renewal", "system",
]  # fmt: skip

THRESHOLD = 0.42
_ASKED = 0.72
_ASKED_WITHOUT_MARK = 0.55
_TOPICS: tuple[SightingKind, ...] = ("security", "system", "payment", "renewal", "delivery")
_TOPIC = 0.85
_DATED = 0.5
_PROMISED = 0.55
_COMMANDED = 0.5
_WINDOW = 1200
_QUOTES = " \t\r\n\"'”’)"


@dataclass(frozen=True, slots=True)
class Sighting:
    """One sentence that wants something: characters [start, end) of the text; `score` is 0–1."""

    quote: str
    start: int
    end: int
    kind: SightingKind
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class SentenceReading:
    """A sentence taken apart: its tokens, the wordings met in it, and the features weighed."""

    text: str
    tokens: tuple[Token, ...]
    hits: tuple[Hit, ...]
    features: frozenset[str]

    def has(self, *names: str) -> bool:
        """Whether any of these features holds."""
        return not self.features.isdisjoint(names)


def read_sentence(text: str, book: Cues) -> SentenceReading:
    """Takes a sentence apart by the cues of its language; only its first 1,200 characters count."""
    head = text[:_WINDOW]
    tokens = book.tokens(head)
    starts = clause_starts(tokens, book.joiners)
    hits = book.hits(tokens, starts)
    hits += spoken_hits(tokens, starts, book, is_question=head.rstrip(_QUOTES).endswith("?"))
    return SentenceReading(
        head,
        tokens,
        hits,
        features_of(head, tokens, hits, starts, undercutting=words_of(book.code, "undercut")),
    )


def detect(
    text: str, *, lang: str | None = None, sent_at: datetime | None = None, from_me: bool = False
) -> tuple[Sighting, ...]:
    """What the finder sees in a text, in order, at most one sighting a sentence.

    `lang` is guessed when it is None. With `sent_at` a date that is worded as a limit counts as a deadline. In a
    text of the person's own (`from_me`) only what they promise counts.
    """
    code = lang or guess(text)
    book = cues(code)
    found = []
    for sentence in sentences(text, code):
        reading = read_sentence(sentence.text, book)
        seen = sighted(reading) or _dated(reading, sent_at, code)
        if seen is not None and (seen[0] == "commitment" or not from_me):
            found.append(Sighting(sentence.text, sentence.start, sentence.end, seen[0], round(seen[1], 3)))
    return tuple(found)


def sighted(reading: SentenceReading) -> tuple[SightingKind, float] | None:
    """The kind of a sentence and how sure that is; None below the threshold."""
    topic = _topic(reading)
    if topic is not None:
        return topic, _TOPIC
    if reading.has("rhetorical", "boilerplate") or _only_notes(reading):
        return None
    score = weights().probability(reading.features)
    if reading.has("question"):
        doing = reading.has("can_you", "please") or (reading.has("imperative") and not reading.has("asked"))
        kind: SightingKind = "request" if doing else "question"
        return kind, max(score, _ASKED)
    if reading.has("asked") and not reading.has("filler"):
        return "question", max(score, _ASKED_WITHOUT_MARK)
    if _promises(reading):
        return "commitment", max(score, _PROMISED)
    limited = {"deadline", "date_lead"} <= reading.features
    told = reading.has("reminded") or (reading.has("imperative_first") and (limited or reading.has("me_us")))
    if told and not reading.has("marketing", "filler"):
        score = max(score, _COMMANDED)
    return None if score < THRESHOLD else (_kind(reading), score)


def _topic(reading: SentenceReading) -> SightingKind | None:
    """The topic of a sentence; a request that only touches one is a request."""
    asks = reading.has("question", "please", "can_you")
    for topic in _TOPICS:
        if reading.has(topic) and not reading.has("question") and (not asks or reading.has(f"{topic}_sure")):
            return topic
    return None


def _only_notes(reading: SentenceReading) -> bool:
    """Whether «please» only points at something («please note that», «please find attached»)."""
    asks = reading.has("let_know", "can_you", "question", "imperative_later", "need_you")
    return reading.has("note") and not asks


def _promises(reading: SentenceReading) -> bool:
    held = reading.has("commit") and reading.has("promised")
    return held and not reading.has("condition_start", "negated", "hearsay")


def _dated(
    reading: SentenceReading, sent_at: datetime | None, lang: str
) -> tuple[SightingKind, float] | None:
    """A deadline by its date alone, where the words gave nothing away."""
    if sent_at is None or not reading.has("you", "deadline_sure") or reading.has("past", "boilerplate"):
        return None
    limited = any(mention.is_deadline for mention in find_dates(reading.text, at=sent_at, lang=lang))
    return ("deadline", _DATED) if limited else None


def _kind(reading: SentenceReading) -> SightingKind:
    if reading.has("imperative", "please", "need_you", "let_know", "appreciate", "would_mind", "can_you"):
        return "request"
    if reading.has("commit"):
        return "commitment"
    if reading.has("propose"):
        return "proposal"
    if reading.has("availability", "meeting_word"):
        return "meeting"
    if reading.has("i_need", "imperative_later"):
        return "request"
    return "deadline" if reading.has("deadline") else "request"
