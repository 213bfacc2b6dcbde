"""Holds whatever reads text to linear time, by what the processor takes for a hostile text and for an eighth of it."""

import gc
import time
from collections.abc import Callable

EIGHT = 8
LENIENCY = 3.0
"""Eight times the text may take 24 times as long; what goes with its square takes 64 times as long."""
SLACK_S = 0.5
"""What takes less is told from nothing but chance."""


def assert_linear(read: Callable[[str], object], piece: str, *, length: int) -> None:
    """Fails where reading so many characters, all of this piece, takes far longer than reading an eighth of them."""
    read(piece * 2)  # what is loaded or compiled once belongs to neither
    eighth_s = _taken_s(read, piece * (length // EIGHT // len(piece)))
    whole_s = _taken_s(read, piece * (length // len(piece)))
    assert whole_s <= EIGHT * LENIENCY * eighth_s + SLACK_S, (piece, eighth_s, whole_s)


def _taken_s(read: Callable[[str], object], text: str) -> float:
    """Without the collector's share, which goes with all that other tests have left in the process."""
    gc.disable()
    try:
        began = time.thread_time()
        read(text)
        return time.thread_time() - began
    finally:
        gc.enable()
