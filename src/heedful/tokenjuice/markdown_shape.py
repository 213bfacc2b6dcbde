"""Markdown: every heading, the beginning of each section, and the lines that carry facts or a pin."""

import re

from heedful.tokenjuice.facts import has_fact
from heedful.tokenjuice.ledger import Draft
from heedful.tokenjuice.shapes import Reading
from heedful.tokenjuice.signal import pinned_lines

_HEADING = re.compile(r"^#{1,6} ")
_DECORATION = re.compile(
    r"^\s*(?:!?\[!\[.*|!\[[^\]]*\]\([^)]*\)\s*|<!--.*-->|[-*_]{3,}|</?(?:p|div|br|img|a|center)\b[^>]*>)\s*$",
    re.IGNORECASE,
)
_LONG_CHARS = 6000
_SECTION_CHARS = 700


def reshape_markdown(reading: Reading) -> str:
    """The document without badges and rules; of a long one, the start of each section and its facts."""
    whole = Draft.of(reading.text)
    pinned = pinned_lines(whole.lines, reading.pinned)
    plain = whole.only(
        n
        for n, line in enumerate(whole.lines)
        if n in pinned
        or not (_DECORATION.match(line) or (not line.strip() and n and not whole.lines[n - 1].strip()))
    )
    plain = reading.ledger.enter("decoration", whole, plain)
    if plain.size() < _LONG_CHARS:
        return plain.text()
    return reading.ledger.enter("sections", plain, _starts(plain, pinned)).text()


def _starts(draft: Draft, pinned: set[int]) -> Draft:
    kept, spent = [], 0
    for n, (line, place) in enumerate(zip(draft.lines, draft.places, strict=True)):
        if _HEADING.match(line):
            spent = 0
        if spent < _SECTION_CHARS or place in pinned or has_fact(line):
            kept.append(n)
        spent += len(line)
    return draft.only(kept)
