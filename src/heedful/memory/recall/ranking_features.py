"""What speaks for a passage as the answer to a question, as a few numbers that can each be explained.

Every number is about 0 to 1 and comes from the words, the people, the neighbours, the days or the meaning; what
they weigh is learned and lies in `ranking_weights.toml`.
"""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise

from heedful.memory.embeddings.vector_nearness import UNKNOWN, Nearness
from heedful.memory.recall.by_words import Lexical
from heedful.memory.recall.candidates import Candidate
from heedful.memory.search.question import Question, Term
from heedful.reading import parted, without_diacritics

FEATURES = (
    "match", "cover", "phrase", "thread", "author", "other_author", "day", "number", "name", "asks", "long", "short",
    "part", "mean", "after", "foreign", "around", "said", "verbatim",
    "summary",
)  # fmt: skip

NAME_WEIGHT = 0.6
"""Of the name of somebody who writes: it says who rather than what."""
LONGEST_ENDING = 5
NEAR_CHARACTERS = 30
LONG, SHORT = 600, 80
BEST_OF_THREAD = 4
SHORTEST_RUN, FEW_WORDS = 2, 4
LOOSE_PAIR = 0.5
"""Two words of a question in a row of which only one tells anything («the garage») count for so much of two that do."""
MOST_SPOTS = 4
TOLD_WITHIN, TOLD_LATER = timedelta(days=8), 0.3
"""What happened on a day is often told in the week after it; that counts as so much of the day itself."""

