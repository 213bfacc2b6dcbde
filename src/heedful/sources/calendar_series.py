"""A calendar file taken apart into its series: all that belongs to one UID, small enough to parse on its own.

The text is split before any library sees it, so that one broken event spoils no other, and so that each series
can be kept and unfolded again later without the rest of its file.
"""

import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from heedful.sources.charsets import decode

MAX_SERIES_CHARS = 2_000_000
DEEPEST = 32
"""What opens below so many others is told apart no further: no calendar has more than four."""

_CALENDAR = "VCALENDAR"
_WANTED = frozenset({"VEVENT", "VTODO"})
_FOLD = re.compile(r"\r?\n[ \t]|\r[ \t](?=\S)")
_SOFT_BREAK = re.compile(r"=\r?\n[ \t]?")
_QUOTED_PRINTABLE = re.compile(r"(?i);(?:encoding=)?quoted-printable(?=[;:])")
_CHARSET = re.compile(r"(?i);charset=\"?([\w.:-]+)\"?")
_PROPERTY = re.compile(r"([A-Za-z0-9-]{1,60})((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)
_ZONE_NAME = re.compile(r";TZID=\"?([^\":;]+)\"?", re.IGNORECASE)
_HEAD = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Heedful//EN\r\n"
_KEPT_HEADS = ("METHOD", "X-WR-TIMEZONE")


@dataclass(frozen=True, slots=True)
class Series:
    """What a file holds under one UID. `raw` is a calendar of its own; `place` names it to the person."""

    uid: str
    raw: str
    place: str


@dataclass(slots=True)
class _Taken:
    """A file's lines, sorted by where they belong."""

    heads: dict[str, str] = field(default_factory=dict)
    zones: dict[str, str] = field(default_factory=dict)
    components: dict[str, list[str]] = field(default_factory=dict)


def is_calendar(head: bytes) -> bool:
    """True when the first bytes of a file open a calendar, or an event or to-do that stands without one."""
    opening = head.lstrip(b"\xef\xbb\xbf\r\n\t ").upper()
    return any(opening.startswith(f"BEGIN:{name}".encode()) for name in (_CALENDAR, *_WANTED))


def split_series(data: bytes) -> Iterator[Series]:
    """The series of a file in the order in which they begin; events without a UID are each a series."""
    taken = _take_apart(_unfolded(decode(data, "utf-8")))
    for number, (uid, components) in enumerate(taken.components.items(), start=1):
        body = "".join(components)
        zones = "".join(
            taken.zones[name] for name in dict.fromkeys(_ZONE_NAME.findall(body)) if name in taken.zones
        )
        heads = "".join(taken.heads.values())
        yield Series(uid, f"{_HEAD}{heads}{zones}{body}END:VCALENDAR\r\n", f"event {number}")


def method_of(raw: str) -> str:
    """The iTIP method of a calendar, such as REQUEST or CANCEL; empty when it has none."""
    found = re.search(r"(?mi)^METHOD:[ \t]*([A-Z-]{1,40})", raw)
    return found[1].upper() if found else ""


def _unfolded(text: str) -> str:
    if _QUOTED_PRINTABLE.search(text):
        text = _SOFT_BREAK.sub("", text)
    return _FOLD.sub("", text)


def _take_apart(text: str) -> _Taken:
    taken = _Taken()
    path: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        keyword, _, name = bare.partition(":")
        keyword, name = keyword.upper(), name.strip().upper()
        if keyword == "BEGIN" and len(path) < DEEPEST:
            if not path and name in _WANTED:
                path.append(_CALENDAR)
            elif path == [name]:
                path.clear()  # the calendar before never ended
            path.append(name)
            lines = [] if len(path) == 2 else lines
        if len(path) == 1 and keyword.partition(";")[0] in _KEPT_HEADS:
            taken.heads[keyword.partition(";")[0]] = bare + "\r\n"
        elif len(path) >= 2 and "VALARM" not in path:
            lines.append(_plain(bare))
        if keyword == "END" and path:
            _close(path, name, lines, taken)
    return taken


def _close(path: list[str], name: str, lines: list[str], taken: _Taken) -> None:
    """Takes the path back to where `name` began; keeps what was gathered when a whole component is done."""
    if name not in path:
        return
    while path.pop() != name:
        pass
    if len(path) != 1:
        return
    block = "\r\n".join(lines) + "\r\n"
    if name == "VTIMEZONE":
        found = re.search(r"(?mi)^TZID(?:;[^:]*)?:[ \t]*(.+?)\s*$", block)
        if found:
            taken.zones[found[1]] = block
    elif name in _WANTED:
        taken.components.setdefault(_uid(block), []).append(block[:MAX_SERIES_CHARS])


def _uid(block: str) -> str:
    found = re.search(r"(?mi)^UID(?:;[^:]*)?:[ \t]*(.+?)\s*$", block)
    return found[1][:500] if found else "none:" + hashlib.blake2b(block.encode(), digest_size=12).hexdigest()


def _plain(line: str) -> str:
    """A line without attached bytes and without the encoding of vCalendar 1.0."""
    if line[:6].upper() == "ATTACH" and len(line) > 500:
        return "X-HEEDFUL-ATTACHMENT:left out"
    if not _QUOTED_PRINTABLE.search(line.partition(":")[0] + ":"):
        return line
    found = _PROPERTY.fullmatch(line)
    if found is None:
        return line
    name, parameters, value = found.groups()
    charset = _CHARSET.search(parameters)
    text = decode(binascii.a2b_qp(value.encode("utf-8", "replace")), charset[1] if charset else "")
    parameters = _CHARSET.sub("", _QUOTED_PRINTABLE.sub("", parameters + ":")[:-1])
    return f"{name}{parameters}:" + text.replace("\r\n", "\\n").replace("\n", "\\n")
