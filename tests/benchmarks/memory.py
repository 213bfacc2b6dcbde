"""How well the memory finds again, and whom it takes for whom, where the public sets are at hand."""

import argparse
from dataclasses import replace
from pathlib import Path

from tests.benchmarks import context, mentions, people, retrieval
from tests.benchmarks.report import Figure
from tests.benchmarks.retrieval_peer import BEST_BEFORE, plain_scores
from tests.benchmarks.set_embeddings import KeptEmbeddings


def measure(asked: argparse.Namespace) -> list[Figure]:
    """All figures of this section; a set that is not at hand has none."""
    data: Path | None = asked.data
    embedder = KeptEmbeddings(None)
    found = [] if data is None else [*_found_again(data, embedder), *context.figures(data, embedder)]
    return [*found, *people.measure(asked), *mentions.measure(asked)]


def _found_again(data: Path, embedder: KeptEmbeddings) -> list[Figure]:
    """Recall on each set, beside plain FTS5 in this run and the best that had been measured before."""
    found = retrieval.figures(data, embedder)
    plain: dict[str, float] = {}
    for name in retrieval.BARS:
        if any(figure.what.startswith(f"{name}, ") for figure in found):
            plain |= {f"{name}, {measure}": share for measure, share in plain_scores(name, data).items()}
    return [
        replace(figure, note=f"{figure.note}; plain FTS5 {plain[figure.what]:.3f}{_before(figure)}")
        if figure.what in plain
        else figure
        for figure in found
    ]


def _before(figure: Figure) -> str:
    before = BEST_BEFORE.get(figure.what)
    return "" if before is None else f", best before {before:.3f}"
