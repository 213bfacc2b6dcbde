"""One-bit codes of all vectors in memory: the nearest by differing bits, exactly, in a few milliseconds.

Seventy-eight bytes a vector: its code, its number, its chunk and the chunk before. What is found is only a shortlist;
the store's eight-bit numbers say what is really near. Nothing of it is written anywhere in clear.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from heedful.memory.embeddings import vector_store
from heedful.memory.embeddings.vector_codes import agreement, code
from heedful.memory.embeddings.vector_numpy import Floats, NDArray, np
from heedful.storage import Connection, Row

BLOCK = 16384
"""Vectors in a block; it and what is made of it fit the processor's cache."""

CLOSER_LOOK = 20
"""Codes looked at more closely, for each that is wanted: with 20 some .98 of the exact ten nearest are in a hundred."""

MOST_LOST = 0.25
"""The share of a shortlist that may be gone from the store before the codes are read anew."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Vectors in the order of their numbers: `words` has a row for each 64 bits.

    `chunks` rise as a rule, and `is_rising` says whether they do; `before` is sorted, 0 for none, and `before_place`
    says which vector each of it is of.
    """

    words: NDArray[np.uint64]
    numbers: NDArray[np.uint32]
    chunks: NDArray[np.uint32]
    is_rising: bool
    before: NDArray[np.uint32]
    before_place: NDArray[np.uint16]

    @property
    def size_bytes(self) -> int:
        """The memory that it takes."""
        arrays = (self.words, self.numbers, self.chunks, self.before, self.before_place)
        return sum(array.nbytes for array in arrays)

    def of_chunks(self, wanted: NDArray[np.uint32]) -> "Pieces":
        """The vectors that are of these chunks, or of a turn after one of them; what is wanted rises, without a 0."""
        own = _found(self.chunks, wanted) if self.is_rising else np.flatnonzero(np.isin(self.chunks, wanted))
        after = _found(self.before, wanted)
        places = np.concatenate([own, self.before_place[after]])
        return Pieces(
            self.numbers[places].tolist(),
            [*self.chunks[own].tolist(), *self.before[after].tolist()],
            [False] * len(own) + [True] * len(after),
            self.words[:, places].T,
        )


