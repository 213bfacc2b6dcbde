"""Names for things: opaque ids, content-addressed where the same thing must get the same id twice."""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable
from typing import NewType

SourceId = NewType("SourceId", str)
ThreadId = NewType("ThreadId", str)
MessageId = NewType("MessageId", str)
ChunkId = NewType("ChunkId", str)
NodeId = NewType("NodeId", str)
ActionableId = NewType("ActionableId", str)
RunId = NewType("RunId", str)

_NOT_WORD = re.compile(r"[^\w%€$£+#@]+")

NewId = Callable[[], str]
"""Makes a fresh random id; a parameter, so that a test knows which one comes."""


def random_id() -> str:
    """A fresh id: 96 random bits in hex, 24 characters."""
    return secrets.token_hex(12)


def content_id(*parts: str) -> str:
    """The same 24 hex characters for the same parts on every machine; parts are never run together."""
    digest = hashlib.blake2b(digest_size=12)
    for part in parts:
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def normalise_title(text: str) -> str:
    """A title reduced to what two people would agree is the same title; what the id of something titled is made of.

    NFKC, casefolded, punctuation and white space folded to single spaces. Never changes once items exist.
    """
    return " ".join(
        _NOT_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).replace("_", " ").split()
    )
