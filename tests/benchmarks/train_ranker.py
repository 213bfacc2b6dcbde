"""Learns `memory/recall/ranking_weights.toml` from question sets whose licences allow it.

usage: python -m tests.benchmarks.train_ranker DATA [--cross-check | --write FILE] [--vectors FILE] [--features FILE]

For each question the candidates compete; the weights are those under which an answering message most likely wins
(a softmax over messages, each by its best passage), with a small pull towards zero. Every set counts alike whatever
its size. `--cross-check` learns on two thirds of the conversations and scores on the rest, three times over. What
the sets can't teach is set by hand: no set that may be learned from names its speakers in questions as people do,
or says when anything was written. `--features` keeps what was gathered between runs.
"""

import argparse
import asyncio
import pickle
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heedful.memory.embeddings.vector_numpy import Floats, NDArray, np
from heedful.memory.recall.ranking_features import FEATURES, Evidence, features
from heedful.memory.recall.recalling import gathered
from heedful.memory.search.terms import UNFILTERED
from tests.benchmarks.retrieval import stored
from tests.benchmarks.retrieval_sets import corpora
from tests.benchmarks.set_embeddings import FixedMeaning, KeptEmbeddings

SHARES = {
    "beam": 1.0,
    "qmsum": 1.0,
    "qmsum-turns": 0.5,
    "faquad": 1.0,
    "xquad-de-en": 0.3,
    "xquad-es-en": 0.3,
}
BY_HAND = {"author": 0.75, "other_author": -0.75, "day": 2.0, "summary": 1.0}
MEANING = frozenset({"part", "mean", "after", "foreign", "around"})
FOLDS = 3
ROUNDS = 3
STEPS = 200
PULL = 0.001
MOST_COMPETING = 60


@dataclass(frozen=True, slots=True)
class Contest:
    """One question: its candidates' features with and without meaning, their messages, and which of these answer."""

    set_name: str
    corpus: str
    rich: Floats
    poor: Floats
    messages: NDArray[np.int64]
    right: NDArray[np.bool_]

    def rows(self, *, degraded: bool) -> Floats:
        """The features as recall sees them."""
        return self.poor if degraded else self.rich


def gather(data: Path, embedder: KeptEmbeddings) -> list[Contest]:
    """Every question of every set, as recall itself sees it."""
    contests = []
    for name in SHARES:
        for corpus in corpora(name, data):
            meaning = FixedMeaning(embedder)
            with stored(corpus, embedder) as connection:
                for place, question in enumerate(corpus.questions):
                    sense = asyncio.run(meaning.sense(question.text))
                    evidence, found = gathered(
                        connection, question.text, filters=UNFILTERED, sense=sense, now=None
                    )
                    bare = Evidence(evidence.question, evidence.lexical, {})
                    numbers = {one.message_seq: n for n, one in enumerate(found)}
                    right = np.array([one.external_id in question.gold for one in found], bool)
                    contests.append(
                        Contest(
                            name,
                            corpus.name if corpus.name != "all" else f"part {place // 40}",
                            np.array(features(evidence, found), np.float32).reshape(
                                len(found), len(FEATURES)
                            ),
                            np.array(features(bare, found), np.float32).reshape(len(found), len(FEATURES)),
                            np.array([numbers[one.message_seq] for one in found], np.int64),
                            right,
                        )
                    )
        sys.stderr.write(f"{name} gathered\n")
    return contests


def learn(contests: Sequence[Contest], *, degraded: bool) -> Floats:
    """The weights of FEATURES."""
    weights = np.array([BY_HAND.get(name, 1.0) for name in FEATURES], np.float32)
    free = np.array([name not in BY_HAND and not (degraded and name in MEANING) for name in FEATURES])
    if degraded:
        weights[[FEATURES.index(name) for name in MEANING]] = 0
    sizes = Counter(one.set_name for one in contests)
    for _ in range(ROUNDS):
        table, valid, right, share = _competing(contests, weights, sizes, degraded=degraded)
        weights = _climbed(weights, free, table, valid, right, share)
    return weights


def _competing(
    contests: Sequence[Contest], weights: Floats, sizes: Counter[str], *, degraded: bool
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_], Floats]:
    kept = [
        (best[0], best[1], SHARES[one.set_name] / sizes[one.set_name])
        for one in contests
        if (best := _best_passages(one, weights, degraded=degraded))[1].any()
    ]
    table = np.zeros((len(kept), MOST_COMPETING, len(FEATURES)), np.float32)
    valid = np.zeros(table.shape[:2], bool)
    right = np.zeros(table.shape[:2], bool)
    for place, (rows, gold, _) in enumerate(kept):
        table[place, : len(rows)], valid[place, : len(rows)], right[place, : len(gold)] = rows, True, gold
    share = np.array([part for _, _, part in kept], np.float32)
    return table, valid, right, share / share.sum()


