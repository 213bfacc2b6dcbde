"""Takes secrets out of a text before it is stored.

A pattern is tried only where a word that belongs to its shape stands, so ordinary mail passes at the speed of some
substring searches; every pattern is bounded, also on text written to slow it down.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from heedful.reading.secret_shapes import CARD_RUN, Shape, is_card, private_keys, shapes
from heedful.reading.spans import Span


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text without its secrets, and how many of each kind were taken out."""

    text: str
    counts: Mapping[str, int]


def redact(text: str) -> Redacted:
    """Replaces keys, tokens, passwords, private keys and card numbers by markers such as `[redacted: GitHub token]`.

    A text that has been redacted comes back as it is. One-time codes are left alone: they are what a person looks
    for and worthless a minute later.
    """
    if not text:
        return Redacted("", MappingProxyType({}))
    counts: Counter[str] = Counter()
    clean = _without_private_keys(text, counts)
    small = _lower(clean)
    for shape in shapes():
        secrets = list(_secrets(shape, clean, small)) if _may_hold(shape, small) else ()
        if secrets:
            clean = _replaced(clean, secrets, partial(_marker, shape.kind, counts))
            small = _lower(clean)
    clean = CARD_RUN.sub(lambda run: _card_marker(run.group(), counts), clean)
    return Redacted(clean, MappingProxyType(dict(counts)))


def _lower(text: str) -> str:
    """The text in lower case, of the same length: the one letter that grows when lowered is put aside."""
    return text.replace("İ", "I").lower()


def _may_hold(shape: Shape, small: str) -> bool:
    """Whether a word that belongs to a shape stands anywhere; a plain loop, for every text asks it of every shape."""
    for trigger in shape.triggers:
        if trigger in small:
            return True
    return not shape.triggers


def _secrets(shape: Shape, text: str, small: str) -> Iterator[Span]:
    if not shape.triggers:
        yield from (Span(*found.span("secret")) for found in shape.pattern.finditer(text))
    end = 0
    for place in sorted(place for trigger in shape.triggers for place in _places(trigger, small)):
        found = shape.pattern.match(text, place) if place >= end else None
        if found is not None:
            yield Span(*found.span("secret"))
            end = found.end()


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
