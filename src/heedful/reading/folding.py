"""Finds a quote in a text although white space and typographic marks differ."""

from bisect import bisect_right
from itertools import accumulate

from heedful.reading.spans import Span

_TYPOGRAPHIC = str.maketrans("‘’‚‛“”„‟«»‐‑‒–—−", '\'\'\'\'""""""------')


def fold_space(text: str) -> str:
    """The text with each run of white space as one space and none at its ends."""
    return " ".join(text.split())


def locate(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text, white space folded and quote marks or dashes of any shape alike.

    Returns the first place as offsets into `text` as given; None when it is not there, or is empty.
    """
    exact = text.find(quote) if quote.strip() else -1
    if exact >= 0:
        lead = len(quote) - len(quote.lstrip())
        return Span(exact + lead, exact + lead + len(quote.strip()))
    return _locate_folded(fold_space(quote.translate(_TYPOGRAPHIC)), text.translate(_TYPOGRAPHIC))


def _locate_folded(quote: str, text: str) -> Span | None:
    if not quote:
        return None
    words = text.split()
    found = " ".join(words).find(quote)
    if found < 0:
        return None
    folded_starts = [0, *accumulate(len(word) + 1 for word in words)]
    starts = _word_starts(words, text)

    def original(position: int) -> int:
        word = bisect_right(folded_starts, position) - 1
        return starts[word] + position - folded_starts[word]

    return Span(original(found), original(found + len(quote) - 1) + 1)


def _word_starts(words: list[str], text: str) -> list[int]:
    starts, position = [], 0
    for word in words:
        position = text.index(word, position)
        starts.append(position)
        position += len(word)
    return starts
