"""A passage that was found, why it was, and the piece of it to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from heedful.core.ids import ChunkId, MessageId, SourceId, ThreadId

MOST_HITS = 100
EXCERPT_LENGTH = 240


@dataclass(frozen=True, slots=True)
class OfDays:
    """How a passage belongs to days, both ends included: written on one of them («from»), or naming them."""

    how: Literal["from", "names"]
    first: date
    last: date

    @property
    def is_one_day(self) -> bool:
        """Whether it is a single day."""
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that matched, and why.

    `score` is higher for better. `fts_rank` counts from 1 among those that share words, None where none are shared;
    `cosine` is the nearness of meaning, None where it is unknown; `boosts` are what each feature added to the score.
    `of_days` says how it belongs to days that an exact look-up named, None where it does not or none were.
    `degraded` says that matching by meaning was wanted and missing.
    """

    chunk_id: ChunkId
    score: float
    source_id: SourceId
    thread_id: ThreadId
    message_id: MessageId
    external_id: str
    author: str
    sent_at: datetime
    subject: str
    excerpt: str
    fts_rank: int | None
    cosine: float | None = None
    boosts: Mapping[str, float] = field(default_factory=dict)
    degraded: bool = False
    of_days: OfDays | None = None


def excerpt(text: str, words: Sequence[str], length: int = EXCERPT_LENGTH) -> str:
    """About `length` characters of a text around the first of the words, cut at white space, with … where cut."""
    folded = " ".join(text.split())
    if len(folded) <= length:
        return folded
    low = folded.lower()
    places = [place for word in words if (place := low.find(word.lower())) >= 0]
    begin = max(0, min(places, default=0) - length // 3)
    if begin:
        begin = folded.find(" ", begin) + 1
    end = min(len(folded), begin + length)
    if end < len(folded):
        end = max(begin + 1, folded.rfind(" ", begin, end))
    return ("… " if begin else "") + folded[begin:end].strip() + (" …" if end < len(folded) else "")
