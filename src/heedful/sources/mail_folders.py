"""What a mail folder's name says about the mail in it, in every language Heedful knows."""

import base64
import re
from enum import Enum, auto
from functools import lru_cache

from heedful.reading.languages import available, language

_ENCODED = re.compile(r"&([A-Za-z0-9+,]*)-")


class FolderRole(Enum):
    """Why a folder's mail is there. Mail in a `LEFT_OUT` folder (spam, drafts, bin, outbox) reached nobody."""

    SENT = auto()
    LEFT_OUT = auto()
    OTHER = auto()


def role_of(folder: str) -> FolderRole:
    """The role of a folder by the last part of its name, as mail programs and servers write it."""
    last = re.split(r"[/\\]|\.(?=[^.\s])", _decoded(folder.removesuffix(".mbox")).strip())[-1]
    name = " ".join(last.casefold().replace("_", " ").split())
    if name in _names("sent"):
        return FolderRole.SENT
    return FolderRole.LEFT_OUT if name in _names("left_out") else FolderRole.OTHER


def role_of_labels(labels: str) -> FolderRole:
    """The role of Gmail's labels as its export writes them, separated by commas."""
    roles = {role_of(label.strip().strip('"')) for label in labels.split(",")} if labels else set()
    for role in (FolderRole.LEFT_OUT, FolderRole.SENT):
        if role in roles:
            return role
    return FolderRole.OTHER


@lru_cache(maxsize=4)
def _names(role: str) -> frozenset[str]:
    return frozenset(
        name.casefold() for code in available() for name in language(code).lines("folders", role)
    )


def _decoded(folder: str) -> str:
    """A folder name out of IMAP's modified UTF-7 (RFC 3501, 5.1.3); other names stay as they are."""
    return _ENCODED.sub(lambda match: _letters(match[1]) or match[0], folder) if "&" in folder else folder


def _letters(encoded: str) -> str:
    if not encoded:
        return "&"
    padded = encoded.replace(",", "/") + "=" * (-len(encoded) % 4)
    try:
        return base64.b64decode(padded).decode("utf-16-be")
    except (ValueError, UnicodeError):
        return ""
