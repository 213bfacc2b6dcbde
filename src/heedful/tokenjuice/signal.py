"""Which lines matter whatever else is cut: words of severity, and what the caller pinned."""

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum


class Severity(IntEnum):
    """How loudly a line speaks."""

    QUIET = 0
    WARNING = 1
    ERROR = 2


_ERROR = re.compile(
    r"error|fail|fatal|panic|exception|traceback|critic|crit\b|emerg|alert\b|severe|crash|abort|denied|refused|timed?[ -]?out"
    r"|timeout|unreachable|no space|disk full|killed|oom|out of memory|segfault|corrupt|cannot|can't|can not|could not|couldn't"
    r"|unable|not found|no such|invalid|illegal|undefined|unresolved|unauthori[sz]ed|forbidden|rejected|eacces|enoent|enospc|eperm"
    r"|backoff|evicted|imagepull|notready|not ready|unhealthy|degraded|violation|breach|overflow|deadlock|leak|lost\b|missing"
    r"|vulnerab|conflict|mismatch|expired|unexpected|halt|dropped|stale|inconsisten|exceed|not responding|unavailable|❌|✗|✘|✖|⨯"
    r"|\bdead\b|\bdown\b|\bbroken\b|\bERR!|\bunmet\b|\bfalha|\berro\b|\bfehler|\berreur",
    re.IGNORECASE,
)
_WARNING = re.compile(r"warn|deprecat|retry|retri|notice\b|slow|skipp|ignor|aviso|⚠", re.IGNORECASE)
_HARMLESS = re.compile(
    r"\b(?:0|no|zero|without) (?:\w+ )?(?:errors?|failures?|failed|warnings?|vulnerabilit\w+|conflicts?|problems?|issues?|leaks?)\b"
    r"|\b(?:errors?|fail(?:ures?|ed)?|warnings?)\s*[:=]\s*0\b",
    re.IGNORECASE,
)


def severity_of(line: str) -> Severity:
    """The severity the line's words claim, after phrases such as «0 errors» were set aside."""
    if _ERROR.search(line) is not None:
        if _HARMLESS.search(line) is None or _ERROR.search(_HARMLESS.sub("", line)) is not None:
            return Severity.ERROR
        return Severity.QUIET
    return Severity.WARNING if _WARNING.search(line) is not None else Severity.QUIET


def worst(lines: Iterable[str]) -> Severity:
    """The loudest severity among the lines."""
    return max(map(severity_of, lines), default=Severity.QUIET)


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
