"""Cuts a text into passages to index: whole when short, else at sentence ends, never inside a word."""

from heedful.core.ids import ChunkId, MessageId, content_id
from heedful.memory.stored import Chunk
from heedful.reading import sentences

WHOLE_LENGTH = 1600
TARGET_LENGTH = 1200


def chunk(message_id: MessageId, text: str, lang: str) -> tuple[Chunk, ...]:
    """The passages of a text, in order; together they cover it, but for white space at their joints.

    A chunk's id comes from its message and its words, so the same passage keeps its id through an edit elsewhere.
    """
    spans = [(0, len(text))] if len(text) <= WHOLE_LENGTH else _cut(text, lang)
    return tuple(
        Chunk(ChunkId(content_id("chunk", message_id, str(place), text[start:end])), start, end)
        for place, (start, end) in enumerate(spans)
    )


def _cut(text: str, lang: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = 0
    for sentence in sentences(text, lang):
        if sentence.end - start > TARGET_LENGTH and sentence.start > start:
            spans.extend(_bounded(text, start, sentence.start))
            start = sentence.start
    spans.extend(_bounded(text, start, len(text)))
    return spans


def _bounded(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """One span, or several where a single sentence is longer than a chunk may be."""
    spans = []
    while end - start > WHOLE_LENGTH:
        cut = text.rfind(" ", start + TARGET_LENGTH // 2, start + TARGET_LENGTH)
        cut = start + TARGET_LENGTH if cut < 0 else cut + 1
        spans.append((start, cut))
        start = cut
    spans.append((start, end))
    return spans
