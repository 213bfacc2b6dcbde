"""What of a passage gets a vector: its parts of a few sentences, or, for a short turn, itself after the one before it.

A turn like «Yes, on Friday» means nothing alone. Its window, the turn before and itself with their speakers, is
stable: what is said later does not change it.
"""

from dataclasses import dataclass

from heedful.reading import sentences

MOST_CHARACTERS = 450
SHORT = 300
"""A message of at most so many characters is a turn, and has a window in place of parts."""

_LONE_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class Unit:
    """A text worth a vector; `part` counts a passage's parts from 0."""

    part: int
    text: str


def embeddable(text: str) -> str:
    """The text as a model takes it: one line, capped, valid; empty where there is no letter or digit in it."""
    clean = " ".join(text[: MOST_CHARACTERS * 4].translate(_LONE_SURROGATES).split())[:MOST_CHARACTERS]
    return clean if any(map(str.isalnum, clean)) else ""


def parts(text: str, lang: str) -> tuple[str, ...]:
    """A passage in pieces of whole sentences, each of at most `MOST_CHARACTERS` characters."""
    if len(text) <= MOST_CHARACTERS:
        return (" ".join(text.split()),)
    found: list[str] = []
    for sentence in sentences(text, lang):
        for piece in _bounded(" ".join(text[sentence.start : sentence.end].split())):
            if found and len(found[-1]) + 1 + len(piece) <= MOST_CHARACTERS:
                found[-1] += " " + piece
            else:
                found.append(piece)
    return tuple(found)


def _bounded(sentence: str) -> list[str]:
    pieces = []
    while len(sentence) > MOST_CHARACTERS:
        cut = sentence.rfind(" ", MOST_CHARACTERS // 2, MOST_CHARACTERS)
        cut = cut if cut > 0 else MOST_CHARACTERS
        pieces.append(sentence[:cut])
        sentence = sentence[cut:].strip()
    return [*pieces, sentence] if sentence else pieces


def window(author: str, text: str, before_author: str, before: str) -> str:
    """A turn after the one before it, both with their speakers; of a long one before, its beginning and end."""
    turn = f"{author}: {' '.join(text.split())}"
    earlier = f"{before_author}: {' '.join(before.split())}" if before else ""
    room = MOST_CHARACTERS - len(turn) - 1
    if len(earlier) > room:
        half = room // 2
        earlier = f"{earlier[: half - 1]} {earlier[-half:]}" if half > 10 else ""
    return f"{earlier} {turn}".strip()
