"""As `speed`, at as many messages as `--scale` says: a million is what years of mail and chat come to."""

import argparse

from tests.benchmarks.finding import Bounds
from tests.benchmarks.kept import place_for
from tests.benchmarks.report import Figure
from tests.benchmarks.speed import Size, measure_at

EMBEDDED = 30_000
"""Passages embedded for real; a million would take an hour, and their number is what is measured here."""

IN_TIME = Bounds(finding=60.0, vectors=40.0)


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section."""
    size = Size(messages=asked.scale, embedded=EMBEDDED, queries=200)
    with place_for(f"scale-{asked.scale}", asked.store) as folder:
        return measure_at(size, IN_TIME, folder, asked.data)
