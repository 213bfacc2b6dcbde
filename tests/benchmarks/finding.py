"""How fast passages are found in a store that has vectors: search and recall beside plain FTS5, narrowed and not.

All in one run on one connection, as a reader of the program has it. Notes give processor time beside wall time: on a
machine that does other work too it is the part that is ours.
"""

import asyncio
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import psutil

from heedful.core.clock import from_millis
from heedful.core.ids import SourceId, ThreadId
from heedful.core.settings import EmbeddingSettings
from heedful.memory import Filters, Meaning, recall, search
from heedful.memory.embeddings.vector_codes import cosines
from heedful.memory.embeddings.vector_index import VectorIndex
from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.embeddings.vector_numpy import Floats, np
from heedful.memory.embeddings.vector_search import SHORTLIST, nearest
from heedful.memory.embeddings.vector_store import by_number
from heedful.reading import content_tokens
from heedful.storage import Connection
from tests.benchmarks.report import Figure

SENTENCE = 12
WARM_UP = 20
NEAREST = 10
JUDGED = 60
BOUND_OF_CODES = 80.0
NO_FILTER = Filters()


@dataclass(frozen=True, slots=True)
class Bounds:
    """In milliseconds, of the 95th percentile."""

    finding: float
    vectors: float


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds of each look-up, by the wall and of this thread's own work."""

    wall: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)

    def figure(self, what: str, bound: float | None = None, note: str = "") -> Figure:
        """The 95th percentile by the wall, held against a bound."""
        middle, high = p95(self.worked, 0.5), p95(self.worked)
        said = f"processor: median {middle:.3g}, p95 {high:.3g}"
        return Figure(what, p95(self.wall), "ms", bound, note=f"{said}; {note}" if note else said)


def p95(values: Sequence[float], share: float = 0.95) -> float:
    """The value below which this share of the values lies."""
    return sorted(values)[int(share * len(values))]


def two_words(texts: Sequence[str], count: int) -> list[str]:
    """Two telling words of a random message each."""
    rng = random.Random(11)
    found: list[str] = []
    while len(found) < count:
        words = content_tokens(rng.choice(texts), "en")
        if len(words) >= 2:
            found.append(" ".join(rng.sample(list(words), 2)))
    return found


def sentences(texts: Sequence[str], count: int) -> list[str]:
    """The first words of a random message each, as it was written."""
    rng = random.Random(12)
    found: list[str] = []
    while len(found) < count:
        words = rng.choice(texts).split()
        if len(words) >= SENTENCE // 2:
            found.append(" ".join(words[:SENTENCE]))
    return found


def measure_finding(
    connection: Connection, texts: Sequence[str], bounds: Bounds, *, queries: int, exact: Floats | None
) -> list[Figure]:
    """All figures of finding; `exact` are the vectors as the model made them, in the order of their numbers."""
    meaning = Meaning(EmbeddingSettings)
    words, whole = two_words(texts, queries), sentences(texts, queries)
    timed_senses = Timings()
    senses = asyncio.run(_sensed(meaning, [*words, *whole], timed_senses))
    figures = _codes_read(connection, senses[words[0]])
    for name, texts_asked in (("two words", words), ("a sentence", whole)):
        figures += [
            timed(connection, texts_asked, _plain).figure(f"plain FTS5, {name}", note="the peer"),
            timed(connection, texts_asked, _searching(NO_FILTER)).figure(f"search, {name}", bounds.finding),
            timed(connection, texts_asked, _recalling(NO_FILTER, {})).figure(
                f"recall by words, {name}", bounds.finding
            ),
            timed(connection, texts_asked, _recalling(NO_FILTER, senses)).figure(
                f"recall by words and meaning, {name}", bounds.finding
            ),
        ]
    figures.append(timed_senses.figure("a question's vector, which recall by meaning waits for"))
    for name, filters in narrowings(connection).items():
        figures += [
            timed(connection, words, _searching(filters)).figure(f"search, {name}", bounds.finding),
            timed(connection, whole, _recalling(filters, senses)).figure(
                f"recall by words and meaning, {name}", bounds.finding
            ),
        ]
    figures.append(
        timed(connection, whole, _near(senses)).figure(
            "the hundred nearest vectors, rescored", bounds.vectors
        )
    )
    if exact is not None:
        found = recall_at_10(connection, [senses[text] for text in whole[:JUDGED]], exact)
        figures.append(
            Figure("of the exact ten nearest, found by codes", found, "", 0.98, "least", "against floats")
        )
    return figures


def timed(connection: Connection, texts: Sequence[str], find: Callable[[Connection, str], object]) -> Timings:
    """Each look-up once, in a snapshot of its own, after a few that only warm up."""
    timings = Timings()
    for number, text in enumerate([*texts[-WARM_UP:], *texts]):
        began, worked = time.perf_counter(), time.thread_time()
        with connection.snapshot():
            find(connection, text)
        if number >= WARM_UP:
            timings.worked.append((time.thread_time() - worked) * 1000)
            timings.wall.append((time.perf_counter() - began) * 1000)
    return timings