@dataclass(frozen=True, slots=True)
class Pieces:
    """Vectors of some chunks: their numbers, the chunks they tell of, whether as what came before, and their codes."""

    numbers: list[int]
    chunks: list[int]
    are_after: list[bool]
    words: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Vectors by how well their codes go with a question, the best first: their numbers, and the chunks they are of."""

    numbers: NDArray[np.uint32]
    chunks: NDArray[np.uint32]


NOTHING = Ranking(np.zeros(0, np.uint32), np.zeros(0, np.uint32))


@dataclass(frozen=True, slots=True)
class _Codes:
    """Some vectors: `words` has a row for each of them."""

    numbers: NDArray[np.uint32]
    chunks: NDArray[np.uint32]
    words: NDArray[np.uint64]

    def ranked(self, question: Floats) -> Ranking:
        order = np.argsort(-agreement(self.words, question), kind="stable")
        return Ranking(self.numbers[order], self.chunks[order])


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

    def ranking(
        self, connection: Connection, question: Floats, count: int, *, among: Iterable[int] | None = None
    ) -> Callable[[], Ranking]:
        """The work of ranking the `count` codes most like the question's, or all those of the chunks `among`.

        What is new in the store is read before this returns; the work itself asks no store, so that another thread
        may do it. Codes are set against the question's code first, which is quick, and the best of them against its
        numbers, which is closer. Those of chunks that are gone may be among what is found.
        """
        blocks = self._follow(connection)
        if not blocks:
            return lambda: NOTHING
        if among is None:
            return lambda: _alike(blocks, question, count).ranked(question)
        wanted = list(among)
        return lambda: _all_of(blocks, wanted).ranked(question)

    def nearest(self, connection: Connection, question: Floats, count: int) -> list[int]:
        """Numbers of `count` vectors, or of as many as there are, that by their codes are nearest; they rise."""
        ranked = self.ranking(connection, question, count * CLOSER_LOOK)()
        return sorted(ranked.numbers[:count].tolist())

    def of_chunks(self, connection: Connection, chunks: Iterable[int]) -> Pieces | None:
        """All vectors of these chunks, and of the windows that hold them as what came before; one may be both.

        None where nothing is held at all.
        """
        wanted = np.array(sorted({chunk for chunk in chunks if chunk}), np.uint32)
        parts = [block.of_chunks(wanted) for block in self._follow(connection)]
        if not parts:
            return None
        return Pieces(
            [number for part in parts for number in part.numbers],
            [chunk for part in parts for chunk in part.chunks],
            [is_after for part in parts for is_after in part.are_after],
            np.concatenate([part.words for part in parts]),
        )

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
                if last is None or not room:
                    self._blocks = (*self._blocks, _block(rows, None))
                else:
                    self._blocks = (*self._blocks[:-1], _block(rows, last))


def _block(rows: list[Row], first: _Block | None) -> _Block:
    """The vectors of these rows, after those of `first`."""
    codes = np.frombuffer(b"".join(row[3] for row in rows if isinstance(row[3], bytes)), np.uint64)
    words = codes.reshape(len(rows), -1).T
    numbers, chunks, before = (
        np.array([int(row[column] or 0) for row in rows], np.uint32) for column in range(3)
    )
    if first is not None:
        words = np.concatenate([first.words, words], axis=1)
        numbers = np.concatenate([first.numbers, numbers])
        chunks = np.concatenate([first.chunks, chunks])
        earlier = np.empty_like(first.before)
        earlier[first.before_place] = first.before
        before = np.concatenate([earlier, before])
    order = np.argsort(before, kind="stable")
    is_rising = bool(np.all(chunks[1:] >= chunks[:-1]))
    return _Block(
        np.ascontiguousarray(words), numbers, chunks, is_rising, before[order], order.astype(np.uint16)
    )


def _found(among: NDArray[np.uint32], wanted: NDArray[np.uint32]) -> NDArray[np.intp]:
    """The places in sorted numbers at which one of the wanted stands; those are sorted too."""
    likely = wanted[wanted.searchsorted(among[0]) : wanted.searchsorted(among[-1], "right")]
    begins, ends = among.searchsorted(likely), among.searchsorted(likely, "right")
    each = ends - begins
    if each.max(initial=0) <= 1:
        return begins[each > 0]
    first = np.repeat(begins - np.cumsum(each) + each, each)
    found: NDArray[np.intp] = first + np.arange(len(first))
    return found


def _alike(blocks: Sequence[_Block], question: Floats, count: int) -> _Codes:
    """At least `count` codes that differ least from the question's, where there are so many."""
    asked = code(question)
    bound = len(asked) * 64
    shares: list[tuple[NDArray[np.intp], NDArray[np.uint16]]] = []
    for block in blocks:
        distances = _distances(block.words, asked)
        if len(distances) >= count and not shares:
            bound = _bound(distances, count)
        near = np.flatnonzero(distances <= bound)
        shares.append((near, distances[near]))
    bound = _bound(np.concatenate([distances for _, distances in shares]), count)
    return _picked(blocks, [near[distances <= bound] for near, distances in shares])


def _all_of(blocks: Sequence[_Block], chunks: Sequence[int]) -> _Codes:
    is_wanted = np.zeros(max(chunks, default=0) + 2, np.bool_)
    is_wanted[chunks] = True  # the last stays false: whatever is beyond is clipped to it
    return _picked(
        blocks, [np.flatnonzero(np.take(is_wanted, block.chunks, mode="clip")) for block in blocks]
    )


def _picked(blocks: Sequence[_Block], places: Sequence[NDArray[np.intp]]) -> _Codes:
    """The vectors at these places of each block."""
    pairs = list(zip(blocks, places, strict=True))
    return _Codes(
        np.concatenate([block.numbers[chosen] for block, chosen in pairs]),
        np.concatenate([block.chunks[chosen] for block, chosen in pairs]),
        np.concatenate([block.words[:, chosen].T for block, chosen in pairs]),
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
