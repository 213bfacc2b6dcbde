"""Where originals wait to be asked for again: by content, bounded, byte for byte."""

from collections import OrderedDict
from typing import Protocol

ID_LENGTH = 16


class Originals(Protocol):
    """Keeps texts under the hash of their bytes; may forget the oldest when full."""

    def put(self, data: bytes) -> str:
        """Keeps the bytes; the same bytes always get the same id."""
        ...

    def get(self, original_id: str) -> bytes | None:
        """Exactly the bytes that were put; None when unknown or forgotten."""
        ...


def original_id(data: bytes) -> str:
    """The id of these bytes: the first 64 bits of their SHA-256, in hex."""
    import hashlib  # brings OpenSSL, which reading rules need not wait for

    return hashlib.sha256(data).hexdigest()[:ID_LENGTH]


def original_bytes(text: str) -> bytes:
    """The bytes a text was read from; bytes that were no UTF-8 come back as they were."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class MemoryOriginals:
    """Originals of one run, in memory; forgets the least recently kept beyond its limits."""

    def __init__(self, *, limit_bytes: int = 64 * 1024 * 1024, limit_count: int = 256) -> None:
        self._limit_bytes, self._limit_count = limit_bytes, limit_count
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def put(self, data: bytes) -> str:
        """Keeps the bytes unless they alone exceed the limit."""
        key = original_id(data)
        if key in self._kept:
            self._kept.move_to_end(key)
            return key
        self._kept[key] = data
        self._size += len(data)
        while self._size > self._limit_bytes or len(self._kept) > self._limit_count:
            _, forgotten = self._kept.popitem(last=False)
            self._size -= len(forgotten)
        return key

    def get(self, original_id: str) -> bytes | None:
        """The bytes, or None."""
        return self._kept.get(original_id)