def _best_passages(contest: Contest, weights: Floats, *, degraded: bool) -> tuple[Floats, NDArray[np.bool_]]:
    """Each message's best passage, the best messages first; bounded, but for those that answer."""
    rows = contest.rows(degraded=degraded)
    order = np.argsort(-(rows @ weights), kind="stable")
    _, first = np.unique(contest.messages[order], return_index=True)
    chosen = order[np.sort(first)]
    right = contest.right[chosen]
    rank = np.arange(len(chosen))
    keep = np.sort(np.concatenate([rank[right][:10], rank[~right][: MOST_COMPETING - 10]]))
    return rows[chosen[keep]], right[keep]


def _climbed(
    weights: Floats,
    free: NDArray[np.bool_],
    table: Floats,
    valid: NDArray[np.bool_],
    right: NDArray[np.bool_],
    share: Floats,
) -> Floats:
    """Adam on the softmax over messages, from these weights on."""
    flat = table.reshape(-1, table.shape[2])
    mean, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        points = np.where(valid, (flat @ weights).reshape(valid.shape), -1e9)
        odds = np.exp(points - points.max(axis=1, keepdims=True))
        won = np.where(right, odds, 0)
        away = odds / odds.sum(axis=1, keepdims=True) - won / (won.sum(axis=1, keepdims=True) + 1e-30)
        slope = ((share[:, None] * away).astype(np.float32).ravel() @ flat + PULL * weights) * free
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope * slope
        pace = 0.15 * min(1.0, 2 * (1 - step / STEPS) + 0.05)
        moved = (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights = (weights - pace * moved).astype(np.float32)
    return weights


def cross_check(contests: Sequence[Contest], *, degraded: bool) -> None:
    """Prints what weights learned on other conversations score on each set."""
    groups = sorted({(one.set_name.split("-")[0], one.corpus) for one in contests})
    fold = {group: place % FOLDS for place, group in enumerate(groups)}
    tally: dict[str, Counter[str]] = {name: Counter() for name in SHARES}
    for part in range(FOLDS):
        inside = [one for one in contests if fold[one.set_name.split("-")[0], one.corpus] != part]
        weights = learn(inside, degraded=degraded)
        for one in contests:
            if fold[one.set_name.split("-")[0], one.corpus] == part:
                _score(one, weights, tally[one.set_name], degraded=degraded)
    for name, counts in tally.items():
        figures = " ".join(f"any@{first} {counts[f'any@{first}'] / counts['n']:.3f}" for first in (1, 5, 10))
        sys.stdout.write(
            f"{'words alone' if degraded else 'with meaning':13} {name:12} {figures}  n {counts['n']}\n"
        )


def _score(contest: Contest, weights: Floats, counts: Counter[str], *, degraded: bool) -> None:
    _, right = _best_passages(contest, weights, degraded=degraded)
    counts["n"] += 1
    for first in (1, 5, 10):
        counts[f"any@{first}"] += bool(right[:first].any())


def written(contests: Sequence[Contest]) -> str:
    """The weights file."""
    lines = [
        "# Learned by tests/benchmarks/train_ranker.py; author, other_author, day and summary are set by hand."
    ]
    for title, degraded in (("words_and_meaning", False), ("words_alone", True)):
        lines += ["", f"[{title}]"]
        learned = zip(FEATURES, learn(contests, degraded=degraded), strict=True)
        lines += [
            f"{name} = {float(weight):.2f}" for name, weight in learned if not (degraded and name in MEANING)
        ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Gathers, learns, and prints or writes."""
    parser = argparse.ArgumentParser(prog="train_ranker", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--cross-check", action="store_true")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--features", type=Path)
    asked = parser.parse_args(arguments)
    if asked.features is not None and asked.features.exists():
        contests: list[Contest] = pickle.loads(asked.features.read_bytes())
    else:
        contests = gather(asked.data, KeptEmbeddings(asked.vectors))
        if asked.features is not None:
            asked.features.write_bytes(pickle.dumps(contests))
    if asked.cross_check:
        cross_check(contests, degraded=False)
        cross_check(contests, degraded=True)
    text = written(contests)
    (asked.write.write_text(text, encoding="utf-8") if asked.write else sys.stdout.write(text))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
