"""A question as recall understands it: its language, its telling words, and what kind of answer it wants.

All of it is small words and stems; nothing here knows what is stored.
"""

import re
import threading
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from heedful.reading import find_dates, stop_words, without_diacritics

FRAME_WEIGHT = 0.3
CLUE = 0.5
SHORTEST_BEGINNING = 3
LONGEST_PERIOD = timedelta(days=62)
"""A period that is longer («in 2023») says too little about when something was written."""
YEARS_BACK = 5
_WEEK = timedelta(days=7)

_WORD = re.compile(r"\w+")
_ONE_AT_A_TIME = threading.Lock()
_PLURALS = (
    ("ões", "ão"), ("ães", "ão"), ("áveis", "ável"), ("íveis", "ível"), ("ais", "al"), ("éis", "el"), ("óis", "ol"),
    ("ens", "em"), ("uns", "um"),
)  # fmt: skip
"""Source: Orengo and Huyck, A Stemming Algorithm for the Portuguese Language (2001), «plural reduction»."""
_STEMMERS = {"en": "porter", "de": "german", "es": "spanish", "pt": "portuguese"}


@dataclass(frozen=True, slots=True)
class Term:
    """One telling word. `beginning` is how its inflections begin; `forms` are what the index is asked for."""

    word: str
    beginning: str
    forms: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for. `content` is its telling words as a text; `periods` are [begin, end) of days it names.

    `is_broad` where it asks for an overview («what is going on with the move»), or of nothing but days («what was on
    Monday»), rather than for what somebody said.
    """

    text: str
    lang: str
    terms: tuple[Term, ...]
    content: str
    wants_number: bool
    wants_name: bool
    periods: tuple[tuple[datetime, datetime], ...] = ()
    is_broad: bool = False

    @property
    def is_only_of_days(self) -> bool:
        """Whether it asks for an overview of days and of nothing else."""
        return self.is_broad and bool(self.periods) and all(term.weight < 1.0 for term in self.terms)


@dataclass(frozen=True, slots=True)
class _Words:
    asking: frozenset[str]
    clues: frozenset[str]
    frame: frozenset[str]
    number: re.Pattern[str]
    name: re.Pattern[str]
    broad: re.Pattern[str]


def understand(text: str, *, now: datetime | None = None) -> Question:
    """What a text asks for; without `now`, days that it names relative to now are not understood."""
    lang = language_of(text)
    known = _words(lang)
    broad = known.broad.search(text)
    periods, dated = _periods(text, lang, now) if now is not None else ((), ())
    terms = _terms(text, lang, known, quieter=dated if broad is None else (broad.span(), *dated))
    is_broad = broad is not None or (bool(periods) and all(term.weight < 1.0 for term in terms))
    if not is_broad:
        terms = _terms(text, lang, known, quieter=())
    content = " ".join(term.word for term in terms if term.weight == 1.0)
    return Question(
        text=text,
        lang=lang,
        terms=terms,
        content=content or text,
        wants_number=known.number.search(text) is not None,
        wants_name=known.name.search(text) is not None,
        periods=periods,
        is_broad=is_broad,
    )


def language_of(text: str) -> str:
    """The language of a question; its asking words decide, for a question has few words in all."""
    words = _WORD.findall(text.casefold())

    def points(lang: str) -> float:
        stop, known = stop_words(lang), _words(lang)
        return sum(
            (word in stop) + 1.5 * (word in known.asking) + CLUE * (word in known.clues) for word in words
        )

    return max(("en", "pt", "es", "de"), key=points)


def _terms(text: str, lang: str, known: _Words, quieter: Sequence[tuple[int, int]]) -> tuple[Term, ...]:
    """The telling words; those within the spans that are `quieter` weigh as little as those that frame a question."""
    raw = _WORD.findall(text)
    aside = known.frame | {
        word.casefold() for start, end in quieter for word in _WORD.findall(text[start:end])
    }
    quiet = stop_words(lang) | known.asking
    telling = [
        word.casefold()
        for place, word in enumerate(raw)
        if _is_initial(word, place) or _is_telling(word.casefold(), quiet)
    ] or [word.casefold() for word in raw]
    return tuple(_term(word, lang, FRAME_WEIGHT if word in aside else 1.0) for word in dict.fromkeys(telling))


def _is_initial(word: str, place: int) -> bool:
    """«Grad B», «plan C»: a capital inside a question is a name."""
    return place > 0 and len(word) == 1 and word.isupper() and word != "I"


def _is_telling(word: str, quiet: frozenset[str]) -> bool:
    return word not in quiet and (len(word) > 1 or word.isdigit())


def _term(word: str, lang: str, weight: float) -> Term:
    plain = without_diacritics(word)
    stem = without_diacritics(stemmed(word, lang))
    beginning = stem
    while not plain.startswith(beginning):
        beginning = beginning[:-1]
    forms = (plain,) if lang == "en" or stem == plain else (plain, stem)
    return Term(word, beginning if len(beginning) >= SHORTEST_BEGINNING else plain, forms, weight)


@lru_cache(maxsize=65536)
def stemmed(word: str, lang: str) -> str:
    """A word without its inflection, by the language's Snowball stemmer; English by Porter's, as the index does."""
    with _ONE_AT_A_TIME:  # a stemmer keeps the word it works on in itself
        return _stemmer(_STEMMERS.get(lang, "porter")).stemWord(_singular(word) if lang == "pt" else word)


def _singular(word: str) -> str:
    """A Portuguese word in the singular, where its plural changes what stands before the s: Snowball leaves that."""
    for plural, singular in _PLURALS:
        if len(word) > len(plural) + 1 and word.endswith(plural):
            return word.removesuffix(plural) + singular
    return word


def stems(text: str, lang: str) -> str:
    """The stems of a text that is not English, for the index; empty for an English one, which it stems itself."""
    if lang == "en":
        return ""
    return " ".join(
        stemmed(word, lang) for word in _WORD.findall(text.casefold()) if word not in stop_words(lang)
    )


_Periods = tuple[tuple[datetime, datetime], ...]


def _periods(text: str, lang: str, now: datetime) -> tuple[_Periods, tuple[tuple[int, int], ...]]:
    """The days that a text names, and where; what lacks a year may be in any of the last few, a weekday the last."""
    found = []
    places = []
    before = {mention.start: mention for mention in find_dates(text, at=_years_earlier(now, 1), lang=lang)}
    for mention in find_dates(text, at=now, lang=lang):
        if mention.begin is None or mention.finish is None:
            continue
        begin, end = mention.begin, max(mention.finish, mention.begin + timedelta(days=1))
        if end - begin > LONGEST_PERIOD:
            continue
        places.append((mention.start, mention.end))
        other = before.get(mention.start)
        lacks_year = (
            other is not None
            and other.begin is not None
            and other.begin == _years_earlier(begin, 1)
            and begin in _begins(text, lang, now - timedelta(days=1))
        )
        if mention.is_weekly:  # who asks what was means the last one
            found.append((begin - _WEEK, end - _WEEK))
        found += [
            (_years_earlier(begin, years), _years_earlier(end, years))
            for years in range(YEARS_BACK if lacks_year else 1)
        ]
    return tuple(found), tuple(places)


def _begins(text: str, lang: str, at: datetime) -> frozenset[datetime]:
    """Where the days that a text names begin, as seen at a moment; «yesterday» moves with it, «in March» does not."""
    return frozenset(
        mention.begin for mention in find_dates(text, at=at, lang=lang) if mention.begin is not None
    )


def _years_earlier(moment: datetime, years: int) -> datetime:
    day = 28 if (moment.month, moment.day) == (2, 29) else moment.day
    return moment.replace(year=moment.year - years, day=day)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (the library's name)


@lru_cache(maxsize=8)
def _stemmer(name: str) -> _Stemmer:
    import snowballstemmer  # type: ignore[import-untyped]  # ships no types; brings all languages: loaded when needed

    found: _Stemmer = snowballstemmer.stemmer(name)
    return found


@lru_cache(maxsize=8)
def _words(lang: str) -> _Words:
    table: Mapping[str, str] = _tables().get(lang) or _tables()["en"]
    return _Words(
        frozenset(table["asking"].split()),
        frozenset(table["clues"].split()),
        frozenset(table["frame"].split()),
        re.compile(rf"\b(?:{table['number']})\b", re.IGNORECASE),
        re.compile(rf"^\W*(?:{table['name']})\b", re.IGNORECASE),
        re.compile(rf"^\W*(?:{''.join(table['broad'].splitlines())})\b", re.IGNORECASE),
    )


@lru_cache(maxsize=1)
def _tables() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(Path(__file__).with_name("question_words.toml").read_text(encoding="utf-8"))
