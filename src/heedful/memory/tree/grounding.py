"""Keeps a model's summary to what stands below it: a number, date or name that does not occur there was invented.

Sentence by sentence: one that says something unheard of is dropped, and a summary that loses much of itself is
not worth keeping. Strict on purpose: a capital letter is taken for a name, wherever it stands, but for some words that
name nothing (`summaries_words.toml`). What small models do besides is looked for too: repeating themselves without
end, taking sentences from the prompt's examples, and telling next to nothing of what there is.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from heedful.memory.tree.summaries_words import folded, summaries_words
from heedful.reading import find_dates, is_stop_word, numbers_in, sentences, tokens, without_diacritics

KEPT_SHARE = 0.6
RUN = 5
"""So many words in a row that stand in the prompt, and not below, were taken from the prompt."""
NUMBERS_WORTH = 4
NUMBERS_SHARE = 0.5

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_DIGITS = re.compile(r"\d+")
_ENDINGS = ("'s", "’s", "es", "en", "s", "n", "'", "’")


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything that may be said: the words, bare of case and accents, and the numbers of a text."""

    words: frozenset[str]
    numbers: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "Ground":
        """The ground that a text gives."""
        said = (*tokens(text), *_WORD.findall(text))  # «2:30pm» is one token with a word in it
        words = {without_diacritics(part) for token in said for part in (token, *_parts(token))}
        return cls(frozenset(words), numbers_in(text) | frozenset(_DIGITS.findall(text)))

    def holds(self, word: str) -> bool:
        """Whether a word occurs, be it with another ending of a possessive or plural."""
        bare = without_diacritics(word)
        if bare in self.words or any(bare + ending in self.words for ending in ("s", "es", "n", "en")):
            return True
        return any(bare.endswith(ending) and bare.removesuffix(ending) in self.words for ending in _ENDINGS)


Runs = frozenset[tuple[str, ...]]


def runs(text: str) -> Runs:
    """Every few words in a row of a text, bare of case and accents."""
    words = [without_diacritics(word) for word in tokens(text)]
    return frozenset(tuple(words[begin : begin + RUN]) for begin in range(len(words) - RUN + 1))


def grounded(
    text: str, ground: Ground, *, lang: str, at: datetime, foreign: Runs = frozenset()
) -> str | None:
    """What of a summary stands on the ground, as one passage; None where too little does.

    `at` is the moment relative to which dates are read; `foreign` are runs of words that stand in the prompt alone.
    Sentences that are told twice count once.
    """
    said = dict.fromkeys(" ".join(one.text.split()) for one in sentences(text, lang))
    kept = [
        one for one in said if runs(one).isdisjoint(foreign) and not unheard(one, ground, lang=lang, at=at)
    ]
    if not kept or sum(map(len, kept)) < KEPT_SHARE * sum(map(len, said)):
        return None
    return " ".join(kept)


def tells_enough(text: str, other: str) -> bool:
    """Whether a text tells at least half of the numbers that another one tells; of a few, none need be told."""
    wanted = numbers_in(other)
    return len(wanted) < NUMBERS_WORTH or len(wanted & numbers_in(text)) >= NUMBERS_SHARE * len(wanted)


def unheard(sentence: str, ground: Ground, *, lang: str, at: datetime) -> frozenset[str]:
    """The numbers, dates and names of a sentence that do not occur on the ground."""
    numbers = (numbers_in(sentence) | set(_DIGITS.findall(sentence))) - ground.numbers
    words = [word for word in _WORD.findall(sentence) if not is_stop_word(word, lang)]
    dated = {
        word
        for mention in find_dates(sentence, at=at, lang=lang)
        for word in _WORD.findall(sentence[mention.start : mention.end])
    }
    dates = {word for word in words if word in dated and not ground.holds(word)}
    names = {word for word in words if word[0].isupper() and not _is_held(word, ground)}
    plain = {word for word in dates | names if without_diacritics(word) in _plain_words(lang)}
    return frozenset(numbers | (dates | names) - plain)


@lru_cache
def _plain_words(lang: str) -> frozenset[str]:
    """Words of a language that name nothing, folded."""
    return folded(summaries_words().get(lang, ""))


def _is_held(word: str, ground: Ground) -> bool:
    return ground.holds(word) or all(ground.holds(part) for part in _parts(word) or (word,))


def _parts(word: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[-.’']", word) if part) if re.search(r"[-.’']", word) else ()
