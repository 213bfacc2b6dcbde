"""Cuts a text into sentences, by position.

First lines are joined to paragraphs (a line that was wrapped goes on in the next one; a bullet, a chat line or a
short line does not), then paragraphs are cut at marks that end a sentence and are no part of an abbreviation, a
number or an ellipsis.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from heedful.reading.languages import FALLBACK, language, stop_words
from heedful.reading.spans import Span

_EMOJI = "\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\U0001f000-\U0001faff"
_CLOSERS = "\"'”’»›)\\]*_"
_MARK = re.compile(
    rf"(?:(?<![.!?…])[.!?…]++[{_CLOSERS}]*+|(?<![{_EMOJI}])[{_EMOJI}]++)(?:[ \t]?[{_EMOJI}]{{1,9}}+){{0,9}}+(?=\s|$)"
    r"|[。！？]+[”」』)]*"
)
_BULLET = re.compile(r"[ \t]*(?:[-*•·–—‣◦▪●○+✓✔☐☑→][ \t]+|\(?(?:\d{1,3}|[a-zA-Z])[.)][ \t]+|\[[ xX]\][ \t])")
_CHAT_LINE = re.compile(
    r"[ \t]*(?:\[?\d{1,2}:\d\d|\[\d|<[^<>\n]{1,40}>[ \t]|[^\s:]{1,24}(?: [^\s:]{1,24})?:[ \t]\S)"
)
_QUOTE = re.compile(r"[ \t]*>+")
_LAST_TOKEN = re.compile(r"[^\s(\[\"'“‘«/]+$")
_INITIAL = re.compile(r"(?:[A-ZÀ-Þ]\.)*[A-ZÀ-Þ]")
_WRAP_MIN = 45
_WRAP_MAX = 100
_RAGGED = 8
_LOWER_GOES_ON = 30
_TOKEN_CHARS = 24


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as it stands in the text, without the white space around it."""

    start: int
    end: int
    text: str


def sentences(text: str, lang: str = FALLBACK) -> tuple[Sentence, ...]:
    """The sentences in order; they do not overlap and leave only white space out."""
    rules = _rules(language(lang).code)
    return tuple(
        Sentence(piece.start, piece.end, piece.of(text))
        for paragraph in _paragraphs(text)
        for piece in _cut(text, paragraph, rules)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    abbreviations: frozenset[str]
    may_end: frozenset[str]
    months: frozenset[str]
    small_words: frozenset[str]
    ordinal_dot: bool


@lru_cache(maxsize=32)
def _rules(code: str) -> _Rules:
    tongue = language(code)
    return _Rules(
        tongue.words("sentences", "abbreviations"),
        tongue.words("sentences", "may_end"),
        tongue.words("sentences", "after_ordinal"),
        stop_words(code),
        bool(tongue.table("sentences").get("ordinal_dot", False)),
    )


def _paragraphs(text: str) -> Iterator[Span]:
    """Runs of lines that belong together, without blank lines."""
    block: list[Span] = []
    position = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            block.append(Span(position, position + len(line)))
        elif block:
            yield from _joined(text, block)
            block = []
        position += len(line)
    yield from _joined(text, block)


def _joined(text: str, block: list[Span]) -> Iterator[Span]:
    lines = [span.of(text).rstrip() for span in block]
    width = _wrap_width(lines)
    start = 0
    for number in range(1, len(block)):
        if not _goes_on(lines[number - 1], lines[number], width=width):
            yield Span(block[start].start, block[number - 1].end)
            start = number
    if block:
        yield Span(block[start].start, block[-1].end)


def _wrap_width(lines: list[str]) -> int:
    """The width at which a block was hard-wrapped; 0 when it was not."""
    width = max((len(line) for line in lines if "://" not in line), default=0)
    return width if _WRAP_MIN <= width <= _WRAP_MAX else 0


def _goes_on(line: str, following: str, *, width: int) -> bool:
    """Whether a line is only the beginning of what the next one continues."""
    if _BULLET.match(following) or _CHAT_LINE.match(following) or line.endswith((":", "|")):
        return False
    if bool(_QUOTE.match(line)) != bool(_QUOTE.match(following)):
        return False
    first_word = following.split(maxsplit=1)[0]
    if first_word[0].islower() and (len(line) >= _LOWER_GOES_ON or _BULLET.match(line)):
        return True
    return bool(width) and len(line) + 1 + len(first_word) > width - _RAGGED


def _cut(text: str, paragraph: Span, rules: _Rules) -> Iterator[Span]:
    start = paragraph.start
    bullet = _BULLET.match(text, start, paragraph.end)
    look_from = bullet.end() if bullet else start
    for mark in _MARK.finditer(text, look_from, paragraph.end):
        if _ends_sentence(text, mark, paragraph.end, rules):
            yield from _stripped(text, start, mark.end())
            start = mark.end()
    yield from _stripped(text, start, paragraph.end)


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield Span(start, end)


def _ends_sentence(text: str, mark: re.Match[str], limit: int, rules: _Rules) -> bool:
    written = mark.group()
    following = text[mark.end() : min(limit, mark.end() + _TOKEN_CHARS)].lstrip()
    if not following or written[0] in "。！？":
        return True
    lower = following[0].islower()
    if written.endswith((")", "]", '"', "”", "»")) and lower:
        return False
    if written[0] == "…" or written.startswith(".."):
        return not lower
    if written[0] == ".":
        return _full_stop(text[max(0, mark.start() - _TOKEN_CHARS) : mark.start()], following, rules)
    return written[0] in "!?" or following[0].isupper()


def _full_stop(before: str, following: str, rules: _Rules) -> bool:
    found = _LAST_TOKEN.search(before)
    token = found.group() if found else ""
    small = token.casefold()
    lower = following[0].islower()
    if small in rules.abbreviations:
        return small in rules.may_end and following[0].isupper()
    if (_INITIAL.fullmatch(token) and token != "I") or (
        len(small) == 1 and small.isalpha() and small not in rules.small_words
    ):
        return False
    if token.isdigit() and len(token) <= 2:
        word = re.match(r"\w*", following)
        named = word is not None and word.group().casefold() in rules.months
        return not (lower or named or (rules.ordinal_dot and following[0].isdigit()))
    return not (lower and len(token) <= 3 and small.isalpha() and small not in rules.small_words)
