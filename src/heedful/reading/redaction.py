"""Takes secrets out of a text before it is stored.

A pattern is tried only where a word that belongs to its shape stands, so ordinary mail passes at the speed of some
substring searches; every pattern is bounded, also on text written to slow it down.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType

from heedful.reading.secret_shapes import CARD_RUN, MARKS, Shape, is_card, private_keys, shapes
from heedful.reading.spans import Span
from heedful.reading.told_secrets import told_by_words


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text without its secrets, and how many of each kind were taken out."""

    text: str
    counts: Mapping[str, int]


def redact(text: str) -> Redacted:
    """Replaces keys, tokens, passwords, codes, private keys and card numbers by markers: `[redacted: GitHub token]`.

    A text that has been redacted comes back as it is. One-time codes go too: worthless to their owner a minute later,
    they are an open door until then to whoever may read along.
    """
    if not text:
        return Redacted("", MappingProxyType({}))
    counts: Counter[str] = Counter()
    clean = _without_private_keys(text, counts)
    small = _lower(clean)
    for shape in _catalogue(frozenset(mark for mark in MARKS if mark not in small)).held_by(small):
        secrets = list(_secrets(shape, clean, small))
        if secrets:
            clean = _replaced(clean, secrets, partial(_marker, shape.kind, counts))
            small = _lower(clean)
    clean = CARD_RUN.sub(lambda run: _card_marker(run.group(), counts), clean)
    return Redacted(clean, MappingProxyType(dict(counts)))


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """The shapes that a text can hold without certain marks, and every word that one of them waits for."""

    shapes: tuple[Shape, ...]
    triggers: tuple[str, ...]

    def held_by(self, small: str) -> list[Shape]:
        """The shapes whose words stand in a text, in their order."""
        held = {trigger for trigger in self.triggers if trigger in small}
        return [shape for shape in self.shapes if not shape.triggers or not held.isdisjoint(shape.triggers)]


@lru_cache(maxsize=1 << len(MARKS))
def _catalogue(absent: frozenset[str]) -> _Catalogue:
    held = tuple(shape for shape in (*shapes(), *told_by_words()) if shape.mark not in absent)
    return _Catalogue(held, tuple({trigger: None for shape in held for trigger in shape.triggers}))


def _lower(text: str) -> str:
    """The text in lower case, of the same length: the one letter that grows when lowered is put aside."""
    return text.replace("İ", "I").lower()


def _secrets(shape: Shape, text: str, small: str) -> Iterator[Span]:
    if not shape.triggers:
        yield from (Span(*found.span("secret")) for found in shape.pattern.finditer(text))
    end = 0
    for place in sorted(place for trigger in shape.triggers for place in _places(trigger, small)):
        found = _match_at(shape, text, place, after=end)
        if found is not None:
            yield Span(*found.span("secret"))
            end = found.end()


def _match_at(shape: Shape, text: str, place: int, *, after: int) -> re.Match[str] | None:
    if shape.around:
        return shape.pattern.search(text, max(after, place - shape.around), place + shape.around)
    return shape.pattern.match(text, place) if place >= after else None


def _places(trigger: str, small: str) -> Iterator[int]:
    place = small.find(trigger)
    while place >= 0:
        yield place
        place = small.find(trigger, place + len(trigger))


def _replaced(text: str, spans: Iterable[Span], marker: Callable[[], str]) -> str:
    kept, position = [], 0
    for span in spans:
        kept += [text[position : span.start], marker()]
        position = span.end
    return "".join([*kept, text[position:]])


def _marker(kind: str, counts: Counter[str]) -> str:
    counts[kind] += 1
    return f"[redacted: {kind}]"


def _without_private_keys(text: str, counts: Counter[str]) -> str:
    return _replaced(text, private_keys(text), lambda: _marker("private key", counts))


def _card_marker(digits: str, counts: Counter[str]) -> str:
    return _marker("card number", counts) if is_card(digits) else digits
