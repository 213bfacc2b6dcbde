"""Adds up what speaks for a passage, by weights that lie in a file and were learned by `train_ranker`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import mul
from pathlib import Path

from heedful.memory.recall.ranking_features import FEATURES

TOLD_FROM = 0.005


@lru_cache(maxsize=2)
def weights(*, degraded: bool) -> tuple[float, ...]:
    """The weight of each of FEATURES; `degraded` has its own, for they lean on words alone."""
    tables = tomllib.loads(Path(__file__).with_name("ranking_weights.toml").read_text(encoding="utf-8"))
    table: Mapping[str, float] = tables["words_alone" if degraded else "words_and_meaning"]
    return tuple(float(table.get(name, 0.0)) for name in FEATURES)


def score(row: Sequence[float], *, degraded: bool) -> float:
    """How likely a passage with these features is the answer, on no particular scale; higher is better."""
    total: float = sum(map(mul, weights(degraded=degraded), row))
    return total


def boosts(row: Sequence[float], *, degraded: bool) -> dict[str, float]:
    """What each feature added to the score or took from it, by name; what did nothing is left out."""
    shares = zip(FEATURES, weights(degraded=degraded), row, strict=True)
    return {
        name: round(share, 3) for name, weight, value in shares if abs(share := weight * value) > TOLD_FROM
    }
