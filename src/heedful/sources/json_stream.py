"""JSON that is larger than memory should hold, walked member by member; each value taken is a whole one."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from heedful.core.errors import RejectedError

_BLOCK = 1 << 18
MAX_VALUE_CHARS = 32_000_000
_DECODER = json.JSONDecoder(strict=False)
_SPACE = re.compile(r"[ \t\r\n]*")


class JsonDamageError(RejectedError):
    """The text is no JSON from some place on, or ends too early; what was taken before is sound."""


class JsonStream:
    """A JSON text being read. Whoever walks it takes, enters or skips each value before asking for the next."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._text = ""
        self._position = 0
        self._at_end = False

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while True:
            self._position = _SPACE.match(self._text, self._position).end()  # type: ignore[union-attr] # it matches nothing too
            if self._position < len(self._text):
                return self._text[self._position]
            if not self._grow():
                return ""

    def value(self) -> Any:  # noqa: ANN401 (whatever JSON may hold)
        """The next value, whole.

        Raises:
            JsonDamageError: There is none, or it is larger than 32 million characters.
        """
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._position)
            except (ValueError, RecursionError) as exc:
                if len(self._text) - self._position > MAX_VALUE_CHARS or not self._grow():
                    raise _damage() from exc
                continue
            if end == len(self._text) and self._grow():
                continue  # a number may go on in the next block
            self._position = end
            return value

    def members(self) -> Iterator[str]:
        """The keys of the object that comes next; take or walk the value before going on."""
        self._expect("{")
        if self.peek() == "}":
            self._expect("}")
            return
        while True:
            key = self.value()
            self._expect(":")
            yield str(key)
            if self._separated("}"):
                return

    def elements(self) -> Iterator[None]:
        """One step for each element of the array that comes next; take or walk it before going on."""
        self._expect("[")
        if self.peek() == "]":
            self._expect("]")
            return
        while True:
            yield
            if self._separated("]"):
                return

    def _separated(self, closing: str) -> bool:
        """Passes what stands between two values; True when it was the end of them."""
        if self.peek() == closing:
            self._position += 1
            return True
        self._expect(",")
        return False

    def _expect(self, char: str) -> None:
        if self.peek() != char:
            raise _damage()
        self._position += 1

    def _grow(self) -> bool:
        """Reads more, as much again as is waiting; False at the end of the file."""
        if self._at_end:
            return False
        rest = self._text[self._position :]
        block = self._file.read(max(_BLOCK, len(rest)))
        self._at_end = not block
        self._text = rest + self._decode(block, final=self._at_end)
        self._position = 0
        return not self._at_end


def _damage() -> JsonDamageError:
    return JsonDamageError("The file is damaged from here on", "It is no sound JSON, or it was cut off.")
