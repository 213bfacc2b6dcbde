"""What a text is by its looks alone: markup, a mail, a chat, data, a log, or plain writing."""

import re
from collections.abc import Sequence

from heedful.tokenjuice.rule import Kind

_SAMPLE_CHARS = 12_000
_SAMPLE_LINES = 80
_REGULAR_LINES = 40
_START_CHARS = 24
_DIGITS = re.compile(r"\d+")
_HTML = re.compile(
    r"<(?:!doctype html|html|head|body|table|div|p|br|span|td|style|meta)\b[^>]{0,300}>", re.IGNORECASE
)
_HEADER = re.compile(
    r"(?:From|To|Subject|Date|Received|Return-Path|Message-ID|MIME-Version|Content-Type|Delivered-To|Cc): ?",
    re.IGNORECASE,
)
_STAMP = re.compile(
    r"^\W{0,2}(?:\w+\.log\S* )?(?:\d{4}[-/.]?\d\d[-/.]?\d\d|\d\d[-/.]\d\d[-/. T]"
    r"|[A-Z][a-z]{2} [ \d]\d \d\d:|\d{6} \d{6} |\[?\d\d:\d\d:\d\d"
    r"|\S+ \S+ \S+ \[\d\d/|\d{10}\b|\[\d+\.\d+\]|time=|\{?\"?(?:ts|time|timestamp)\"?[:=])"
)
_LEVEL = re.compile(r"\b(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)\b")
CHAT_LINE = re.compile(
    r"^\u200e?(?:\[(?P<a>[^\]\n]{6,32})\] "
    r"|(?P<b>\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? (?:um )?\d{1,2}[:.]\d\d(?:[:.]\d\d)?"
    r"(?:[\s\u202f]?[AaPp]\.?[Mm]\.?)?)(?: -"
    r"|:)? )"
    r"(?P<who>[^:\n<>]{1,40}): (?P<said>.*)$"
)
_SPEAKER = re.compile(r"^(?P<who>[^\W\d_][\w .'’-]{0,30}): (?P<said>\S.*)$")
_QUOTED = re.compile(r"^\s*>")
_ATTRIBUTION = re.compile(
    r"^(?:On .{6,200} wrote:|-{2,} ?Original Message ?-{2,}|Le .{6,200} a écrit ?:|Am .{6,200} schrieb)",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"^(?:#{1,6} \S|[-*] \S|```|\d+\. \S|\|.*\|$|> )")


def looks_like(text: str) -> tuple[Kind, ...]:
    """The kinds the text could be, likeliest first; never empty."""
    start = text[:_SAMPLE_CHARS].lstrip("\ufeff \t\r\n")
    lines = [line for line in start.split("\n")[:_SAMPLE_LINES] if line.strip()]
    kinds = [kind for kind, holds in _TESTS if holds(start, lines)]
    if Kind.JSON in kinds and not text[-100:].rstrip().endswith(("}", "]")):
        kinds.remove(Kind.JSON)
    return tuple(kinds) or (Kind.PROSE,)


def _is_json(start: str, lines: Sequence[str]) -> bool:
    if start[:1] not in {"{", "["}:
        return False
    return bool(
        re.match(r'\{\s*(?:"|\})|\[\s*(?:[\[{"\]\d-]|true|false|null)', start)
    ) and not _is_json_lines(start, lines)


def _is_json_lines(_start: str, lines: Sequence[str]) -> bool:
    return len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines[:20])


def _is_invitation(start: str, _lines: Sequence[str]) -> bool:
    return start.startswith("BEGIN:VCALENDAR") or "\nBEGIN:VCALENDAR" in start[:2000]


def _is_mail(start: str, lines: Sequence[str]) -> bool:
    if start.startswith("From ") and len(lines) > 2 and _HEADER.match(lines[1]):
        return True
    headers = sum(1 for line in lines[:12] if _HEADER.match(line))
    return headers >= 3 and bool(re.match(r"[\w-]+:", start))


def _is_html(start: str, _lines: Sequence[str]) -> bool:
    tags = len(_HTML.findall(start))
    return (start[:1] == "<" and tags >= 1) or tags >= 5


def _is_quoted(_start: str, lines: Sequence[str]) -> bool:
    quoted = sum(1 for line in lines if _QUOTED.match(line))
    return quoted * 5 >= len(lines) or any(_ATTRIBUTION.match(line) for line in lines)


def _is_chat(_start: str, lines: Sequence[str]) -> bool:
    marked = sum(1 for line in lines if CHAT_LINE.match(line))
    if marked * 2 >= len(lines) >= 2:
        return True
    speakers = [found["who"] for line in lines if (found := _SPEAKER.match(line))]
    return (
        len(lines) >= 6 and len(speakers) * 10 >= len(lines) * 7 and len(set(speakers)) * 3 <= len(speakers)
    )


def _is_diff(_start: str, lines: Sequence[str]) -> bool:
    return any(line.startswith(("diff --git ", "Index: ")) for line in lines[:40]) or (
        any(line.startswith("--- ") for line in lines[:20])
        and any(line.startswith("@@ ") for line in lines[:20])
    )


def _is_log(_start: str, lines: Sequence[str]) -> bool:
    stamped = sum(1 for line in lines if _STAMP.match(line) or _LEVEL.search(line[:120]))
    return len(lines) >= 5 and stamped * 2 >= len(lines)


def _is_printed(_start: str, lines: Sequence[str]) -> bool:
    """Whether a program printed it: most lines begin as another one does, digits aside."""
    if len(lines) < _REGULAR_LINES:
        return False
    starts = {_DIGITS.sub("0", line)[:_START_CHARS] for line in lines}
    return len(starts) * 2 <= len(lines)


def _is_csv(_start: str, lines: Sequence[str]) -> bool:
    if len(lines) < 3:
        return False
    for mark in (",", ";", "\t"):
        counts = [line.count(mark) for line in lines[:30]]
        if counts[0] >= 1 and sum(count == counts[0] for count in counts) * 10 >= len(counts) * 8:
            return True
    return False


def _is_markdown(_start: str, lines: Sequence[str]) -> bool:
    marked = sum(1 for line in lines if _MARKDOWN.match(line))
    return any(line.startswith("#") for line in lines) and marked * 6 >= len(lines)


def _is_table(_start: str, lines: Sequence[str]) -> bool:
    if len(lines) < 6 or not lines[0][:1].isalpha():
        return False
    columns = [len(line.split()) for line in lines[:40]]
    return columns[0] >= 2 and sum(abs(count - columns[0]) <= 1 for count in columns) * 10 >= len(columns) * 8


_TESTS = (
    (Kind.INVITATION, _is_invitation),
    (Kind.JSON_LINES, _is_json_lines),
    (Kind.JSON, _is_json),
    (Kind.MAIL, _is_mail),
    (Kind.HTML, _is_html),
    (Kind.DIFF, _is_diff),
    (Kind.CHAT, _is_chat),
    (Kind.LOG, _is_log),
    (Kind.QUOTED, _is_quoted),
    (Kind.MARKDOWN, _is_markdown),
    (Kind.CSV, _is_csv),
    (Kind.TABLE, _is_table),
    (Kind.PRINTED, _is_printed),
)
