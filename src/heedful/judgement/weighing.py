"""How surely a sentence asks for something: a logistic model over named features, its weights in `weights.toml`.

The weights are learnt by `tests/benchmarks/train_weights.py`; the score of any sentence can be taken apart again.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FILE = Path(__file__).with_name("weights.toml")


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """What each feature adds to the log-odds, on top of `bias`; a feature that is not there adds nothing."""

    bias: float
    of: Mapping[str, float]

    def probability(self, features: frozenset[str]) -> float:
        """How likely a sentence with these features wants something, 0–1."""
        # fsum is exact, so that the order of a set cannot change the answer.
        odds = self.bias + math.fsum(self.of.get(name, 0.0) for name in features)
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that come with this version."""
    import tomllib  # only who weighs needs it

    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return Weights(
        float(tables["bias"]), {str(name): float(value) for name, value in tables["weights"].items()}
    )
