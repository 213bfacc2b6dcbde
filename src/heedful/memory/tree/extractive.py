"""A summary without a model: the sentences that say most, whole, in the order in which they were said.

A sentence counts for more when its words recur in the others (centrality), when it came late (recency), when it
opens what it stands in (position), and when it holds a number; for less when it repeats what was chosen, or its
passage has had its say. The same passages give the same summary on every machine.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from heedful.memory.tree.summaries_words import folded, summaries_words
from heedful.reading import content_tokens, sentences, without_diacritics

VERSION = "builtin@1"

STEM = 6
FULL_WORDS = 6
LONGEST = 400
MOST_OF_ONE = 12
MOST_SENTENCES = 120

RECENCY = 0.15
OPENING = 0.20
NUMBER = 0.15
HAD_ITS_SAY = 0.55
TOLD = 0.3
QUOTING = 0.5
WORTH_TELLING = 0.04
"""A sentence that adds less than this share of what the first one did is left out, though there be room."""

_LABEL = re.compile(r"[^:\n]{1,120}?: ")
_QUOTE = re.compile(r"(?:^| )>+ ")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Passage:
    """What is summarised, in the order of time. `label` says whose it is, and about what.

    A passage that is a summary itself, `is_lines`, is taken line by line, each with a label of its own.
    """

    label: str
    text: str
    lang: str
    is_lines: bool = False


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence. `voice` is whose say it counts to: its passage's, or in a summary its label's."""

    passage: int
    place: int
    voice: str
    line: str
    stems: frozenset[str]
    has_number: bool
    substance: float


def extract(passages: Sequence[Passage], *, budget: int) -> str:
    """Lines of `label: sentence`, at most `budget` characters; empty where there is not one sentence.

    No sentence is cut: one that is longer than the budget stands alone, and only where there is no other.
    """
    candidates = _candidates(passages)
    if not candidates:
        return ""
    chosen = _choose(candidates, len(passages), budget)
    return "\n".join(candidates[at].line for at in sorted(chosen))


def _candidates(passages: Sequence[Passage]) -> list[_Candidate]:
    """The sentences in order, each of them once, of a long passage the first few."""
    found: list[_Candidate] = []
    seen: set[str] = set()
    for number, passage in enumerate(passages):
        for place, (label, said) in enumerate(lines_of(passage)[:MOST_OF_ONE]):
            words = content_tokens(said, passage.lang)
            if said in seen or not words:
                continue
            seen.add(said)
            found.append(
                _Candidate(
                    number,
                    place,
                    label if passage.is_lines else str(number),
                    f"{label}: {said}" if label else said,
                    frozenset(word[:STEM] for word in words),
                    _DIGIT.search(said) is not None,
                    _substance(words, passage.lang) * (QUOTING if _QUOTE.search(said) else 1.0),
                )
            )
    return found[-MOST_SENTENCES:]


def lines_of(passage: Passage) -> list[tuple[str, str]]:
    """The sentences of a passage, each with the label of who says it."""
    if not passage.is_lines:
        return [(passage.label, " ".join(one.text.split())) for one in sentences(passage.text, passage.lang)]
    return [_parted(line) for line in passage.text.split("\n") if line.strip()]


def _substance(words: Sequence[str], lang: str) -> float:
    """How much a sentence of these words says, 0 to 1: little with few of them, and none by greeting or thanking."""
    courtesy = _courtesy(lang)
    return min(1.0, sum(without_diacritics(word) not in courtesy for word in words) / FULL_WORDS)


@lru_cache
def _courtesy(lang: str) -> frozenset[str]:
    """Words of greetings and thanks in a language, folded."""
    return folded(summaries_words()["courtesy"].get(lang, ""))


def _parted(line: str) -> tuple[str, str]:
    label = _LABEL.match(line)
    return (label.group()[:-2], line[label.end() :]) if label else ("", line)


def _choose(candidates: list[_Candidate], passages: int, budget: int) -> list[int]:
    """Indices of the best, one after the other; each choice makes what resembles it worth less."""
    weights = _weights(candidates)
    base = [_standing(one, passages) for one in candidates]
    left = [at for at, one in enumerate(candidates) if len(one.line) <= min(LONGEST, budget)]
    if not left:
        return [min(range(len(candidates)), key=lambda at: (len(candidates[at].line), at))]
    told: set[str] = set()
    heard: Counter[str] = Counter()
    chosen: list[int] = []
    room = budget
    least = 0.0
    while left:
        worth, negative = max((_worth(candidates[at], base[at], weights, told, heard), -at) for at in left)
        best = -negative
        if worth < least:
            break
        least = least or worth * WORTH_TELLING
        chosen.append(best)
        told |= candidates[best].stems
        heard[candidates[best].voice] += 1
        room -= len(candidates[best].line) + 1
        left = [at for at in left if at != best and len(candidates[at].line) <= room]
    return chosen


def _weights(candidates: list[_Candidate]) -> dict[str, float]:
    """What a word says by recurring: nothing where it stands once, less where it stands everywhere."""
    counted = Counter(stem for one in candidates for stem in one.stems)
    total = len(candidates)
    return {
        stem: math.log(1 + count) * math.log((total + 1) / count)
        for stem, count in counted.items()
        if count > 1
    }


def _standing(one: _Candidate, passages: int) -> float:
    """What speaks for a sentence whatever else was chosen."""
    score = RECENCY * (one.passage + 1) / passages
    if one.place == 0:
        score += OPENING
    if one.has_number:
        score += NUMBER
    return score


def _worth(
    one: _Candidate, standing: float, weights: dict[str, float], told: set[str], heard: Counter[str]
) -> float:
    """What a sentence adds to those chosen; one of a few words adds little, whatever it opens."""
    said = sum(weights.get(stem, 0.0) * (TOLD if stem in told else 1.0) for stem in one.stems)
    fresh = sum(stem not in told for stem in one.stems) / len(one.stems)
    central = said / math.sqrt(len(one.stems) + 3)
    return (central + standing * 3 * fresh) * one.substance**2 * HAD_ITS_SAY ** heard[one.voice]
