"""Which lines matter whatever else is cut: words of severity, and what the caller pinned."""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache


class Severity(IntEnum):
    """How loudly a line speaks."""

    QUIET = 0
    WARNING = 1
    ERROR = 2


_WORDS = re.compile(r"[a-z']+")
_ERROR_PARTS = re.compile(
    r"error|fail|fatal|panic|exception|traceback|critic|emerg|severe|crash|abort|denied|refused|timeout|unreachable"
    r"|killed|segfault|corrupt|cannot|can't|couldn't|unable|invalid|illegal|undefined|unresolved|unauthori[sz]ed"
    r"|forbidden|rejected|eacces|enoent|enospc|eperm|backoff|evicted|imagepull|notready|unhealthy|degraded|violation"
    r"|breach|overflow|deadlock|missing|vulnerab|conflict|mismatch|expired|unexpected|dropped|inconsisten|exceed"
    r"|unavailable|fehler|erreur|falha|notfound"
)
_ERROR_WORDS = frozenset(
    (
        "err", "erro", "crit", "alert", "oom", "dead", "down", "broken", "unmet", "lost", "leak", "leaked", "leaking",
        "halt", "halted", "stale", "nosuchkey",
    )
)  # fmt: skip
_PHRASE_STARTS = frozenset({"no", "not", "out", "timed", "time", "could", "can", "disk"})
_PHRASES = re.compile(
    r"\bno (?:such|space)|\bnot (?:found|ready|responding|permitted|allowed)|\bout of (?:memory|space)|\btimed? out"
    r"|\bc(?:ould|an) not\b|\bdisk full",
    re.IGNORECASE,
)
_WARNING_PARTS = re.compile(r"warn|deprecat|retry|retri|^notice|slow|skipp|ignor|^aviso")
_MARKS = ("❌", "✗", "✘", "✖", "⨯", "⚠")
_HARMLESS = re.compile(
    r"\b(?:0|no|zero|without) (?:\w+ )?(?:errors?|failures?|failed|warnings?|vulnerabilit\w+|conflicts?"
    r"|problems?|issues?|leaks?)\b"
    r"|\b(?:errors?|fail(?:ures?|ed)?|warnings?)\s*[:=]\s*0\b",
    re.IGNORECASE,
)


def severity_of(line: str) -> Severity:
    """The severity the line's words claim, after phrases such as «0 errors» were set aside."""
    level = _claimed(line)
    if level is Severity.ERROR and _HARMLESS.search(line) is not None:
        return Severity.ERROR if _claimed(_HARMLESS.sub("", line)) is Severity.ERROR else Severity.QUIET
    return level


def _claimed(line: str) -> Severity:
    words = _WORDS.findall(line.lower())
    level = max(map(_word_severity, words), default=Severity.QUIET)
    if level is Severity.ERROR:
        return level
    if not _PHRASE_STARTS.isdisjoint(words) and _PHRASES.search(line) is not None:
        return Severity.ERROR
    if not line.isascii() and any(mark in line for mark in _MARKS):
        return Severity.WARNING if "⚠" in line else Severity.ERROR
    return level


@lru_cache(maxsize=50_000)
def _word_severity(word: str) -> Severity:
    """A log repeats its words: each is looked at once."""
    if word in _ERROR_WORDS or _ERROR_PARTS.search(word) is not None:
        return Severity.ERROR
    return Severity.WARNING if _WARNING_PARTS.search(word) is not None else Severity.QUIET


def pinned_lines(lines: Sequence[str], quotes: Sequence[str]) -> set[int]:
    """Positions of the lines that hold a pinned quote, or share a part of one that runs over several lines."""
    wanted = [quote.strip() for quote in quotes if quote.strip()]
    if not wanted:
        return set()
    text = "\n".join(lines)
    starts = _starts(lines)
    found: set[int] = set()
    for quote in wanted:
        for begin, end in _occurrences(text, quote):
            found.update(range(_line_at(starts, begin), _line_at(starts, end - 1) + 1))
    return found


def _occurrences(text: str, quote: str) -> list[tuple[int, int]]:
    at = text.find(quote)
    if at >= 0:
        spans = []
        while at >= 0:
            spans.append((at, at + len(quote)))
            at = text.find(quote, at + len(quote))
        return spans
    loose = re.compile(r"[\s>|]+".join(re.escape(word) for word in quote.split()))
    return [match.span() for match in loose.finditer(text)]


def _starts(lines: Sequence[str]) -> list[int]:
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    return starts


def _line_at(starts: Sequence[int], at: int) -> int:
    low, high = 0, len(starts) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if starts[middle] <= at:
            low = middle
        else:
            high = middle - 1
    return low
