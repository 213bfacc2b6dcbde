"""How much of the evidence reaches a prompt of a given size: through the tree, against hits one after another.

usage: python -m tests.benchmarks.context DATA [SET …] [--vectors FILE]

A question's evidence are the messages that answer it; a message counts by the share of its characters that are in
the context. Flat is what `recall` finds, the best first, each with its day, conversation and author, as long as it
fits; bare is the same with the author alone. Through the tree is what `memory.recall.context` assembles. All are
filled to the same number of tokens, by the product's own count.
"""

import argparse
import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from heedful.core.ids import ChunkId
from heedful.memory import Hit, Sense, recall
from heedful.memory.recall.context import assemble
from heedful.memory.search.hits import MOST_HITS
from heedful.storage import Connection
from heedful.tokenjuice import tokens_in
from tests.benchmarks.report import Figure
from tests.benchmarks.retrieval import stored
from tests.benchmarks.retrieval_sets import Asked, corpora, folder
from tests.benchmarks.set_embeddings import FixedMeaning, KeptEmbeddings

SETS = ("locomo", "beam", "qmsum-turns")
BUDGETS = (500, 1000, 2000)
WAYS = ("flat", "bare", "tree")


@dataclass(slots=True)
class Tally:
    """Shares of evidence and tokens, summed over questions."""

    shares: float = 0.0
    tokens: int = 0
    asked: int = 0

    @property
    def share(self) -> float:
        """The mean share of a question's evidence."""
        return self.shares / max(1, self.asked)

    @property
    def per_thousand(self) -> float:
        """Evidence recall per 1,000 prompt tokens."""
        return 1000 * self.shares / max(1, self.tokens)


@dataclass(slots=True)
class _Passages:
    """The passages of a corpus: whose they are, and how long."""

    texts: Mapping[ChunkId, str]
    messages: Mapping[ChunkId, str]
    titles: Mapping[ChunkId, str]
    lengths: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, connection: Connection) -> "_Passages":
        rows = connection.rows(
            "SELECT c.id, substr(m.text, c.start + 1, c.finish - c.start), m.external_id, t.title FROM chunks c "
            "JOIN messages m ON m.seq = c.message_seq JOIN threads t ON t.id = m.thread_id"
        )
        read = [
            (ChunkId(str(row[0])), " ".join(str(row[1]).split()), str(row[2]), str(row[3])) for row in rows
        ]
        found = cls(
            {one[0]: one[1] for one in read},
            {one[0]: one[2] for one in read},
            {one[0]: one[3] for one in read},
        )
        for _, text, message, _ in read:
            found.lengths[message] = found.lengths.get(message, 0) + len(text)
        return found

    def share(self, chosen: Sequence[ChunkId], asked: Asked) -> float:
        """How much of a question's evidence these passages hold."""
        held = dict.fromkeys(asked.gold, 0)
        for chunk_id in dict.fromkeys(chosen):
            if self.messages[chunk_id] in held:
                held[self.messages[chunk_id]] += len(self.texts[chunk_id])
        return sum(size / max(1, self.lengths[message]) for message, size in held.items()) / len(held)


def measured(name: str, data: Path, embedder: KeptEmbeddings) -> dict[tuple[str, int], Tally]:
    """The tallies of a set, by way and budget."""
    tallies = {(way, budget): Tally() for way in WAYS for budget in BUDGETS}
    meaning = FixedMeaning(embedder)
    for corpus in corpora(name, data):
        now = max(message.at for message in corpus.messages)
        with stored(corpus, embedder) as connection:
            passages = _Passages.of(connection)
            for question in corpus.questions:
                sense = asyncio.run(meaning.sense(question.text))
                for way, budget, chosen, tokens in _filled(connection, passages, question, sense, now):
                    tally = tallies[way, budget]
                    tally.shares += passages.share(chosen, question)
                    tally.tokens += tokens
                    tally.asked += 1
    return tallies


def _filled(
    connection: Connection, passages: _Passages, question: Asked, sense: Sense | None, now: datetime
) -> Iterator[tuple[str, int, list[ChunkId], int]]:
    hits = recall(connection, question.text, limit=MOST_HITS, sense=sense, now=now)
    for budget in BUDGETS:
        for way, with_head in (("flat", True), ("bare", False)):
            yield way, budget, *_flat(passages, hits, budget, with_head=with_head)
        tree = assemble(connection, question.text, budget=budget, sense=sense, now=now)
        yield "tree", budget, [one.chunk_id for one in tree.lines if one.chunk_id is not None], tree.tokens


def _flat(
    passages: _Passages, hits: Sequence[Hit], budget: int, *, with_head: bool
) -> tuple[list[ChunkId], int]:
    chosen: list[ChunkId] = []
    spent = 0
    for hit in hits:
        head = f"[{hit.sent_at:%Y-%m-%d}, {passages.titles[hit.chunk_id]}] " if with_head else ""
        size = tokens_in(f"{head}{hit.author}: {passages.texts[hit.chunk_id]}\n")
        if spent + size <= budget:
            spent += size
            chosen.append(hit.chunk_id)
    return chosen, spent


def figures(data: Path, embedder: KeptEmbeddings) -> list[Figure]:
    """The tree against flat at each budget; the bound of the tree's share is the flat one's."""
    found = []
    for name in SETS:
        if folder(name, data).exists():
            tallies = measured(name, data, embedder)
            found += [_figure(name, budget, tallies) for budget in BUDGETS]
    return found


def _figure(name: str, budget: int, tallies: Mapping[tuple[str, int], Tally]) -> Figure:
    tree, flat, bare = (tallies[way, budget] for way in ("tree", "flat", "bare"))
    return Figure(
        f"{name}, evidence recall per 1,000 tokens at {budget:,}", tree.per_thousand, "", flat.per_thousand, "least",
        f"flat {flat.per_thousand:.3f}; of the evidence {tree.share:.3f} against {flat.share:.3f}, "
        f"{bare.share:.3f} without headings; {tree.asked} questions",
    )  # fmt: skip


def main(arguments: list[str]) -> int:
    """Prints each way beside the others."""
    parser = argparse.ArgumentParser(prog="context", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--vectors", type=Path)
    asked = parser.parse_args(arguments)
    embedder = KeptEmbeddings(asked.vectors)
    for name in asked.sets or SETS:
        tallies = measured(name, asked.data, embedder)
        for budget in BUDGETS:
            told = "  ".join(
                f"{way} {tally.share:.3f} ({tally.per_thousand:.3f} per 1,000)"
                for way in WAYS
                for tally in [tallies[way, budget]]
            )
            sys.stdout.write(f"{name:12} {budget:5}  {told}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