def narrowings(connection: Connection) -> dict[str, Filters]:
    """A filter of each kind, wide and narrow."""
    sizes = connection.rows(
        "SELECT source_id, count(*) FROM messages GROUP BY source_id ORDER BY count(*) DESC"
    )
    sources = [SourceId(str(row[0])) for row in sizes]
    first, last = (
        from_millis(int(value or 0))
        for value in connection.rows("SELECT min(sent_at), max(sent_at) FROM messages")[0]
    )
    thread = connection.value("SELECT id FROM threads ORDER BY messages DESC, id LIMIT 1")
    person = connection.value("SELECT id FROM entities ORDER BY chunks DESC LIMIT 1")
    span = last - first
    found = {
        "in the biggest source": Filters(source_id=sources[0]),
        "in the smallest source": Filters(source_id=sources[-1]),
        "among some sources": Filters(among=frozenset(sources[:2])),
        "in a thread": Filters(thread_id=ThreadId(str(thread))),
        "in the last hundredth of the time": Filters(since=last - span / 100),
        "in a day": Filters(since=first + span / 2, until=first + span / 2 + timedelta(days=1)),
    }
    return found if person is None else {**found, "of a person": Filters(entity_id=str(person))}


def name_a_person(connection: Connection) -> None:
    """Makes whoever wrote most a person of the registry, as reading all entities would."""
    author = connection.value(
        "SELECT author_id FROM messages GROUP BY author_id ORDER BY count(*) DESC LIMIT 1"
    )
    with connection.transaction():
        connection.execute(
            "INSERT INTO entities (id, kind, name, canonical, made_at) VALUES ('writer', 'person', 'W', 1, 0)"
        )
        connection.execute(
            "INSERT INTO mentions (entity_seq, chunk_seq, role, start, finish, alias_seq, score, said_at) "
            "SELECT e.seq, c.seq, 'author', 0, 0, 0, 1.0, m.sent_at FROM entities e JOIN messages m "
            "JOIN chunks c ON c.message_seq = m.seq WHERE e.id = 'writer' AND m.author_id = ?",
            (author,),
        )
        connection.execute("UPDATE entities SET canonical = seq WHERE id = 'writer'")


def recall_at_10(connection: Connection, senses: Sequence[Sense], exact: Floats) -> float:
    """The share of the exact ten nearest that the shortlist of codes, rescored by eight bits, has as its ten."""
    right = 0
    for sense in senses:
        best = {int(place) + 1 for place in np.argpartition(-(exact @ sense.vector), NEAREST)[:NEAREST]}
        rows = by_number(connection, sense.index.nearest(connection, sense.vector, SHORTLIST))
        values = cosines(sense.vector, [row[3] for row in rows if isinstance(row[3], bytes)])
        found = {int(rows[place][0] or 0) for place in np.argsort(-values)[:NEAREST]}
        right += len(best & found)
    return right / (NEAREST * len(senses))


def _codes_read(connection: Connection, sense: Sense) -> list[Figure]:
    """The first look-up by meaning reads the codes; what the process grows by then is what they take."""
    process = psutil.Process(os.getpid())
    index = VectorIndex(sense.model)
    before, began = process.memory_info().rss, time.perf_counter()
    index.nearest(connection, sense.vector, SHORTLIST)
    took, grown = time.perf_counter() - began, process.memory_info().rss - before
    return [
        Figure("vectors", float(index.size), ""),
        Figure("first question: codes read into memory", took, "s"),
        Figure("codes in memory, a vector", index.size_bytes / index.size, "bytes", BOUND_OF_CODES),
        Figure(
            "resident memory grown by reading them, a vector", grown / index.size, "bytes",
            note="with the reader's page cache and what was freed again",
        ),
    ]  # fmt: skip


async def _sensed(meaning: Meaning, texts: Sequence[str], timings: Timings) -> dict[str, Sense]:
    """The senses of all texts, made on one loop as in the program, after one that does not count."""
    await meaning.sense(texts[0])
    found: dict[str, Sense] = {}
    for text in texts:
        began, worked = time.perf_counter(), time.process_time()
        sense = await meaning.sense(text)
        timings.worked.append((time.process_time() - worked) * 1000)
        timings.wall.append((time.perf_counter() - began) * 1000)
        assert sense is not None
        found[text] = sense
    return found


def _plain(connection: Connection, text: str) -> object:
    query = " ".join('"' + word.replace('"', '""') + '"' for word in text.split())
    return connection.rows(
        "SELECT rowid FROM chunk_index WHERE chunk_index MATCH ? ORDER BY rank LIMIT 10", (query,)
    )


def _searching(filters: Filters) -> Callable[[Connection, str], object]:
    return lambda connection, text: search(connection, text, limit=10, filters=filters)


def _recalling(filters: Filters, senses: dict[str, Sense]) -> Callable[[Connection, str], object]:
    return lambda connection, text: recall(
        connection, text, limit=10, filters=filters, sense=_fresh(senses.get(text))
    )


def _near(senses: dict[str, Sense]) -> Callable[[Connection, str], object]:
    def near(connection: Connection, text: str) -> object:
        sense = _fresh(senses[text])
        assert sense is not None
        return nearest(connection, sense, count=SHORTLIST)

    return near


def _fresh(sense: Sense | None) -> Sense | None:
    """The same, as if nothing had been compared with it yet."""
    return None if sense is None else Sense(sense.model, sense.vector, sense.index)
