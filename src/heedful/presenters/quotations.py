"""Evidence as a quotation: the sentence itself, with the words that decided marked in it."""

import re
from dataclasses import dataclass

from heedful.actionables import Draft, Evidence
from heedful.reading.amounts import find_amounts

QUOTE_LENGTH = 320


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quote in one line; `marks` are character spans [start, end) of `text`, in order, apart from each other."""

    text: str
    marks: tuple[tuple[int, int], ...]


def quotation(evidence: Evidence, draft: Draft) -> Quotation:
    """The quote with when it is due and what it costs marked; cut around the marks where it is very long."""
    text = " ".join(evidence.quote.split())
    marks = _apart(_decisive(text, draft))
    return _cut(text, marks)


def _decisive(text: str, draft: Draft) -> list[tuple[int, int]]:
    found = [(amount.start, amount.end) for amount in find_amounts(text)]
    if draft.due_text:
        words = r"\s+".join(re.escape(word) for word in draft.due_text.split())
        found += [match.span() for match in re.finditer(words, text, re.IGNORECASE)] if words else []
    return found


def _apart(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _cut(text: str, marks: tuple[tuple[int, int], ...]) -> Quotation:
    if len(text) <= QUOTE_LENGTH:
        return Quotation(text, marks)
    first = marks[0][0] if marks else 0
    begin = 0 if first < QUOTE_LENGTH - 80 else max(0, first - QUOTE_LENGTH // 2)
    end = min(len(text), begin + QUOTE_LENGTH)
    before, after = "…" if begin else "", "…" if end < len(text) else ""
    shift = len(before) - begin
    inside = tuple((start + shift, stop + shift) for start, stop in marks if start >= begin and stop <= end)
    return Quotation(before + text[begin:end] + after, inside)
