"""Decides which passages the summaries are made of, and keeps every signal that spoke for or against.

What is left out here stays in the store and is found by every search; it only tells the tree nothing. A signal that
is missing has no weight, so that a stage that was down makes nothing worse. What the person wrote is never left out.

The weights of length, variety, kind, place and interaction were set by hand.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from heedful.memory.messages.stored import Chunk, StoredMessage
from heedful.reading import ZoneKind, parted, tokens

KEEP_FROM = 0.30
FEW_WORDS = 4


class Signal(StrEnum):
    """What is weighed; the value is its name in the store and in the window."""

    LENGTH = "length"
    VARIETY = "variety"
    KIND = "kind"
    PLACE = "place"
    INTERACTION = "interaction"
    ENTITIES = "entities"
    MACHINE = "machine"
    FRESH = "fresh"


WEIGHTS: Mapping[Signal, float] = {
    Signal.LENGTH: 1.0,
    Signal.VARIETY: 1.0,
    Signal.KIND: 1.5,
    Signal.PLACE: 1.5,
    Signal.INTERACTION: 3.0,
    Signal.ENTITIES: 1.0,
    Signal.MACHINE: 3.0,
    Signal.FRESH: 2.0,
}

_KINDS = {"note": 0.9, "event": 0.9}
_PLACES = {
    "email": 0.75, "note": 0.75, "calendar": 0.85, "whatsapp": 0.75, "telegram": 0.6, "slack": 0.6, "chat": 0.5,
    "system": 0.4,
}  # fmt: skip
_TELLING = re.compile(r"[\d?@#]|https?:")


@dataclass(frozen=True, slots=True)
class Admission:
    """The verdict on one chunk. `signals` are from 0 to 1 and hold only those that were there."""

    total: float
    signals: Mapping[Signal, float]
    is_admitted: bool
    reason: str


def admit(message: StoredMessage, chunk: Chunk, *, own: frozenset[str], entities: int | None) -> Admission:
    """Judges one chunk of a message; `entities` counts what was found in it, None when nobody looked yet."""
    words = tokens(parted(message.text[chunk.start : chunk.end]))
    signals = _signals(message, chunk, words, own=own, entities=entities)
    weight = sum(WEIGHTS[signal] for signal in signals)
    total = sum(WEIGHTS[signal] * value for signal, value in signals.items()) / weight
    is_admitted, reason = _verdict(message, chunk, words, signals, total)
    return Admission(
        round(total, 4), {name: round(value, 4) for name, value in signals.items()}, is_admitted, reason
    )


def _verdict(
    message: StoredMessage,
    chunk: Chunk,
    words: tuple[str, ...],
    signals: Mapping[Signal, float],
    total: float,
) -> tuple[bool, str]:
    if message.from_me:
        return True, "You wrote it."
    if not words:
        return False, "There are no words in it."
    if signals.get(Signal.FRESH) == 0.0:
        return False, "It only quotes what is kept where it was first said, or a signature."
    telling = _TELLING.search(message.text, chunk.start, chunk.end) or signals.get(Signal.ENTITIES)
    if len(words) < FEW_WORDS and not telling:
        return False, "It is too short to tell anything by itself."
    if total < KEEP_FROM:
        return False, f"Its score of {total:.2f} is below {KEEP_FROM:.2f}."
    return True, f"Its score is {total:.2f}."


def _signals(
    message: StoredMessage, chunk: Chunk, words: tuple[str, ...], *, own: frozenset[str], entities: int | None
) -> dict[Signal, float]:
    found = {
        Signal.LENGTH: _length(len(words)),
        Signal.VARIETY: _variety(words),
        Signal.KIND: _KINDS.get(message.kind, 0.8 if message.channel == "email" else 0.5),
        Signal.PLACE: _PLACES.get(message.channel, 0.5),
        Signal.INTERACTION: _interaction(message, chunk, own),
    }
    if entities is not None:
        found[Signal.ENTITIES] = min(1.0, entities * 100 / max(1, len(words)))
    if (machine := _machine(message)) is not None:
        found[Signal.MACHINE] = machine
    if message.zones:
        found[Signal.FRESH] = _fresh_share(message, chunk)
    return found


def _length(words: int) -> float:
    if words < 30:
        return words / 30
    return 1.0 if words <= 3000 else max(0.5, 1.0 - (words - 3000) / 10_000)


def _variety(words: tuple[str, ...]) -> float:
    if len(words) < 5:
        return 0.5
    # A long text repeats its small words, whatever it says: what counts is taken as if it were 100 words long.
    ratio = len(set(words)) / len(words) * max(1.0, math.sqrt(len(words) / 100))
    return min(1.0, max(0.0, (ratio - 0.3) / 0.4))


def _interaction(message: StoredMessage, chunk: Chunk, own: frozenset[str]) -> float:
    """How much of it is between the person and somebody; a half where nothing is known."""
    score = 0.0
    if message.from_me:
        score += 0.6
    if message.reply_to:
        score += 0.5
    addressed = {person.address for person in message.to}
    if addressed & own and len(addressed) + len(message.cc) <= 2:
        score += 0.3
    said = message.text[chunk.start : chunk.end].casefold()
    if any(address in said for address in own):
        score += 0.2
    return min(1.0, score) if score else 0.5


def _machine(message: StoredMessage) -> float | None:
    """How likely a person is behind it, where the envelope says that none is; None where it says nothing."""
    traits = message.traits
    if traits.bulk:
        return 0.0
    if traits.automatic:
        return 0.1
    return 0.5 if traits.list_id else None


def _fresh_share(message: StoredMessage, chunk: Chunk) -> float:
    """The share of the chunk that its author wrote now, rather than quoted or signed."""
    written = said = 0
    for zone in message.zones:
        start, end = max(zone.start, chunk.start), min(zone.end, chunk.end)
        if start < end:
            letters = len("".join(message.text[start:end].split()))
            written += letters
            said += letters if zone.kind in {ZoneKind.NEW, ZoneKind.FORWARDED} else 0
    return said / written if written else 1.0
