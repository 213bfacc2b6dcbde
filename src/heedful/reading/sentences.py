"""Cuts a text into sentences, by position."""

import re
from dataclasses import dataclass

_END = re.compile(r"[.!?…]+[\"'”’»)\]]*\s+|\n\s*\n+|\n(?=\s*[-*•])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as it stands in the text, without the white space around it."""

    start: int
    end: int
    text: str


def sentences(text: str, lang: str = "en") -> tuple[Sentence, ...]:
    """The sentences in order; they do not overlap and leave only white space out."""
    found, start = [], 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        if piece.strip():
            lead = start + len(piece) - len(piece.lstrip())
            found.append(Sentence(lead, lead + len(piece.strip()), piece.strip()))
        start = end
    return tuple(found)
