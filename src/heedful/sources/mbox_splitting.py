"""An mbox cut into its messages while it streams by: never more than one message and one block in memory.

Where a message begins is a guess in every mbox: a line «From …» after a blank line that looks like a separator and
is followed by a header. A Content-Length that lands exactly on the next separator is believed, since a writer that
counts does not quote.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from heedful.sources.mail_message import MAX_MAIL_BYTES

BLOCK = 1 << 17
_MAX_LINE = 4000

_SEPARATOR = re.compile(rb"From [^\r\n]*")
_WITH_TIME = re.compile(
    rb"From .{0,400}\b\d{1,2}:\d{2}\b.{0,60}\b(?:19|20)\d{2}\b|From .{0,400}\b(?:19|20)\d{2}\b.{0,60}\b\d{1,2}:\d{2}\b"
)
_SENDER_ONLY = re.compile(rb"From (?:-|\S+@\S+|MAILER-DAEMON|MAILER_DAEMON)[ \t]*\Z")
_HEADER_START = re.compile(rb"(?:>?From |[!-9;-~]{1,80}[ \t]*:)")
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_CONTENT_LENGTH = re.compile(rb"(?mi)^content-length:[ \t]*(\d{1,12})[ \t]*\r?$")
_CANDIDATE = b"\nFrom "


@dataclass(frozen=True, slots=True)
class MboxMessage:
    """One message: bytes [start, end) of the file with its separator. `raw` is its beginning, at most 16 MiB.

    `is_last` is true when nothing follows it: its writer may not have finished.
    """

    start: int
    end: int
    separator: bytes
    raw: bytes
    is_last: bool

    @property
    def is_cut(self) -> bool:
        return self.end - self.start > len(self.separator) + len(self.raw)


def is_separator(line: bytes, following: bytes) -> bool:
    """True when a «From …» line separates messages: it carries a time or an address, and a header follows."""
    if not _SEPARATOR.fullmatch(line):
        return False
    if _HEADER_START.match(following) is None:
        return False
    return _WITH_TIME.match(line) is not None or _SENDER_ONLY.match(line) is not None


def starts_with_separator(head: bytes) -> bool:
    """True when a file's first bytes are those of an mbox."""
    line, _, rest = head.lstrip(b"\r\n").partition(b"\n")
    return is_separator(line.rstrip(b"\r"), rest)


def split_mbox(file: BinaryIO, start: int) -> Iterator[MboxMessage]:
    """The messages from byte `start` on, which is the beginning of a separator or of the file."""
    window = _Window(file, start)
    while True:
        begin = window.offset
        if not window.fill(_MAX_LINE):
            return
        end = _end_of_message(window)
        yield window.take(begin, end)


def unquoted(raw: bytes) -> bytes:
    """A message with the quoting of its «From » lines undone (mboxrd; mboxo is its simplest case)."""
    return _QUOTED_FROM.sub(rb"\1", raw) if b">From " in raw else raw


class _Window:
    """The part of a file between the beginning of a message and what was read so far.

    Once a message is longer than what is kept of it, the middle is let go: `base` counts the bytes let go.
    """

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self.offset = offset
        self.data = b""
        self.head = b""
        self.base = 0
        self._file = file
        self._file.seek(offset)
        self._at_end = False

    @property
    def end(self) -> int:
        """The file position up to which data is at hand."""
        return self.offset + self.base + len(self.data)

    def fill(self, size: int) -> bool:
        """Has `size` bytes at hand if the file holds them; False when there are none at all."""
        while len(self.data) < size and self.grow():
            pass
        return bool(self.data)

    def grow(self) -> bool:
        """Reads another block; False at the end of the file."""
        block = b"" if self._at_end else self._file.read(BLOCK)
        self._at_end = not block
        self.data += block
        return bool(block)

    def let_go(self, size: int) -> None:
        """Forgets the first `size` bytes at hand, keeping the message's beginning up to the bound."""
        room = MAX_MAIL_BYTES - len(self.head)
        self.head += self.data[: min(size, room)] if room > 0 else b""
        self.data = self.data[size:]
        self.base += size

    def take(self, start: int, end: int) -> MboxMessage:
        """The message that ends at file position `end`; the window then begins there."""
        inside = end - start - self.base
        raw = (self.head + self.data[: max(0, inside)])[:MAX_MAIL_BYTES]
        self.data = self.data[inside:]
        self.offset, self.head, self.base = end, b"", 0
        is_last = not self.data and not self.grow()
        if not raw.startswith(b"From "):
            return MboxMessage(start, end, b"", raw, is_last)
        line, newline, rest = raw.partition(b"\n")
        return MboxMessage(start, end, line + newline, rest, is_last)


def _end_of_message(window: _Window) -> int:
    """The file position at which the message at the window's beginning ends."""
    counted = _counted_end(window)
    if counted is not None:
        return counted
    position = 1
    while True:
        found = window.data.find(_CANDIDATE, position)
        if found < 0:
            keep = max(0, len(window.data) - 8)
            if not window.grow():
                return window.end
            position = max(1, keep)
            if position > 4 * BLOCK:
                window.let_go(position - 2)
                position = 1
            continue
        while len(window.data) < found + _MAX_LINE and window.grow():
            pass
        line, _, following = window.data[found + 1 : found + _MAX_LINE].partition(b"\n")
        line = line.rstrip(b"\r")
        after_blank = window.data[max(0, found - 2) : found].replace(b"\r", b"").endswith(b"\n")
        if is_separator(line, following) and (after_blank or _WITH_TIME.match(line)):
            return window.offset + window.base + found + 1
        position = found + 1


def _counted_end(window: _Window) -> int | None:
    """Where Content-Length says the message ends, if a separator or the end of the file stands there."""
    window.fill(64 * 1024)
    head = re.search(rb"\r?\n\r?\n", window.data[: 64 * 1024])
    found = _CONTENT_LENGTH.search(window.data, 0, head.start() + 1) if head else None
    if head is None or found is None or int(found[1]) > MAX_MAIL_BYTES:
        return None
    end = head.end() + int(found[1])
    window.fill(end + _MAX_LINE)
    if len(window.data) < end:
        return None
    rest = window.data[end : end + _MAX_LINE]
    blank = len(rest) - len(rest.lstrip(b"\r\n"))
    if len(rest) > blank:
        line, _, following = rest[blank:].partition(b"\n")
        if blank == 0 or not is_separator(line.rstrip(b"\r"), following):
            return None
    return window.offset + end + blank
