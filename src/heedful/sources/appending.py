"""How far a growing file was read, and whether it is still the same file: appended to, not rewritten."""

import hashlib
import re
from dataclasses import dataclass
from typing import BinaryIO

_PROBE = 4096

_CHANGES_IN_PLACE = re.compile(
    rb"(?mi)^(?:x-mozilla-status2?|x-mozilla-keys|status|x-status|x-keywords|x-uid|x-imapbase|x-imap|x-uidl):[^\n]*"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file: what is before `end` was read, the last record of it began at `last`.

    `head` and `tail` are fingerprints of the file's beginning and of what stands right before `end`.
    """

    last: int = 0
    end: int = 0
    head: str = ""
    tail: str = ""

    def to_row(self) -> tuple[int, int, str, str]:
        """The mark as JSON can hold it."""
        return self.last, self.end, self.head, self.tail


def mark_at(file: BinaryIO, last: int, end: int) -> Mark:
    """A mark for a file that was read up to `end`; the file's position stays."""
    place = file.tell()
    head, tail = _fingerprint(file, 0, min(end, _PROBE)), _fingerprint(file, max(0, end - _PROBE), end)
    file.seek(place)
    return Mark(last, end, head, tail)


def mark_of(row: object) -> Mark:
    """The mark that `to_row` wrote; the beginning of the file for anything else."""
    match row:
        case [int(last), int(end), str(head), str(tail)] if 0 <= last <= end:
            return Mark(last, end, head, tail)
    return Mark()


def still_holds(file: BinaryIO, mark: Mark) -> bool:
    """True when the file only grew since the mark was set."""
    return mark_at(file, mark.last, mark.end) == mark


def _fingerprint(file: BinaryIO, start: int, end: int) -> str:
    """Of the bytes there; the flags that mail programs overwrite in place don't count."""
    file.seek(start)
    data = file.read(end - start)
    if len(data) < end - start:
        return "short"
    return hashlib.blake2b(_CHANGES_IN_PLACE.sub(b"", data), digest_size=8).hexdigest()
