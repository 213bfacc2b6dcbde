"""The peer that recall is measured beside: plain FTS5 over the same messages, and what else had been tried on them.

The peer sees each message as one line of date, author and text, stems English words, and asks for any word of the
question but the stop-words of its language, the best bm25 first.
"""

import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from heedful.reading import guess, is_stop_word
from tests.benchmarks.retrieval_sets import Corpus, corpora

SHOWN = 20
MEASURES = ("any@1", "any@5", "any@10", "thread@5")

BEST_BEFORE: Mapping[str, float] = {
    "locomo, thread@5": 0.938,
    "locomo, any@5": 0.666,
    "locomo, any@10": 0.756,
    "beam, any@5": 0.587,
    "beam, any@10": 0.681,
    "qmsum, any@5": 0.836,
    "faquad, any@1": 0.825,
    "xquad-de-en, any@5": 0.528,
    "xquad-es-en, any@5": 0.431,
}
"""The best that had been measured before on each set: plain FTS5, speaker and neighbours without a model, or the
small multilingual model at a tuned weight beside them."""

_WORD = re.compile(r"\w+")


def plain_scores(name: str, data: Path) -> dict[str, float]:
    """The shares of a set's questions that plain FTS5 answers, by measure."""
    tally = dict.fromkeys(MEASURES, 0)
    asked = 0
    for corpus in corpora(name, data):
        threads = {message.id: message.thread for message in corpus.messages}
        index = _index(corpus)
        for question in corpus.questions:
            asked += 1
            for measure in _answered(_found(index, corpus, question.text), question.gold, threads):
                tally[measure] += 1
        index.close()
    return {measure: count / max(1, asked) for measure, count in tally.items()}


def _index(corpus: Corpus) -> sqlite3.Connection:
    index = sqlite3.connect(":memory:")
    index.execute(
        "CREATE VIRTUAL TABLE told USING fts5 (line, tokenize = 'porter unicode61 remove_diacritics 2')"
    )
    index.executemany(
        "INSERT INTO told (rowid, line) VALUES (?, ?)",
        [
            (number, f"{message.at:%d %B %Y} {message.author}: {message.text}")
            for number, message in enumerate(corpus.messages)
        ],
    )
    return index


def _found(index: sqlite3.Connection, corpus: Corpus, question: str) -> list[str]:
    words = _WORD.findall(question.casefold())
    lang = guess(question)
    telling = [word for word in words if not is_stop_word(word, lang)] or words
    rows = index.execute(
        "SELECT rowid FROM told WHERE told MATCH ? ORDER BY rank LIMIT ?",
        (" OR ".join(f'"{word}"' for word in telling), SHOWN),
    )
    return [corpus.messages[number].id for (number,) in rows]


def _answered(found: Sequence[str], gold: Collection[str], threads: Mapping[str, str]) -> list[str]:
    """The measures by which a question counts as answered."""
    held = [f"any@{first}" for first in (1, 5, 10) if any(one in gold for one in found[:first])]
    near = list(dict.fromkeys(threads[one] for one in found))[:5]
    return [*held, "thread@5"] if any(threads[one] in near for one in gold) else held
