"""How well recall finds what answers a question, on public sets, in this process.

usage: python -m tests.benchmarks.retrieval DATA [SET …] [--without-model] [--vectors FILE]

Prints, for each set, the share of questions with an answering message among the first 1, 5 and 10, and the share
with its thread among the first 5 threads. `--vectors` keeps embeddings between runs.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heedful.core.ids import SourceId
from heedful.memory import recall
from heedful.memory.embeddings import vector_work
from heedful.memory.embeddings.vector_store import keep, pending
from heedful.memory.intake.door import take_in
from heedful.reading import Zone, ZoneKind, guess
from heedful.sources import Batch, Incoming, Person
from heedful.storage import Connection
from heedful.storage.migrating import migrate
from tests.benchmarks.grown import grow
from tests.benchmarks.report import Figure
from tests.benchmarks.retrieval_sets import BEGIN, Corpus, Said, corpora, folder
from tests.benchmarks.set_embeddings import FixedMeaning, KeptEmbeddings

BARS = {
    "locomo": {"thread@5": 0.95, "any@5": 0.72, "any@10": 0.80},
    "beam": {"any@5": 0.65, "any@10": 0.75},
    "qmsum": {"any@5": 0.88},
    "faquad": {"any@1": 0.90},
    "xquad-de-en": {"any@5": 0.80},
    "xquad-es-en": {"any@5": 0.80},
}
SETS = tuple(BARS)
SOURCE = SourceId("set")
SHOWN = 20
AT_ONCE = 256


@contextmanager
def stored(corpus: Corpus, embedder: KeptEmbeddings | None) -> Iterator[Connection]:
    """A store that holds one corpus and the tree above it, with their vectors where there is an embedder."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "set.db"
        connection = Connection(file, None)
        migrate(connection, file)
        with connection.transaction():
            connection.execute(
                "INSERT INTO sources (id, kind, name, path, created_at) VALUES (?, 'messages', 'set', '', 0)",
                (SOURCE,),
            )
            items = tuple(_incoming(corpus.name, one) for one in corpus.messages)
            take_in(connection, SOURCE, Batch(items, (), "", len(items), len(items)), now=BEGIN)
        if embedder is not None:
            asyncio.run(_embed_all(connection, embedder))
        grow(connection, embedder)
        yield connection
        connection.close()


async def _embed_all(connection: Connection, embedder: KeptEmbeddings) -> None:
    place: int | None = 0
    while place is not None:
        waiting, upto = pending(connection, place, limit=AT_ONCE)
        batch = await vector_work.embed(embedder, waiting, upto)
        if batch.made:
            with connection.transaction():
                keep(connection, embedder.id, batch.dimensions, batch.made)
        place = batch.upto


def _incoming(corpus: str, one: Said) -> Incoming:
    return Incoming(
        kind="note", channel="note", external_id=one.id, identity=f"{corpus}/{one.id}", thread_key=one.thread,
        thread_title=one.thread, author=Person(one.author, ""), sent_at=one.at, subject="", text=one.text,
        zones=(Zone(ZoneKind.NEW, 0, len(one.text)),), lang=guess(one.text),
    )  # fmt: skip


def figures(data: Path, embedder: KeptEmbeddings) -> list[Figure]:
    """Every set that is under `data`, with its bars, in one configuration and with the embedded model."""
    found = []
    for name, bars in BARS.items():
        if not folder(name, data).exists():
            continue
        shares, asked = scores(name, data, embedder)
        found += [
            Figure(f"{name}, {key}", shares[key], "", bar, "least", f"{asked} questions")
            for key, bar in bars.items()
        ]
    return found


def scores(name: str, data: Path, embedder: KeptEmbeddings | None) -> tuple[dict[str, float], int]:
    """The shares of a set's questions that were answered, by measure, and how many questions there were."""
    tally = {"any@1": 0, "any@5": 0, "any@10": 0, "thread@5": 0}
    asked = 0
    for corpus in corpora(name, data):
        threads = {message.id: message.thread for message in corpus.messages}
        with stored(corpus, embedder) as connection:
            meaning = FixedMeaning(embedder) if embedder is not None else None
            now = max(message.at for message in corpus.messages)
            for question in corpus.questions:
                sense = asyncio.run(meaning.sense(question.text)) if meaning is not None else None
                hits = recall(connection, question.text, limit=SHOWN, sense=sense, now=now)
                found = list(dict.fromkeys(hit.external_id for hit in hits))
                asked += 1
                for first in (1, 5, 10):
                    tally[f"any@{first}"] += not question.gold.isdisjoint(found[:first])
                near = list(dict.fromkeys(threads[one] for one in found))[:5]
                tally["thread@5"] += not {threads[one] for one in question.gold}.isdisjoint(near)
    return {key: count / max(1, asked) for key, count in tally.items()}, asked


def main(arguments: list[str]) -> int:
    """Prints one line a set."""
    parser = argparse.ArgumentParser(prog="retrieval", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--without-model", action="store_true")
    parser.add_argument("--vectors", type=Path)
    asked = parser.parse_args(arguments)
    embedder = None if asked.without_model else KeptEmbeddings(asked.vectors)
    for name in asked.sets or SETS:
        shares, count = scores(name, asked.data, embedder)
        told = " ".join(f"{key} {share:.3f}" for key, share in shares.items())
        sys.stdout.write(f"{name:14} {told}  n {count}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