_DIGITS = frozenset("0123456789")
_WORD = re.compile(r"\w+")
_LINE = re.compile(r"^([^\n:]{2,40}): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found about all candidates of one question."""

    question: Question
    lexical: Lexical
    nearness: Mapping[int, Nearness]
    below: Mapping[int, float] = field(default_factory=dict)
    """How well the summary above a passage fits, for a question that wants an overview."""


def features(evidence: Evidence, found: Sequence[Candidate]) -> list[list[float]]:
    """One row a candidate, in the order of FEATURES."""
    question = evidence.question
    named = _named(question, found)
    weights = {
        term.word: (NAME_WEIGHT if term.word in named else term.weight)
        * evidence.lexical.rarity.get(term.word, 0.0)
        for term in question.terms
    }
    texts = [_folded(candidate.text) for candidate in found]
    places = [_places_of(text, question.terms) for text in texts]
    covered = _covered(found, places, weights)
    threads = _threads(evidence.lexical, found)
    best = max(evidence.lexical.scores.values(), default=0.0) or 1.0
    talk = [_speakers(candidate.text) for candidate in found]
    around = _around(evidence, found, talk)
    pairs = _pairs(question.terms, weights)
    asked = _WORD.findall(_folded(question.text))
    folded = {term.word: without_diacritics(term.word) for term in question.terms}
    anchors = {place: word for place, word in enumerate(asked) if word in folded.values()}
    is_named = {author: bool(named & _words_of(author)) for author in {one.author for one in found}}
    foreign = _foreign(evidence, found)
    rows = []
    for candidate, text, spots, lines in zip(found, texts, places, talk, strict=True):
        near = evidence.nearness.get(candidate.seq, UNKNOWN)
        rows.append(
            [
                evidence.lexical.scores.get(candidate.seq, 0.0) / best,
                covered[candidate.message_seq],
                _phrase(pairs, spots),
                threads[candidate.thread_id],
                float(is_named[candidate.author]),
                float(bool(named) and not is_named[candidate.author]),
                _day(question, candidate),
                float(question.wants_number and not _DIGITS.isdisjoint(candidate.text)),
                float(question.wants_name and _has_name(candidate.text)),
                float(_asks(candidate.text)),
                max(0.0, math.log((1 + candidate.length) / LONG)),
                _short(candidate),
                near.part,
                near.mean,
                near.after,
                near.part if candidate.seq in foreign else 0.0,
                around.get(candidate.message_seq, 0.0),
                _said(question, candidate.text, lines),
                _verbatim(asked, anchors, text, {folded[word]: where for word, where in spots.items()}),
                evidence.below.get(candidate.seq, 0.0),
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
    return {
        term.word: found
        for term in terms
        if term.beginning in text and (found := _places(text, term.beginning))
    }


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


def _pairs(terms: Sequence[Term], weights: Mapping[str, float]) -> list[tuple[str, str, float]]:
    """Neighbouring words of the question, with what both weigh."""
    return [(one.word, other.word, weights[one.word] + weights[other.word]) for one, other in pairwise(terms)]


def _phrase(pairs: Sequence[tuple[str, str, float]], spots: Mapping[str, list[int]]) -> float:
    """The share, by weight, of neighbouring words of the question that are neighbours here too."""
    total = found = 0.0
    for first, second, weight in pairs:
        total += weight
        if first in spots and second in spots and _are_near(spots[first], spots[second]):
            found += weight
    return found / total if total else 0.0


def _are_near(first: Sequence[int], second: Sequence[int]) -> bool:
    return any(abs(one - other) <= NEAR_CHARACTERS for one in first for other in second)


def _foreign(evidence: Evidence, found: Sequence[Candidate]) -> frozenset[int]:
    """Passages in another language than the question's, which words hold back.

    None where no word favours those in its own: then all go by meaning alike.
    """
    asked = _tongue(evidence.question.text, evidence.question.lang)
    own = {one.seq for one in found if _tongue(one.text, one.lang) == asked}
    if own and not any(evidence.lexical.scores.get(seq) for seq in own):
        return frozenset()
    return frozenset(one.seq for one in found if one.seq not in own)


def _short(candidate: Candidate) -> float:
    """How short the message is; 0 in a script whose signs are words, for few of them say much."""
    if not _tongue(candidate.text, candidate.lang):
        return 0.0
    return max(0.0, math.log(SHORT / (1 + candidate.length)))


def _tongue(text: str, lang: str) -> str:
    """The language of a text; empty where its script is of one that no language of ours is written in."""
    return lang if parted(text) == text else ""


def _verbatim(
    asked: Sequence[str], anchors: Mapping[int, str], text: str, spots: Mapping[str, list[int]]
) -> float:
    """The share of the question that stands in a text word by word, in one piece around one of its telling words.

    `text` is folded as the question is; `anchors` are its telling words by their places in it, and `spots` are where
    they begin in the text.
    """
    most = 0.0
    for place, word in anchors.items():
        for spot in spots.get(word, ())[:MOST_SPOTS]:
            run = _run(asked, place, text, spot)
            if len(run) > most:
                most = max(most, _counted(run, anchors))
    return most / max(FEW_WORDS, len(asked))


def _counted(run: range, anchors: Mapping[int, str]) -> float:
    """For how many words a piece of the question counts."""
    if len(run) < SHORTEST_RUN:
        return 0.0
    is_loose = len(run) == SHORTEST_RUN and not all(place in anchors for place in run)
    return len(run) * (LOOSE_PAIR if is_loose else 1.0)


def _run(asked: Sequence[str], place: int, text: str, spot: int) -> range:
    """Which words of the question stand together in the text where its word at `place` stands at `spot`."""
    end, last = spot + len(asked[place]), place
    while last + 1 < len(asked) and text.startswith(f" {asked[last + 1]}", end):
        last += 1
        end += 1 + len(asked[last])
    if text[end : end + 1].isalnum():
        last -= 1
    first, begin = place, spot
    while first > 0 and text.startswith(f"{asked[first - 1]} ", max(0, begin - 1 - len(asked[first - 1]))):
        first -= 1
        begin -= 1 + len(asked[first])
    if begin > 0 and text[begin - 1].isalnum():
        first += 1
    return range(first, last + 1)


def _folded(text: str) -> str:
    """A text in small letters, in one line, without diacritics."""
    words = text.lower().split()
    return " ".join(words if text.isascii() else map(without_diacritics, words))


def _speakers(text: str) -> list[tuple[str, int, int]]:
    """Who speaks in a passage that is the record of a talk («Name: …» line by line), and from where to where."""
    if "\n" not in text or ": " not in text:
        return []
    lines = list(_LINE.finditer(text))
    ends = [*(line.start() for line in lines[1:]), len(text)][: len(lines)]
    return [(line[1].casefold(), line.end(), end) for line, end in zip(lines, ends, strict=True)]


def _said(question: Question, text: str, lines: Sequence[tuple[str, int, int]]) -> float:
    """The share of a passage that is said, line by line, by somebody whom the question names."""
    if not lines:
        return 0.0
    asked = question.text.casefold()
    named = {speaker for speaker in {line[0] for line in lines} if speaker in asked}
    return sum(end - begin for speaker, begin, end in lines if speaker in named) / len(text)


def _around(
    evidence: Evidence, found: Sequence[Candidate], talk: Sequence[Sequence[tuple[str, int, int]]]
) -> dict[int, float]:
    """By message: how near the messages right before and after it in a conversation are in meaning.

    In a conversation people take turns, or it is a record of their talk; in other texts what stands next to a passage
    tells little about it.
    """
    messages: dict[int, tuple[float, str, bool, int | None]] = {}
    for candidate, lines in zip(found, talk, strict=True):
        near = evidence.nearness.get(candidate.seq, UNKNOWN).part
        known = messages.get(candidate.message_seq)
        is_record = len(lines) > 1
        messages[candidate.message_seq] = (
            max(near, known[0]) if known else near,
            candidate.author,
            is_record or (known is not None and known[2]),
            candidate.previous,
        )
    best: dict[int, float] = {}
    for seq, (near, author, is_record, previous) in messages.items():
        before = messages.get(previous) if previous is not None else None
        if previous is None or before is None or not (author != before[1] or (is_record and before[2])):
            continue
        best[seq] = max(before[0], best.get(seq, 0.0))
        best[previous] = max(near, best.get(previous, 0.0))
    return best


def _day(question: Question, candidate: Candidate) -> float:
    if not question.periods:
        return 0.0
    if any(begin <= candidate.sent_at < end for begin, end in question.periods):
        return 1.0
    if any(end <= candidate.sent_at < end + TOLD_WITHIN for _, end in question.periods):
        return TOLD_LATER
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
