"""Learns `judgement/weights.toml` from labelled sentences: JSON lines with `text` and `label` (Yes or No).

usage: python -m tests.benchmarks.train_weights SENTENCES.jsonl [--cross-check | WEIGHTS.toml]

A logistic model with a Gaussian prior: what is known of a cue beforehand is its expected weight, so that a wording
too rare in the training text keeps a sensible one. The same input gives the same file.
"""

import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from heedful.judgement.cues import cues
from heedful.judgement.detect import THRESHOLD, read_sentence
from heedful.judgement.weighing import Weights

Row = tuple[frozenset[str], bool]

PRIOR: Mapping[str, float] = {
    "please": 2, "please_do": 1, "can_you": 2, "need_you": 1.5, "let_know": 2, "appreciate": 2, "imperative_first": 1,
    "imperative": 0.7, "would_mind": 1.2, "propose": 1, "availability": 1, "commit": 0.3, "question": 1.5, "asked": 0.5,
    "imperative+me_us": 1, "closing": -1.2, "hearsay": -1, "past": -0.5, "marketing": -0.5, "boilerplate": -5,
    "filler": -1.5, "note": -1, "thanks": -1, "automatic": -1, "subject_start": -0.7, "one_word": -1.5,
    "rhetorical": -2,
}  # fmt: skip
WEIGHED = """
please can_you can_we would_mind need_you i_need let_know appreciate closing commit propose availability
meeting_word deadline second_person you first_person subject_start you_start wh_start aux_start
condition_start past hearsay rhetorical marketing thanks note negated automatic you_may filler boilerplate
asked me_us question question_inside exclaimed colon one_word short middling long address number called
imperative please_do imperative_first imperative_later arranging modal we_start eager suits posting others
"""
VOCABULARY = frozenset(WEIGHED.split())
SINGLE_LEAST, PAIR_LEAST = 6, 12
SINGLE_PENALTY, PAIR_PENALTY = 3.0, 12.0
ROUNDS, STEP, SMALLEST = 150, 0.5, 0.02
FOLDS = 5


def read_rows(path: Path) -> list[tuple[str, Row]]:
    """Each sentence's text with its features and label."""
    book = cues("en")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [(row["text"], (read_sentence(row["text"], book).features, row["label"] == "Yes")) for row in rows]


def learn(rows: Sequence[Row]) -> Weights:
    """Full-batch AdaGrad on the penalised log-likelihood, starting at the prior."""
    counts = Counter(name for features, _ in rows for name in features)
    names = sorted(set(PRIOR) | {name for name, count in counts.items() if _is_kept(name, count)})
    place = {name: number for number, name in enumerate(names)}
    prior = [float(PRIOR.get(name, 0.0)) for name in names]
    penalty = [PAIR_PENALTY if "+" in name else SINGLE_PENALTY for name in names]
    sparse = [(sorted(place[name] for name in features if name in place), label) for features, label in rows]
    weights, bias = list(prior), -1.0
    seen, seen_bias = [1e-3] * len(names), 1e-3
    for _ in range(ROUNDS):
        slopes = [
            cost * (weight - before) for cost, weight, before in zip(penalty, weights, prior, strict=True)
        ]
        slope_bias = 0.0
        for held, label in sparse:
            odds = bias + sum(weights[number] for number in held)
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds)))) - label
            slope_bias += error
            for number in held:
                slopes[number] += error
        seen_bias += slope_bias**2
        bias -= STEP * slope_bias / math.sqrt(seen_bias)
        for number, slope in enumerate(slopes):
            seen[number] += slope**2
            weights[number] -= STEP * slope / math.sqrt(seen[number])
    return Weights(bias, dict(zip(names, weights, strict=True)))


def _is_kept(name: str, count: int) -> bool:
    parts = name.split("+")
    return set(parts) <= VOCABULARY and count >= (PAIR_LEAST if len(parts) > 1 else SINGLE_LEAST)


def cross_check(rows: Sequence[tuple[str, Row]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of sentences judged by weights that never saw them."""
    fold = [int(hashlib.sha256(text.encode()).hexdigest(), 16) % FOLDS for text, _ in rows]
    right = shown = wanted = 0
    for number in range(FOLDS):
        model = learn([row for (_, row), its in zip(rows, fold, strict=True) if its != number])
        for (_, (features, label)), its in zip(rows, fold, strict=True):
            if its == number:
                seen = model.probability(features) >= THRESHOLD
                right, shown, wanted = right + (seen and label), shown + seen, wanted + label
    return right / shown, right / wanted, 2 * right / (shown + wanted)


def as_toml(weights: Weights) -> str:
    """The weights as their data file."""
    told = "# Learnt by tests/benchmarks/train_weights.py: what each feature adds to the log-odds.\n"
    lines = [
        f'"{name}" = {weight:.2f}' for name, weight in sorted(weights.of.items()) if abs(weight) >= SMALLEST
    ]
    return f"{told}bias = {weights.bias:.3f}\n\n[weights]\n" + "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Checks or writes, as the arguments say."""
    rows = read_rows(Path(arguments[0]))
    if "--cross-check" in arguments:
        sys.stdout.write("P {:.3f} R {:.3f} F1 {:.3f}\n".format(*cross_check(rows)))
    else:
        Path(arguments[1]).write_text(as_toml(learn([row for _, row in rows])), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
