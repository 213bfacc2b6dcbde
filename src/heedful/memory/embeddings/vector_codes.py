"""Vectors in two sizes: eight bits a number with a scale, to keep; one bit a number, to search.

The sign of a number is the sign of its eight bits, so the code of a vector can be made anew from what is kept.
"""

from dataclasses import dataclass

from heedful.memory.embeddings.vector_numpy import Floats, NDArray, np

LARGEST = 127
SMALLEST = 1e-6

_BITS_OF_BYTES: Floats = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Packed:
    """One vector: `numbers` times `scale` is it, within 0.4 % of its largest number; `bits` is one bit a number."""

    scale: float
    numbers: bytes
    bits: bytes


def pack(vector: Floats) -> Packed | None:
    """The vector as it is kept; None for zeros or what is no number, which have no direction."""
    largest = float(np.max(np.abs(vector), initial=0.0))
    if not np.isfinite(largest) or largest < SMALLEST:
        return None
    numbers = np.rint(vector * (LARGEST / largest)).astype(np.int8)
    return Packed(largest / LARGEST, numbers.tobytes(), code(numbers).tobytes())


def code(numbers: NDArray[np.int8] | Floats) -> NDArray[np.uint64]:
    """One bit a number, in words of 64; dimensions that fill no word are padded with zeros."""
    bits = np.packbits(numbers > 0, axis=-1)
    short = -bits.shape[-1] % 8
    if short:
        bits = np.concatenate([bits, np.zeros((*bits.shape[:-1], short), np.uint8)], axis=-1)
    return np.ascontiguousarray(bits).view(np.uint64)


def agreement(codes: NDArray[np.uint64], question: Floats) -> Floats:
    """How well codes, a row each, go with a question's numbers: the sum of those at which the bit is set.

    A byte of a code has 256 values, so what each adds is summed up once.
    """
    wide = np.zeros(codes.shape[1] * 64, np.float32)
    wide[: len(question)] = question
    sums = wide.reshape(-1, 8) @ _BITS_OF_BYTES.T
    begins: NDArray[np.int64] = np.arange(0, sums.size, 256, dtype=np.int64)
    places: NDArray[np.int64] = begins + np.ascontiguousarray(codes).view(np.uint8)
    # All are in range; to wrap is quicker than to prove it.
    found: Floats = np.take(sums.ravel(), places, mode="wrap").sum(axis=1)
    return found


def likeness(codes: NDArray[np.uint64], question: Floats) -> Floats:
    """About the cosine of each vector with a question of length one, by its code, a row each; within some .03.

    Signs keep sqrt(2 / pi) of the length of a direction whose numbers are spread like a bell.
    """
    signed: Floats = 2 * agreement(codes, question) - question.sum()
    return signed * np.float32(np.sqrt(np.pi / 2 / len(question)))


def cosines(question: Floats, numbers: list[bytes]) -> Floats:
    """The cosine of each kept vector with a question of length one, in order; a direction needs no scale."""
    if not numbers:
        return np.zeros(0, np.float32)
    kept = np.frombuffer(b"".join(numbers), np.int8).reshape(len(numbers), -1).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", kept, kept))
    found: Floats = (kept @ question) / lengths
    return found
