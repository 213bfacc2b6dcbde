"""One-bit codes of all vectors in memory: the nearest by differing bits, exactly, in a few milliseconds.

Seventy-six bytes a vector: its code, its number, its chunk and the chunk before. What is found is only a shortlist;
the store's eight-bit numbers say what is really near. Nothing of it is written anywhere in clear.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass

from heedful.memory import vector_store
from heedful.memory.vector_codes import code
from heedful.memory.vector_numpy import Floats, NDArray, np
from heedful.storage import Connection, Row

BLOCK = 16384
"""Vectors in a block; it and what is made of it fit the processor's cache."""

MOST_LOST = 0.25
"""The share of a shortlist that may be gone from the store before the codes are read anew."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Up to `BLOCK` vectors, in the order of their numbers: `words` has a row for each 64 bits; 0 is no chunk."""

    words: NDArray[np.uint64]
    numbers: NDArray[np.uint32]
    chunks: NDArray[np.uint32]
    before: NDArray[np.uint32]

    @property
    def size_bytes(self) -> int:
        return self.words.nbytes + self.numbers.nbytes + self.chunks.nbytes + self.before.nbytes


class VectorIndex:
    """The codes of one model. Follows the store by itself; may be asked from several threads."""

    def __init__(self, model: str, *, block: int = BLOCK) -> None:
        """Holds nothing until it is first asked; `block` is how many vectors are held and compared together."""
        self._model = model
        self._room = block
        self._guard = threading.Lock()
        self._blocks: tuple[_Block, ...] = ()

    @property
    def size(self) -> int:
        """How many vectors are in memory."""
        return sum(len(block.numbers) for block in self._blocks)

    @property
    def size_bytes(self) -> int:
        """The memory that codes, numbers and chunks take."""
        return sum(block.size_bytes for block in self._blocks)

    def nearest(self, connection: Connection, question: Floats, count: int) -> list[int]:
        """Numbers of at least `count` vectors whose codes differ least from the question's, where there are so many.

        They rise. Those of chunks that are gone may be among them.
        """
        blocks = self._follow(connection)
        if not blocks:
            return []
        asked = code(question)
        distances = np.concatenate([_distances(block.words, asked) for block in blocks])
        chosen = np.flatnonzero(distances <= _bound(distances, count))
        starts = np.cumsum([0, *(len(block.numbers) for block in blocks)])
        places = np.searchsorted(chosen, starts)
        found: list[int] = []
        for block, start, first, last in zip(blocks, starts, places, places[1:], strict=False):
            found += block.numbers[chosen[first:last] - start].tolist()
        return found

    def of_chunks(self, connection: Connection, chunks: Iterable[int]) -> list[int]:
        """Numbers of all vectors of these chunks, and of the windows that hold them as what came before; they rise."""
        blocks = self._follow(connection)
        wanted = list(chunks)
        is_wanted = np.zeros(max(wanted, default=0) + 2, np.bool_)
        is_wanted[wanted] = True  # the last stays false: whatever is beyond is clipped to it
        found: list[int] = []
        for block in blocks:
            own = np.take(is_wanted, block.chunks, mode="clip")
            after = np.take(is_wanted, block.before, mode="clip")
            found += block.numbers[np.flatnonzero(own | after)].tolist()
        return found

    def note_found(self, *, wanted: int, found: int) -> None:
        """Told how many of a shortlist the store still had; where too many are gone, the codes are read anew."""
        if found < (1 - MOST_LOST) * wanted:
            with self._guard:
                self._blocks = ()

    def _follow(self, connection: Connection) -> tuple[_Block, ...]:
        """All blocks, after taking in what was kept since the last time. A block is never changed, but replaced."""
        with self._guard:
            while True:
                last = self._blocks[-1] if self._blocks else None
                room = self._room - len(last.numbers) if last is not None else self._room
                rows = vector_store.codes_after(
                    connection,
                    self._model,
                    int(last.numbers[-1]) if last is not None else 0,
                    limit=room or self._room,
                )
                if not rows:
                    return self._blocks
                fresh = _block(rows)
                if last is None or not room:
                    self._blocks = (*self._blocks, fresh)
                else:
                    self._blocks = (*self._blocks[:-1], _joined(last, fresh))


def _block(rows: list[Row]) -> _Block:
    codes = np.frombuffer(b"".join(row[3] for row in rows if isinstance(row[3], bytes)), np.uint64)
    numbers, chunks, before = (
        np.array([int(row[column] or 0) for row in rows], np.uint32) for column in range(3)
    )
    return _Block(np.ascontiguousarray(codes.reshape(len(rows), -1).T), numbers, chunks, before)


def _joined(first: _Block, second: _Block) -> _Block:
    return _Block(
        np.concatenate([first.words, second.words], axis=1),
        np.concatenate([first.numbers, second.numbers]),
        np.concatenate([first.chunks, second.chunks]),
        np.concatenate([first.before, second.before]),
    )


def _distances(words: NDArray[np.uint64], asked: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """How many bits of each code differ.

    Three words of 64 bits are added up in a byte, which holds them; wider sums cost more.
    """
    length = words.shape[1]
    total = np.zeros(length, np.uint16)
    differing = np.empty(length, np.uint64)
    counts, few = np.empty(length, np.uint8), np.empty(length, np.uint8)
    for first in range(0, len(asked), 3):
        few[:] = 0
        for place in range(first, min(first + 3, len(asked))):
            np.bitwise_xor(words[place], asked[place], out=differing)
            np.bitwise_count(differing, out=counts)
            np.add(few, counts, out=few)
        total += few
    return total


def _bound(distances: NDArray[np.uint16], count: int) -> int:
    """The least distance within which `count` lie; the greatest where there are fewer. Halving beats a histogram."""
    low, high = 0, int(distances.max())
    while low < high:
        middle = (low + high) // 2
        if np.count_nonzero(distances <= middle) >= count:
            high = middle
        else:
            low = middle + 1
    return low
