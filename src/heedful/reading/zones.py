"""Tells what in a message is new from what was quoted, signed, forwarded or boilerplate."""

from dataclasses import dataclass
from enum import StrEnum


class ZoneKind(StrEnum):
    """What a part of a message is; only `NEW` counts as evidence."""

    NEW = "new"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    DISCLAIMER = "disclaimer"
    FORWARDED = "forwarded"


@dataclass(frozen=True, slots=True)
class Zone:
    """A run of whole lines of one kind, character offsets [start, end)."""

    kind: ZoneKind
    start: int
    end: int


def zones(text: str, lang: str | None = None, *, is_reply: bool = False) -> tuple[Zone, ...]:
    """The zones in order; together they cover the text. `lang` is a hint: headers of every language are known."""
    found: list[Zone] = []
    position = 0
    for line in text.splitlines(keepends=True):
        kind = ZoneKind.QUOTED if line.lstrip().startswith(">") else ZoneKind.NEW
        end = position + len(line)
        if found and found[-1].kind is kind:
            found[-1] = Zone(kind, found[-1].start, end)
        else:
            found.append(Zone(kind, position, end))
        position = end
    return tuple(found)
