"""How well the memory finds again, and whom it takes for whom, where the public sets are at hand."""

import argparse

from tests.benchmarks import people
from tests.benchmarks.report import Figure


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section; a set that is not at hand has none."""
    return people.measure(asked)
