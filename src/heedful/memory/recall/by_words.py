"""The words' half of recall: which passages share telling words with a question, and how rare those words are.

The cost of a look-up grows with the passages that hold its words, so the rarest words are asked for first and
common ones only as long as all together stay within a bound.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from heedful.memory.search.question import Question, Term
from heedful.memory.search.scope import Scope, share_of, within
from heedful.memory.search.terms import narrowed, placed, quoted, spelled
from heedful.storage import Connection, Row, Value

MOST_POSTINGS = 4_000
"""Passages that the words of one look-up may touch, but for its rarest word; a word in more counts as in so many."""

MOST_COUNTED = 2_000
"""Passages up to which a word's are counted; those of a more common one are reckoned from how close they lie."""

MOST_RANKED = 8_000
"""Passages of which the best are chosen; of a look-up whose rarest word is in more, the newest."""

BEST_OF_ALL = 640
"""So many of the best anywhere are asked whether a scope lets them through, before each match is asked."""

MOSTLY = 0.75
"""Where a scope lets this share through, twice as many as are wanted will do."""

FUZZY_FROM = 5
"""A word of fewer letters that is nowhere is not tried by its beginning."""

WEIGHTS = "1.0, 2.0, 1.5, 1.0"
"""Of bm25 by column: text, subject, people, stems."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """`scores` by chunk, the best first, higher for better; `rarity` of each of the question's words, 0 for unknown."""

    scores: Mapping[int, float]
    rarity: Mapping[str, float]


def lexical(connection: Connection, question: Question, *, limit: int, scope: Scope) -> Lexical:
    """The passages that match best by words."""
    total = int(connection.value("SELECT max(seq) FROM chunks") or 0)
    counts = counted(connection, "chunk_index", question.terms, total)
    if scope.filters.among is not None:
        counts = _let_through(connection, question.terms, counts, scope)
    rarity = {word: _rarity(count, total) for word, count in counts.items()}
    query = _query(question, counts)
    if not query:
        return Lexical({}, rarity)
    is_wide = min(filter(None, counts.values()), default=0) > MOST_RANKED
    rows = None
    if not (is_wide or scope.is_whole or scope.few is not None):
        asked = 2 * limit if share_of(connection, scope, total) >= MOSTLY else BEST_OF_ALL
        rows = _best_let_through(connection, query, limit=limit, scope=scope, asked=asked)
    if rows is None:
        rows = _best(connection, query, limit=limit, scope=scope, is_wide=is_wide)
    return Lexical({int(seq or 0): -float(score or 0.0) for seq, score in rows}, rarity)


def _let_through(
    connection: Connection, terms: Iterable[Term], counts: Mapping[str, int], scope: Scope
) -> dict[str, int]:
    """The counts, but none of a word that is nowhere in the scope.

    Whoever may see some sources only would tell from what is done with it that it is elsewhere.
    """
    near, bindings = _narrowing(scope)
    anywhere = f"SELECT 1 FROM chunk_index {near} chunk_index MATCH :query LIMIT 1"
    return {
        term.word: counts[term.word]
        if connection.value(anywhere, {**bindings, "query": alternatives(term)})
        else 0
        for term in terms
    }


def _best_let_through(
    connection: Connection, query: str, *, limit: int, scope: Scope, asked: int
) -> list[Row] | None:
    """As `_best` of a scope that lets much through; None where too few of the best anywhere are let through to tell.

    To ask each match where it is from costs about as much as to rank it.
    """
    rows = _best(connection, query, limit=asked, scope=Scope(), is_wide=False)
    passed: list[Row] = []
    for part in (rows[: 2 * limit], rows[2 * limit :]):
        if len(passed) < limit:
            through = frozenset(within(connection, [int(seq or 0) for seq, _ in part], scope))
            passed += [row for row in part if row[0] in through]
    return passed[:limit] if len(passed) >= limit or len(rows) < asked else None


def _best(connection: Connection, query: str, *, limit: int, scope: Scope, is_wide: bool) -> list[Row]:
    """The best matches that the scope lets through with their scores, the lower the better; if wide, of the newest."""
    near, bindings = _narrowing(scope)
    matching = (
        f"SELECT chunk_index.rowid, bm25(chunk_index, {WEIGHTS}) AS score FROM chunk_index "
        f"{near} chunk_index MATCH :query "
    )
    if is_wide:
        matching = (
            f"SELECT rowid, score FROM ({matching} ORDER BY chunk_index.rowid DESC LIMIT {MOST_RANKED})"
        )
    return connection.rows(
        f"{matching} ORDER BY score LIMIT :limit", {**bindings, "query": query, "limit": limit}
    )


def _narrowing(scope: Scope) -> tuple[str, dict[str, Value]]:
    """What narrows the index's rows, behind its name, and its bindings."""
    if scope.is_whole:
        return "WHERE", {}
    if scope.few is not None:
        # The plus keeps the index from being asked anew for each of them.
        few = "WHERE +chunk_index.rowid IN (SELECT value FROM json_each(:few)) AND"
        return few, {"few": json.dumps(sorted(scope.few))}
    _, bindings = narrowed(scope.filters)
    near = placed(scope.filters)
    return f"CROSS JOIN chunk_places p ON p.chunk_seq = chunk_index.rowid AND {near} WHERE", bindings


def _query(question: Question, counts: Mapping[str, int]) -> str:
    telling = [term for term in question.terms if term.weight == 1.0] or list(question.terms)
    unknown = [term for term in telling if not counts[term.word] and len(term.beginning) >= FUZZY_FROM]
    begun = [quoted(term.beginning) + "*" for term in unknown]
    return " OR ".join([*begun, *map(alternatives, rarest(telling, counts))])


def rarest(terms: Sequence[Term], counts: Mapping[str, int]) -> list[Term]:
    """The words that are anywhere, the rarest first: one, and as many more as stay within MOST_POSTINGS together."""
    known = sorted((term for term in terms if counts[term.word]), key=lambda one: counts[one.word])
    together = accumulate(counts[term.word] for term in known)
    return [
        term for term, postings in zip(known, together, strict=True)
        if term is known[0] or postings <= MOST_POSTINGS
    ]  # fmt: skip


def alternatives(term: Term) -> str:
    """A word's forms as an index takes them, any of which will do."""
    return " OR ".join(spelled(form) for form in term.forms)


def counted(connection: Connection, index: str, terms: Iterable[Term], total: int) -> dict[str, int]:
    """By word: in how many of all rows of an index it is, of which the last has the number `total`."""
    return {term.word: _count(connection, index, term, total) for term in terms}


def _count(connection: Connection, index: str, term: Term, total: int) -> int:
    """Reckoned where a word is in many, for its rarity changes little then."""
    found = connection.row(
        f"SELECT count(*), max(rowid) FROM (SELECT rowid FROM {index} WHERE {index} MATCH ? LIMIT ?)",
        (alternatives(term), MOST_COUNTED),
    )
    count, last = (int(value or 0) for value in found or (0, 0))
    return count if count < MOST_COUNTED else count * total // last


def _rarity(count: int, total: int) -> float:
    """Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), §3.1, with one added inside."""
    return math.log(1 + (total - count + 0.5) / (count + 0.5)) if count else 0.0
