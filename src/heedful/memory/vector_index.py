"""One-bit codes of all vectors in memory: the nearest by differing bits, exactly, in a few milliseconds.

Seventy-six bytes a vector: its code, its number, its chunk. What is found is only a shortlist; the store's
eight-bit numbers say what is really near. Nothing of it is written anywhere in clear.
"""

import threading

from heedful.memory import vector_store
from heedful.memory.vector_codes import code
from heedful.memory.vector_numpy import Floats, NDArray, np
from heedful.storage import Connection

GROWTH = 1.1
BLOCK = 16384


class VectorIndex:
    """The codes of one model. Follows the store by itself; may be asked from several threads."""

    def __init__(self, model: str) -> None:
        """Holds nothing until it is first asked."""
        self._model = model
        self._guard = threading.Lock()
        self._size = 0
        self._last = 0
        self._words: NDArray[np.uint64] = np.zeros((0, 0), np.uint64)
        self._numbers: NDArray[np.int64] = np.zeros(0, np.int64)

    @property
    def size(self) -> int:
        """How many vectors are in memory."""
        return self._size

    @property
    def size_bytes(self) -> int:
        """The memory that codes and numbers take."""
        return self._words.nbytes + self._numbers.nbytes

    def nearest(self, connection: Connection, question: Floats, count: int) -> list[int]:
        """Numbers of at least `count` vectors whose codes differ least from the question's, where there are so many.

        Those of chunks that are gone may be among them.
        """
        with self._guard:
            self._follow(connection)
            if not self._size:
                return []
            distances = self._distances(code(question))
        if len(distances) <= count:
            chosen = np.arange(len(distances))
        else:
            tally = np.cumsum(np.bincount(distances))
            chosen = np.flatnonzero(distances <= np.searchsorted(tally, count))
        return [int(number) for number in self._numbers[chosen]]

    def _distances(self, asked: NDArray[np.uint64]) -> NDArray[np.uint16]:
        """How many bits of each code differ, a block at a time: a block and what is made of it fit the cache.

        Three words of 64 bits are added up in a byte, which holds them; wider sums cost more.
        """
        total = np.empty(self._size, np.uint16)
        differing = np.empty(BLOCK, np.uint64)
        counts, few = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
        for begin in range(0, self._size, BLOCK):
            end = min(begin + BLOCK, self._size)
            length = end - begin
            total[begin:end] = 0
            for first in range(0, len(asked), 3):
                few[:length] = 0
                for place in range(first, min(first + 3, len(asked))):
                    np.bitwise_xor(self._words[place, begin:end], asked[place], out=differing[:length])
                    np.bitwise_count(differing[:length], out=counts[:length])
                    np.add(few[:length], counts[:length], out=few[:length])
                total[begin:end] += few[:length]
        return total

    def _follow(self, connection: Connection) -> None:
        """Takes in what was kept since the last time; begins afresh where the newest is gone."""
        model = vector_store.model_id(connection, self._model)
        if model is None:
            self._size = 0
            return
        rows = vector_store.codes_after(connection, model, self._last)
        if not rows:
            return
        codes = np.frombuffer(b"".join(row[3] for row in rows if isinstance(row[3], bytes)), np.uint64)
        words = codes.reshape(len(rows), -1).T
        self._make_room(words.shape[0], self._size + len(rows))
        end = self._size + len(rows)
        self._words[:, self._size : end] = words
        self._numbers[self._size : end] = [int(row[0] or 0) for row in rows]
        self._size = end
        self._last = int(rows[-1][0] or 0)

    def _make_room(self, words: int, wanted: int) -> None:
        if self._words.shape[0] == words and self._words.shape[1] >= wanted:
            return
        room = int(wanted * GROWTH) if self._size else wanted
        fresh = np.zeros((words, room), np.uint64)
        numbers = np.zeros(room, np.int64)
        if self._size:
            fresh[:, : self._size] = self._words[:, : self._size]
            numbers[: self._size] = self._numbers[: self._size]
        self._words, self._numbers = fresh, numbers
