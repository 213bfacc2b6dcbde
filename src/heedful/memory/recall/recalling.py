"""Finds what fits a question, the best first: words, people, threads, days and, where a model is in reach, meaning.

Words and vectors each name a shortlist; a small linear ranking over explainable features decides. A message is
found once, by its best passage. Without a model the same is done by words alone, and each hit says so. A question that
wants an overview also goes down through the summaries that fit it, and a hit from there says so; where it names
nothing but days, it is about what was said on them.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

from heedful.memory.embeddings.vector_meaning import Sense
from heedful.memory.embeddings.vector_nearness import UNKNOWN
from heedful.memory.recall.by_words import Lexical, lexical
from heedful.memory.recall.candidates import Candidate, candidates
from heedful.memory.recall.days import on_the_day
from heedful.memory.recall.nodes import below_summaries
from heedful.memory.recall.ranking import boosts, score, weights
from heedful.memory.recall.ranking_features import FEATURES, Evidence, features
from heedful.memory.search.hits import MOST_HITS, Hit, excerpt
from heedful.memory.search.question import Question, understand
from heedful.memory.search.scope import Scope, scope_of, within
from heedful.memory.search.terms import UNFILTERED, Filters
from heedful.storage import Connection

BY_WORDS = 80
BY_MEANING = 40
BY_DAY = 60
LOOKED_AT = 60
"""Passages whose text is read; the more, the longer a look-up takes."""
COMPARED = 90
"""Passages whose vectors are read; those that by their codes in memory are the likeliest."""


def recall(
    connection: Connection,
    text: str,
    *,
    limit: int = 10,
    filters: Filters = UNFILTERED,
    sense: Sense | None = None,
    now: datetime | None = None,
) -> list[Hit]:
    """Passages that may answer `text`, one a message, the best first.

    `sense` is what `Meaning.sense` made of the same text; without it hits are `degraded`. Days that the text names
    count only where `now` is given.
    """
    evidence, found = gathered(connection, text, filters=filters, sense=sense, now=now)
    rows = features(evidence, found)
    degraded = not evidence.nearness
    ranked = sorted(
        zip((score(row, degraded=degraded) for row in rows), rows, found, strict=True),
        key=lambda one: (-one[0], -one[2].sent_at.timestamp(), one[2].seq),
    )
    ranks = {seq: rank for rank, seq in enumerate(evidence.lexical.scores, start=1)}
    words = [term.beginning for term in evidence.question.terms]
    hits: dict[int, Hit] = {}
    for points, row, candidate in ranked:
        if len(hits) == min(limit, MOST_HITS):
            break
        if candidate.message_seq not in hits:
            near = evidence.nearness.get(candidate.seq)
            hits[candidate.message_seq] = _hit(
                candidate,
                points,
                words,
                rank=ranks.get(candidate.seq),
                cosine=near.part if near is not None else None,
                reasons=boosts(row, degraded=degraded),
                degraded=degraded,
            )
    return list(hits.values())


def gathered(
    connection: Connection, text: str, *, filters: Filters, sense: Sense | None, now: datetime | None
) -> tuple[Evidence, list[Candidate]]:
    """Everything the ranking looks at; for `recall`, and for whoever trains its weights."""
    question, scope = understand(text, now=now), scope_of(connection, filters)
    by_day = on_the_day(connection, question, limit=BY_DAY, filters=filters)
    if question.is_only_of_days and by_day:
        by_words, by_meaning = Lexical({}, {}), list[int]()
    else:
        by_words, by_meaning = _by_words_and_meaning(connection, question, sense, scope)
    below: Mapping[int, float] = {}
    if question.is_broad:
        leaves = by_meaning or list(by_words.scores)
        below = below_summaries(connection, question, sense=sense, leaves=leaves, among=filters.among)
    others = dict.fromkeys(seq for seq in (*by_meaning, *by_day, *below) if seq not in by_words.scores)
    passed = [*by_words.scores, *within(connection, list(others), scope)]
    evidence = Evidence(question, by_words, {}, below)
    if sense is not None:
        evidence, passed = _compared(connection, sense, evidence, passed, by_day)
    chosen = likeliest(evidence, passed, by_day)
    return evidence, candidates(connection, chosen, filters)


def _by_words_and_meaning(
    connection: Connection, question: Question, sense: Sense | None, scope: Scope
) -> tuple[Lexical, list[int]]:
    """What either finds. While the store looks for words, codes are compared on another thread, without the store."""
    if sense is None:
        return lexical(connection, question, limit=BY_WORDS, scope=scope), []
    from heedful.memory.embeddings.vector_within import nearest_within, ranking_within

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="codes") as beside:
        ranked = beside.submit(ranking_within(connection, sense, scope))
        by_words = lexical(connection, question, limit=BY_WORDS, scope=scope)
    by_meaning = nearest_within(connection, sense, scope, count=BY_MEANING, ranked=ranked.result())
    return by_words, by_meaning


def _compared(
    connection: Connection, sense: Sense, evidence: Evidence, seqs: list[int], by_day: Sequence[int]
) -> tuple[Evidence, list[int]]:
    """The likeliest of these passages by their codes, and the evidence with how near each of them is."""
    from heedful.memory.embeddings.vector_search import guessed, nearness_of, pieces_of, roughly

    pieces = pieces_of(connection, sense, seqs)
    if pieces is None:
        return evidence, seqs
    guesses = guessed(sense, pieces)
    rough = replace(evidence, nearness=roughly(pieces, guesses))
    likely = likeliest(rough, seqs, by_day, most=COMPARED)
    near = nearness_of(connection, sense, frozenset(likely), pieces, guesses)
    return replace(evidence, nearness=near), likely


def likeliest(
    evidence: Evidence, seqs: Iterable[int], by_day: Sequence[int], *, most: int = LOOKED_AT
) -> list[int]:
    """The passages worth a closer look: the best by what is known before their text is read."""
    on_day = frozenset(by_day)
    weight = dict(zip(FEATURES, weights(degraded=not evidence.nearness), strict=True))
    match, part, mean, after, summary, day = (
        weight[name] for name in ("match", "part", "mean", "after", "summary", "day")
    )
    scores, best = evidence.lexical.scores, max(evidence.lexical.scores.values(), default=0.0) or 1.0

    def promise(seq: int) -> float:
        near = evidence.nearness.get(seq, UNKNOWN)
        return (
            match * scores.get(seq, 0.0) / best
            + part * near.part
            + mean * near.mean
            + after * near.after
            + summary * evidence.below.get(seq, 0.0)
            + day * (seq in on_day)
        )

    return sorted(seqs, key=lambda seq: (-promise(seq), seq))[:most]


def _hit(
    candidate: Candidate,
    points: float,
    words: Sequence[str],
    *,
    rank: int | None,
    cosine: float | None,
    reasons: dict[str, float],
    degraded: bool,
) -> Hit:
    return Hit(
        chunk_id=candidate.chunk_id,
        score=round(points, 4),
        source_id=candidate.source_id,
        thread_id=candidate.thread_id,
        message_id=candidate.message_id,
        external_id=candidate.external_id,
        author=candidate.author,
        sent_at=candidate.sent_at,
        subject=candidate.subject,
        excerpt=excerpt(candidate.text, words),
        fts_rank=rank,
        cosine=None if cosine is None else round(cosine, 4),
        boosts=reasons,
        degraded=degraded,
    )
