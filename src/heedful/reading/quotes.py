"""Finds where a message repeats an older one: `>` lines, reply headers, the header blocks of Outlook, forwards."""

import re
from dataclasses import dataclass
from enum import Enum, auto

from heedful.reading.mail_cues import mail_cues

_HEADER_LINES = 4
_HEADER_CHARS = 400
_BLOCK_LINES = 8
_MARK_LINES = 60
_QUOTE_MARK = re.compile(r"[ \t\u00a0]*(?:[A-Z]{1,3})?>")
_OWN_MARK = re.compile(r"[|:}»%#](?=\s|\w)|[^\w\s>*_\"'()\[<.]{1,2}[\]|:}»]")
_RULE = re.compile(r"[ \t]*[-_=*]{5,}[ \t]*$")
_DATE_OR_ADDRESS = re.compile(r"\d|@")


class Quoting(Enum):
    """How an older message begins."""

    REPLY = auto()
    ORIGINAL = auto()
    FORWARD = auto()


@dataclass(frozen=True, slots=True)
class QuoteHeader:
    """Lines [first, last] that announce an older message."""

    quoting: Quoting
    first: int
    last: int


def is_quote_line(line: str) -> bool:
    """Whether a line is marked by `>`, with or without the initials of whom it quotes."""
    return _QUOTE_MARK.match(line) is not None


def own_mark(lines: list[str], header: QuoteHeader) -> str:
    """The mark other than `>` that the lines under a reply header share, such as `|` or `--]`; empty without one."""
    if header.quoting is not Quoting.REPLY:
        return ""
    following = [line for line in lines[header.last + 1 : header.last + 1 + _MARK_LINES] if line.strip()]
    found = _OWN_MARK.match(following[0]) if following else None
    if found is None or sum(line.startswith(found.group()) for line in following) < 2:
        return ""
    return found.group()


def quote_headers(lines: list[str]) -> list[QuoteHeader]:
    """The announcements of older messages outside `>` lines, in order."""
    found: list[QuoteHeader] = []
    number = 0
    while number < len(lines):
        header = _header_at(lines, number)
        if header is not None:
            found.append(header)
            number = header.last
        number += 1
    return found


def _header_at(lines: list[str], number: int) -> QuoteHeader | None:
    line = lines[number]
    if ":" not in line and "：" not in line and "-" not in line and "_" not in line and "*" not in line:
        return None
    if is_quote_line(line):
        return None
    cues = mail_cues()
    if cues.forwarded.search(line):
        return QuoteHeader(Quoting.FORWARD, number, number)
    if cues.original.search(line):
        return QuoteHeader(Quoting.ORIGINAL, number, number)
    return _reply_header(lines, number) or _field_block(lines, number)


def _reply_header(lines: list[str], last: int) -> QuoteHeader | None:
    """A header that ends at a line: «On … wrote:», over as many lines as it was wrapped to."""
    cues = mail_cues()
    line = lines[last]
    if not line.rstrip().endswith((":", "：")):
        return None
    before_quote = _next_is_quote(lines, last)
    for first in range(last, max(-1, last - _HEADER_LINES), -1):
        if not lines[first].strip() or is_quote_line(lines[first]):
            break
        whole = " ".join(part.strip() for part in lines[first : last + 1])
        if len(whole) > _HEADER_CHARS:
            break
        if cues.reply_start.match(whole) and _DATE_OR_ADDRESS.search(whole) and cues.reply_end.search(whole):
            return QuoteHeader(Quoting.REPLY, first, last)
    if before_quote and len(line) <= _HEADER_CHARS and (cues.reply_end.search(line) or "@" in line):
        return QuoteHeader(Quoting.REPLY, last, last)
    if cues.reply_end.search(line) and "@" in line and re.search(r"\d", line):
        return QuoteHeader(Quoting.REPLY, last, last)
    return None


def _next_is_quote(lines: list[str], number: int) -> bool:
    following = next((line for line in lines[number + 1 : number + 4] if line.strip()), "")
    return is_quote_line(following)


def _field_block(lines: list[str], number: int) -> QuoteHeader | None:
    """«From: … Sent: … To: … Subject: …» as Outlook and phones write it, with the rule above it."""
    cues = mail_cues()
    if not cues.block_start.match(lines[number]):
        return None
    last, fields = number, 1
    for following in range(number + 1, min(len(lines), number + _BLOCK_LINES)):
        line = lines[following]
        if cues.block_field.match(line):
            last, fields = following, fields + 1
        elif line.strip() and not line.startswith((" ", "\t")):
            break
    if fields < 3:
        return None
    above = number - 1
    while above > 0 and not lines[above].strip():
        above -= 1
    first = above if above >= 0 and _RULE.match(lines[above]) else number
    return QuoteHeader(Quoting.ORIGINAL, first, last)
