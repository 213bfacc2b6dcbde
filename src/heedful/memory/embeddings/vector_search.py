"""The meaning's half of recall: the passages nearest to a question, and how near any passage is.

It brings numpy, which only a question by meaning needs.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from itertools import pairwise

from heedful.memory.embeddings import vector_store
from heedful.memory.embeddings.vector_codes import cosines, likeness
from heedful.memory.embeddings.vector_index import CLOSER_LOOK, NOTHING, Pieces, Ranking
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.embeddings.vector_nearness import Compared, Nearness
from heedful.storage import Connection

SHORTLIST = 100
"""Vectors taken from the codes for each look-up; enough that the ten nearest are among them."""

WIDER = CLOSER_LOOK * SHORTLIST
"""Vectors whose chunks are looked at where something narrows."""

LOOKS = (0, 150, 500, WIDER)
"""They are looked at in so many steps; the first mostly will do where much is let through."""

SURELY = 0.08
"""Of two guesses by codes that differ by so much, the higher is of the nearer vector."""


def ranking(
    connection: Connection, sense: Sense, *, among: Iterable[int] | None = None
) -> Callable[[], Ranking]:
    """The work of ranking codes for a question, those of the chunks `among` alone where given; for any thread."""
    if not _is_comparable(connection, sense):
        return lambda: NOTHING
    return sense.index.ranking(connection, sense.vector, WIDER, among=among)


def nearest(
    connection: Connection,
    sense: Sense,
    *,
    count: int,
    shortlist: int = SHORTLIST,
    among: Iterable[int] | None = None,
    ranked: Ranking | None = None,
) -> list[int]:
    """The chunks of the nearest vectors, at most `count`, the nearest first; of the chunks `among` where given.

    `ranked` is what the work of `ranking` came to; without it that is done here.
    """
    best = ranked if ranked is not None else ranking(connection, sense, among=among)()
    return _chunks_of(connection, sense, sorted(best.numbers[:shortlist].tolist()))[:count]


def nearest_where(
    connection: Connection,
    sense: Sense,
    passes: Callable[[list[int]], Iterable[int]],
    *,
    count: int,
    ranked: Ranking | None = None,
) -> list[int] | None:
    """As `nearest`, of the chunks that `passes` gives back, told some thousands; None where next to none pass.

    No vector is read but of those that are let through.
    """
    best = ranked if ranked is not None else ranking(connection, sense)()
    numbers: list[int] = []
    for begin, end in pairwise(LOOKS):
        if len(numbers) < SHORTLIST:
            chunks = best.chunks[begin:end].tolist()
            passed = frozenset(passes(chunks))
            these = zip(best.numbers[begin:end].tolist(), chunks, strict=True)
            numbers += [number for number, chunk in these if chunk in passed]
    if len(numbers) < count and len(best.numbers) >= WIDER:
        return None
    return _chunks_of(connection, sense, numbers[:SHORTLIST])[:count]


def _chunks_of(connection: Connection, sense: Sense, numbers: list[int]) -> list[int]:
    """The chunks of these vectors and those of the turns before, the nearest first."""
    compared = _compared(connection, sense, numbers)
    sense.index.note_found(wanted=len(numbers), found=len(compared))
    found = dict[int, None]()
    for one in sorted(compared, key=lambda one: -one.cosine):
        found[one.chunk] = None
        if one.before is not None:
            found[one.before] = None
    return list(found)


def pieces_of(connection: Connection, sense: Sense, chunks: Iterable[int]) -> Pieces | None:
    """What is in memory of these chunks' vectors; None where there are none of the sense's model."""
    return sense.index.of_chunks(connection, chunks) if _is_comparable(connection, sense) else None


def guessed(sense: Sense, pieces: Pieces) -> Sequence[float]:
    """About the cosine of each piece: by its code in memory, where its vector was not read yet."""
    known, guesses = sense.compared, likeness(pieces.words, sense.vector).tolist()
    return [
        known[number].cosine if number in known else guess
        for number, guess in zip(pieces.numbers, guesses, strict=True)
    ]


def roughly(pieces: Pieces, guesses: Sequence[float]) -> dict[int, Nearness]:
    """About how near each chunk is."""
    return _by_chunk(zip(pieces.chunks, pieces.are_after, guesses, strict=True))


def nearness_of(
    connection: Connection, sense: Sense, wanted: Container[int], pieces: Pieces, guesses: Sequence[float]
) -> dict[int, Nearness]:
    """How near each of the wanted chunks is, of which all pieces are given, and maybe more, with a guess for each.

    What has no vector of the sense's model is left out. What came after a chunk is read only where it
    may be nearer than the chunk itself.
    """
    told = list(zip(pieces.chunks, pieces.are_after, pieces.numbers, guesses, strict=True))
    own = {chunk: guess for chunk, is_after, _, guess in told if not is_after}
    closer = [
        (chunk, is_after, number)
        for chunk, is_after, number, guess in told
        if chunk in wanted and not (is_after and guess < own.get(chunk, -1.0) - SURELY)
    ]
    _compared(connection, sense, sorted({number for _, _, number in closer}))
    known = sense.compared
    return _by_chunk(
        (chunk, is_after, known[number].cosine) for chunk, is_after, number in closer if number in known
    )


def _by_chunk(cosines_told: Iterable[tuple[int, bool, float]]) -> dict[int, Nearness]:
    """From each vector's chunk, whether that is what came before in it, and its cosine."""
    own: dict[int, list[float]] = {}
    after: dict[int, float] = {}
    for chunk, is_after, cosine in cosines_told:
        if is_after:
            after[chunk] = max(cosine, after.get(chunk, cosine))
        else:
            own.setdefault(chunk, []).append(cosine)
    return {seq: _nearness(values, after.get(seq, values[0])) for seq, values in own.items()}


def _nearness(values: Sequence[float], after: float) -> Nearness:
    """Of a passage whose parts are so near, and what comes after with it; most have one part."""
    best = max(values) if len(values) > 1 else values[0]
    return Nearness(best, sum(values) / len(values) if len(values) > 1 else best, max(best, after))


def _is_comparable(connection: Connection, sense: Sense) -> bool:
    """Whether the question has as many numbers as what is kept; a server may change a model behind its name."""
    return vector_store.dimensions_of(connection, sense.model) == len(sense.vector)


def _compared(connection: Connection, sense: Sense, numbers: Sequence[int]) -> list[Compared]:
    """The vectors with these numbers that are still kept, each read and compared once a question."""
    rows = vector_store.by_number(connection, [number for number in numbers if number not in sense.compared])
    found = cosines(sense.vector, [row[3] for row in rows if isinstance(row[3], bytes)])
    for (number, chunk, before, _), cosine in zip(rows, found.tolist(), strict=True):
        sense.compared[int(number or 0)] = Compared(
            int(chunk or 0), None if before is None else int(before), cosine
        )
    return [sense.compared[number] for number in numbers if number in sense.compared]
