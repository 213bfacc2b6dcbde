"""Words side by side in one line: «Mail · Ana Lopes · 3 h ago»."""

import re

_FROM_THE_RIGHT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_ISOLATE, _END = "\u2068", "\u2069"


def beside(*parts: str) -> str:
    """The parts with a dot between them, empty ones left out.

    One that is written from right to left stands for itself: it would draw a number after it over to its other side.
    """
    return " · ".join(_apart(part) for part in parts if part)


def _apart(part: str) -> str:
    return f"{_ISOLATE}{part}{_END}" if _FROM_THE_RIGHT.search(part) else part
