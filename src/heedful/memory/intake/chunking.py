"""Cuts a text into passages to index: whole when short, else at sentence ends, never inside a word.

A letter is cut before the old one that stands below it, whose words are another's; a long note at its headings and
paragraphs, which are its author's own cuts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from heedful.core.ids import ChunkId, MessageId, content_id
from heedful.memory.messages.stored import Chunk
from heedful.reading import Zone, ZoneKind, sentences

WHOLE_LENGTH = 1600
TARGET_LENGTH = 1200

_OLD = frozenset([ZoneKind.QUOTED, ZoneKind.FORWARDED])
_ENDINGS = frozenset([ZoneKind.SIGNATURE, ZoneKind.DISCLAIMER])
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*\n(?=[ \t]*\S)")

_Span = tuple[int, int]


def chunk(
    message_id: MessageId, text: str, lang: str, *, zones: Sequence[Zone] = (), is_note: bool = False
) -> tuple[Chunk, ...]:
    """The passages of a text, in order; together they cover it.

    A chunk's id comes from its message and its words, so the same passage keeps its id through an edit elsewhere.
    """
    met: Counter[str] = Counter()
    passages = []
    for start, end in _spans(text, lang, zones, is_note=is_note):
        words = text[start:end]
        passages.append(Chunk(ChunkId(content_id("chunk", message_id, words, str(met[words]))), start, end))
        met[words] += 1
    return tuple(passages)


def _spans(text: str, lang: str, zones: Sequence[Zone], *, is_note: bool) -> Iterator[_Span]:
    for section in _noted(text) if is_note else _written(text, zones):
        if section[1] - section[0] <= WHOLE_LENGTH:
            yield section
            continue
        starts = (section[0] + one.start for one in sentences(text[slice(*section)], lang))
        for span in _packed(section, starts):
            yield from _bounded(text, *span)


def _written(text: str, zones: Sequence[Zone]) -> list[_Span]:
    """A letter's own words, and the old letter below them; one where there is but one of both."""
    below = len(zones)
    while below and zones[below - 1].kind in _ENDINGS:
        below -= 1
    first = below
    while first and zones[first - 1].kind in _OLD:
        first -= 1
    if first == below or not any(text[zone.start : zone.end].strip() for zone in zones[:first]):
        return [(0, len(text))]
    cut = zones[first].start
    return [(0, cut), (cut, len(text))]


def _noted(text: str) -> list[_Span]:
    """A note's sections under their headings, those that fit together as one; a long one by its paragraphs."""
    if len(text) <= WHOLE_LENGTH:
        return [(0, len(text))]
    fenced = [match.span() for match in _FENCED.finditer(text)]
    headings = [
        match.start()
        for match in _HEADING.finditer(text)
        if not any(begin <= match.start() < end for begin, end in fenced)
    ]
    found: list[_Span] = []
    for section in _packed((0, len(text)), headings):
        paragraphs = (match.end() for match in _PARAGRAPH.finditer(text, *section))
        found += [section] if section[1] - section[0] <= WHOLE_LENGTH else _packed(section, paragraphs)
    return found


def _packed(within: _Span, starts: Iterable[int]) -> list[_Span]:
    """The span cut at some of the starts, so that what lies between two cuts is about as long as is wanted."""
    begin, end = within
    cuts = sorted({start for start in starts if begin < start < end})
    spans = []
    for cut, following in pairwise([*cuts, end]):
        if following - begin > TARGET_LENGTH:
            spans.append((begin, cut))
            begin = cut
    return [*spans, (begin, end)]


def _bounded(text: str, start: int, end: int) -> list[_Span]:
    """One span, or several where a single sentence is longer than a chunk may be."""
    spans = []
    while end - start > WHOLE_LENGTH:
        cut = text.rfind(" ", start + TARGET_LENGTH // 2, start + TARGET_LENGTH)
        cut = start + TARGET_LENGTH if cut < 0 else cut + 1
        spans.append((start, cut))
        start = cut
    spans.append((start, end))
    return spans
