"""Tells what in a message is new from what was quoted, signed, forwarded, encoded or boilerplate."""

from dataclasses import dataclass
from enum import StrEnum

from heedful.reading.encoded import encoded_lines
from heedful.reading.quotes import QuoteHeader, Quoting, is_quote_line, own_mark, quote_headers
from heedful.reading.signatures import footer_start, signature_start

_OWN_MARKS = 20


class ZoneKind(StrEnum):
    """What a part of a message is; only `NEW` counts as evidence."""

    NEW = "new"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    FORWARDED = "forwarded"
    ENCODED = "encoded"


@dataclass(frozen=True, slots=True)
class Zone:
    """A run of whole lines of one kind, character offsets [start, end)."""

    kind: ZoneKind
    start: int
    end: int


def zones(text: str, *, is_reply: bool = False) -> tuple[Zone, ...]:
    """The zones in order; together they cover the text.

    `is_reply` says that the message answers another one: an old message below it without any word of its own is
    then a quote, not a forward.
    """
    whole = text.split("\n")
    lines = [line.rstrip("\r") for line in whole]
    kinds = _old_messages(lines, is_reply=is_reply)
    wrote = False
    for first, end in _runs_of_new(kinds):
        _mark_endings(lines, kinds, first=first, end=end, wrote=wrote)
        wrote = wrote or _has_new(lines, kinds, first=first, end=end)
    return _joined(whole, _with_blank_lines(lines, kinds))


def _old_messages(lines: list[str], *, is_reply: bool) -> list[ZoneKind]:
    kinds = [ZoneKind.QUOTED if is_quote_line(line) else ZoneKind.NEW for line in lines]
    for number in encoded_lines(lines):
        kinds[number] = ZoneKind.ENCODED
    wrote, end = False, 0
    marks: set[str] = set()
    for header in quote_headers(lines):
        if header.first < end:
            continue
        wrote = wrote or _has_new(lines, kinds, first=end, end=header.first)
        mark = own_mark(lines, header)
        if mark and mark not in marks and len(marks) < _OWN_MARKS:
            marks.add(mark)
            kinds = [
                ZoneKind.QUOTED if line.startswith(mark) else kind
                for line, kind in zip(lines, kinds, strict=True)
            ]
        end = header.last + 1 if mark else _end_of_old(lines, header)
        kinds[header.first : end] = [_kind_of(header, wrote=wrote, is_reply=is_reply)] * (end - header.first)
    return kinds


def _has_new(lines: list[str], kinds: list[ZoneKind], *, first: int, end: int) -> bool:
    return any(lines[number].strip() and kinds[number] is ZoneKind.NEW for number in range(first, end))


def _kind_of(header: QuoteHeader, *, wrote: bool, is_reply: bool) -> ZoneKind:
    if header.quoting is Quoting.FORWARD:
        return ZoneKind.FORWARDED
    if header.quoting is Quoting.ORIGINAL and not wrote and not is_reply:
        return ZoneKind.FORWARDED
    return ZoneKind.QUOTED


def _end_of_old(lines: list[str], header: QuoteHeader) -> int:
    """Up to which line an announced message reaches: its `>` lines when it has them, else all that follows."""
    number = header.last + 1
    while number < len(lines) and not lines[number].strip():
        number += 1
    if number == len(lines) or not is_quote_line(lines[number]):
        return len(lines)
    while number < len(lines) and is_quote_line(lines[number]):
        number += 1
    return number


def _runs_of_new(kinds: list[ZoneKind]) -> list[tuple[int, int]]:
    runs, first = [], None
    for number, kind in enumerate([*kinds, ZoneKind.QUOTED]):
        if kind is ZoneKind.NEW:
            first = number if first is None else first
        elif first is not None:
            runs.append((first, number))
            first = None
    return runs


def _mark_endings(lines: list[str], kinds: list[ZoneKind], *, first: int, end: int, wrote: bool) -> None:
    """Marks the disclaimer and the signature at the end of one run of new lines; `wrote`: others stand above."""
    footer = footer_start(lines[first:end])
    if footer is not None:
        kinds[first + footer : end] = [ZoneKind.DISCLAIMER] * (end - first - footer)
        end = first + footer
    signature = signature_start(lines[first:end], is_below=first > 0, wrote=wrote)
    if signature is not None:
        kinds[first + signature[0] : first + signature[1]] = [ZoneKind.SIGNATURE] * (
            signature[1] - signature[0]
        )


def _with_blank_lines(lines: list[str], kinds: list[ZoneKind]) -> list[ZoneKind]:
    """The same, each blank line with what stands above it."""
    settled: list[ZoneKind] = []
    for line, kind in zip(lines, kinds, strict=True):
        settled.append(settled[-1] if settled and not line.strip() else kind)
    return settled


def _joined(lines: list[str], kinds: list[ZoneKind]) -> tuple[Zone, ...]:
    found: list[Zone] = []
    position = 0
    last = len(lines) - 1
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        end = position + len(line) + (number < last)
        if found and found[-1].kind is kind:
            found[-1] = Zone(kind, found[-1].start, end)
        elif end > position:
            found.append(Zone(kind, position, end))
        position = end
    return tuple(found)
