"""Finds the lines of a text that are no words: files and signatures written out in letters, as mail once carried them.

Told by shape alone: uuencode by its first line and the length that each line states, yEnc and armour by their first and
last lines, base64 by lines of one length without a space.
"""

import re
from collections.abc import Callable, Sequence

_LEAST_OF_LINES = 40
_MAY_BEGIN = re.compile(rf"begin|=ybegin |-----BEGIN |\S{{{_LEAST_OF_LINES}}}")
_UU_FIRST = re.compile(r"begin(?:-base64)? [0-7]{3,4} \S")
_UU_LINE = re.compile(r"[!-`][ -`]{0,84}")
_UU_LAST = re.compile(r"(?:end|====)[ \t]*")
_YENC_FIRST, _YENC_LAST = "=ybegin ", "=yend "
_ARMOUR = re.compile(r"-----(BEGIN|END) ((?:[A-Z0-9]+ ){0,4}[A-Z0-9]+)-----[ \t]*")
_ARMOURED = re.compile(r"\b(?:PGP|KEY|CERTIFICATE|REQUEST|PKCS ?7|CMS|CRL|SMIME)\b")
_ARMOUR_HEADER = re.compile(r"[A-Z][A-Za-z-]{2,20}: ")
_BASE64 = re.compile(r"(?:data:[\w/+.-]{1,80};base64,)?[A-Za-z0-9+/_-]+={0,2}[ \t]*")
_MIXED = (re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]"))
_LEAST_OF_ONE = 200
_LINES_TO_TELL = 8

_Ends = dict[str, int]


def encoded_lines(lines: Sequence[str]) -> set[int]:
    """The numbers of the lines that belong to an encoded block; lines come without their ends."""
    found: set[int] = set()
    begun = [number for number, line in enumerate(lines) if _MAY_BEGIN.match(line)]
    ends = _last_lines(lines) if begun else {}
    end = 0
    for first in begun:
        if first >= end:
            end = max(find(lines, first, ends) for find in _FINDERS)
            found.update(range(first, end))
    return found


def _last_lines(lines: Sequence[str]) -> _Ends:
    """Where each kind of block ends for the last time, so that none is looked for in vain."""
    ends: _Ends = {}
    for number, line in enumerate(lines):
        armour = _ARMOUR.fullmatch(line) if line.startswith("-----END ") else None
        if armour:
            ends[armour[2]] = number
        elif line.startswith(_YENC_LAST):
            ends[_YENC_LAST] = number
    return ends


def _uuencoded(lines: Sequence[str], first: int, _ends: _Ends) -> int:
    """The end of a block that begins here; its start where none does."""
    if not _UU_FIRST.match(lines[first]) or first + 1 == len(lines):
        return first
    is_base64 = lines[first].startswith("begin-base64")
    if not is_base64 and not _states_its_length(lines[first + 1]):
        return first
    shape, number = (_BASE64 if is_base64 else _UU_LINE), first + 1
    while number < len(lines) and shape.fullmatch(lines[number]):
        number += 1
    last = number + (number < len(lines) and not lines[number].strip())
    return last + 1 if last < len(lines) and _UU_LAST.fullmatch(lines[last]) else number


def _states_its_length(line: str) -> bool:
    """Whether a line's first letter says how many bytes follow, three of them in four letters."""
    if not _UU_LINE.fullmatch(line):
        return False
    letters = (((ord(line[0]) - 32) & 63) + 2) // 3 * 4
    return letters > 0 and letters - 4 < len(line) - 1 <= letters + 1


def _yencoded(lines: Sequence[str], first: int, ends: _Ends) -> int:
    if not lines[first].startswith(_YENC_FIRST) or ends.get(_YENC_LAST, -1) < first:
        return first
    return next(number for number in range(first, len(lines)) if lines[number].startswith(_YENC_LAST)) + 1


def _armoured(lines: Sequence[str], first: int, ends: _Ends) -> int:
    """Armour with its last line; without one, as above a signed text, its first line and the headers below it."""
    begins = _ARMOUR.fullmatch(lines[first]) if lines[first].startswith("-----BEGIN ") else None
    if begins is None or not _ARMOURED.search(begins[2]):
        return first
    if ends.get(begins[2], -1) > first:
        last = f"-----END {begins[2]}-----"
        return next(number for number in range(first, len(lines)) if lines[number].rstrip() == last) + 1
    end = first + 1
    while end < len(lines) and _ARMOUR_HEADER.match(lines[end]):
        end += 1
    return end


def _base64(lines: Sequence[str], first: int, _ends: _Ends) -> int:
    """Lines of one length and a shorter last one; a single line only where no word is as long."""
    length = len(lines[first].rstrip())
    if length < _LEAST_OF_LINES or not _BASE64.fullmatch(lines[first]) or not _is_mixed(lines, first):
        return first
    end = first + 1
    while end < len(lines) and len(lines[end].rstrip()) == length and _BASE64.fullmatch(lines[end]):
        end += 1
    whole = end - first
    rest = lines[end].rstrip() if end < len(lines) else ""
    is_rest = 0 < len(rest) < length and len(rest) % 4 == 0 and _BASE64.fullmatch(rest) is not None
    end += is_rest and (whole > 1 or length >= _LEAST_OF_ONE or rest.endswith("="))
    return end if end - first > 1 or length >= _LEAST_OF_ONE else first


def _is_mixed(lines: Sequence[str], first: int) -> bool:
    """Whether small letters, capitals and digits stand from here on, as in no word and no rule of dashes."""
    text = "\n".join(lines[first : first + _LINES_TO_TELL])
    return all(kind.search(text) for kind in _MIXED)


_FINDERS: tuple[Callable[[Sequence[str], int, _Ends], int], ...] = (_uuencoded, _yencoded, _armoured, _base64)
