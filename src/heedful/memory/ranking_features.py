"""What speaks for a passage as the answer to a question, as a few numbers that can each be explained.

Every number is about 0 to 1 and comes from the words, the people, the neighbours, the days or the meaning; what
they weigh is learned and lies in `ranking_weights.toml`.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from heedful.memory.recall_candidates import Candidate
from heedful.memory.recall_lexical import Lexical
from heedful.memory.recall_question import Question, Term
from heedful.memory.vector_nearness import Nearness
from heedful.reading import without_diacritics

FEATURES = (
    "match", "cover", "phrase", "thread", "author", "other_author", "day", "number", "name", "asks", "long", "short",
    "part", "mean", "after", "foreign",
)  # fmt: skip

NAME_WEIGHT = 0.6
"""Of the name of somebody who writes: it says who rather than what."""
LONGEST_ENDING = 5
NEAR_CHARACTERS = 30
LONG, SHORT = 600, 80
BEST_OF_THREAD = 4
TOLD_WITHIN = timedelta(days=8)
"""What happened on a day is often told in the week after it."""

_DIGITS = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found about all candidates of one question."""

    question: Question
    lexical: Lexical
    nearness: Mapping[int, Nearness]


def features(evidence: Evidence, found: Sequence[Candidate]) -> list[list[float]]:
    """One row a candidate, in the order of FEATURES."""
    question = evidence.question
    named = _named(question, found)
    weights = {
        term.word: (NAME_WEIGHT if term.word in named else term.weight)
        * evidence.lexical.rarity.get(term.word, 0.0)
        for term in question.terms
    }
    places = [_places_of(candidate.text, question.terms) for candidate in found]
    covered = _covered(found, places, weights)
    threads = _threads(evidence.lexical, found)
    best = max(evidence.lexical.scores.values(), default=0.0) or 1.0
    rows = []
    for candidate, spots in zip(found, places, strict=True):
        near = evidence.nearness.get(candidate.seq, Nearness())
        is_named = bool(named & _words_of(candidate.author))
        rows.append(
            [
                evidence.lexical.scores.get(candidate.seq, 0.0) / best,
                covered[candidate.message_seq],
                _phrase(question.terms, spots, weights),
                threads[candidate.thread_id],
                float(is_named),
                float(bool(named) and not is_named),
                _day(question, candidate),
                float(question.wants_number and not _DIGITS.isdisjoint(candidate.text)),
                float(question.wants_name and _has_name(candidate.text)),
                float(_asks(candidate.text)),
                max(0.0, math.log((1 + candidate.length) / LONG)),
                max(0.0, math.log(SHORT / (1 + candidate.length))),
                near.part,
                near.mean,
                near.after,
                near.part if candidate.lang != question.lang else 0.0,
            ]
        )
    return rows


def _named(question: Question, found: Sequence[Candidate]) -> frozenset[str]:
    """Words of the question that are the name of somebody who writes; capitals tell, where it has any."""
    has_capitals = question.text[1:] != question.text[1:].lower()
    written = {
        word.casefold().strip(".,;:!?'\"()")
        for raw in question.text.split()
        if raw[:1].isupper() or not has_capitals
        for word in (raw, raw.removesuffix("'s").removesuffix("’s"))
    }
    authors = {word for author in {candidate.author for candidate in found} for word in _words_of(author)}
    return frozenset(written & authors)


def _words_of(author: str) -> frozenset[str]:
    return frozenset(word for word in author.casefold().replace("@", " ").split() if len(word) > 1)


def _places_of(text: str, terms: Sequence[Term]) -> dict[str, list[int]]:
    plain = text.lower()
    if not plain.isascii():
        plain = " ".join(without_diacritics(word) for word in plain.split(" "))
    return {term.word: found for term in terms if (found := _places(plain, term.beginning))}


def _places(text: str, beginning: str) -> list[int]:
    """Where words begin so and end soon after."""
    longest = LONGEST_ENDING if len(beginning) > 2 and not beginning.isdigit() else 0
    found = []
    start = text.find(beginning)
    while start >= 0:
        end = start + len(beginning)
        ending = text[end : end + longest + 1]
        if (start == 0 or not text[start - 1].isalnum()) and not (len(ending) > longest and ending.isalnum()):
            found.append(start)
        start = text.find(beginning, end)
    return found


def _covered(
    found: Sequence[Candidate], places: Sequence[Mapping[str, list[int]]], weights: Mapping[str, float]
) -> dict[int, float]:
    """By message: the share of the question's words, by weight, that are in its passages found."""
    words = defaultdict[int, set[str]](set)
    for candidate, spots in zip(found, places, strict=True):
        words[candidate.message_seq] |= spots.keys()
    total = sum(weights.values()) or 1.0
    return {seq: sum(weights[word] for word in present) / total for seq, present in words.items()}


def _threads(lexical: Lexical, found: Sequence[Candidate]) -> dict[str, float]:
    """By thread: how well its best messages match, as a share of the best thread; 0 where all are in one."""
    scores = defaultdict[str, dict[int, float]](dict)
    for candidate in found:
        messages = scores[candidate.thread_id]
        score = lexical.scores.get(candidate.seq, 0.0)
        messages[candidate.message_seq] = max(score, messages.get(candidate.message_seq, 0.0))
    if len(scores) == 1:
        return dict.fromkeys(scores, 0.0)
    sums = {
        thread: sum(sorted(messages.values(), reverse=True)[:BEST_OF_THREAD])
        for thread, messages in scores.items()
    }
    best = max(sums.values(), default=0.0) or 1.0
    return {thread: total / best for thread, total in sums.items()}


def _phrase(terms: Sequence[Term], spots: Mapping[str, list[int]], weights: Mapping[str, float]) -> float:
    """The share, by weight, of neighbouring words of the question that are neighbours here too."""
    total = found = 0.0
    for first, second in pairwise(terms):
        weight = weights[first.word] + weights[second.word]
        total += weight
        if any(
            abs(one - other) <= NEAR_CHARACTERS
            for one in spots.get(first.word, ())
            for other in spots.get(second.word, ())
        ):
            found += weight
    return found / total if total else 0.0


def _day(question: Question, candidate: Candidate) -> float:
    if any(begin <= candidate.sent_at < end for begin, end in question.periods):
        return 1.0
    if any(end <= candidate.sent_at < end + TOLD_WITHIN for _, end in question.periods):
        return 0.5
    return 0.0


def _has_name(text: str) -> bool:
    """Whether a word inside a sentence begins with a capital."""
    words = text.split()
    return any(
        word[0].isupper() and word[1:2].islower() and before[-1] not in ".!?:"
        for before, word in pairwise(words)
    )


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?") or ("?" in text and len(text) < 200)
