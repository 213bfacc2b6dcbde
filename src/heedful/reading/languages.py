"""What Heedful knows about a language, read from one data file per language.

A language is `languages/<code>.toml` and nothing else: words, months, mail headers, date patterns and cues are
data, the engines that use them are generic. Rooms above may keep tables of their own in the same file and read
them by `Language.table`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FALLBACK = "en"
_FOLDER = Path(__file__).with_name("languages")
_GUESS_WINDOW = 4000
_WORD = re.compile(r"(?<![.@/\w])[^\W\d_]+")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One data file. Text values that hold several entries have one entry a line; lookups are by table and key."""

    code: str
    name: str
    tables: Mapping[str, Any]

    def table(self, name: str) -> Mapping[str, Any]:
        """A whole table as it stands in the file; empty when the file has none of that name."""
        found = self.tables.get(name, {})
        return found if isinstance(found, dict) else {}

    def lines(self, table: str, key: str) -> tuple[str, ...]:
        """The entries of a one-a-line text, or of a list, in the file's order; empty when it is missing."""
        value = self.table(table).get(key, "")
        entries = value.splitlines() if isinstance(value, str) else [str(entry) for entry in value]
        return tuple(entry.strip() for entry in entries if entry.strip())

    def words(self, table: str, key: str) -> frozenset[str]:
        """The words of a text, split at white space and casefolded."""
        return frozenset(" ".join(self.lines(table, key)).casefold().split())


@lru_cache(maxsize=64)
def language(code: str | None) -> Language:
    """The language of a code or tag (`pt`, `pt-BR`); English for one that has no file."""
    base = re.split(r"[-_]", (code or FALLBACK).strip().lower())[0]
    if base not in available():
        return language(FALLBACK)
    if base != code:
        return language(base)
    import tomllib  # at first use: most commands read no language

    tables = tomllib.loads((_FOLDER / f"{base}.toml").read_text(encoding="utf-8"))
    return Language(base, str(tables["name"]), tables)


@lru_cache(maxsize=1)
def available() -> tuple[str, ...]:
    """The codes that have a data file, the fallback first."""
    codes = sorted(path.stem for path in _FOLDER.glob("*.toml"))
    return (FALLBACK, *(code for code in codes if code != FALLBACK))


@lru_cache(maxsize=32)
def stop_words(code: str) -> frozenset[str]:
    """The words of a language that carry no subject of their own, casefolded."""
    return language(code).words("words", "stop")


_DATE_WORDS = ("months", "weekdays", "units", "relative", "numbers")
_SHORT_WORDS = 12


@lru_cache(maxsize=1)
def _guess_words() -> dict[str, tuple[tuple[str, float], ...]]:
    """Each small word, word of time or typical word with the languages that use it, weighted by how few they are.

    A typical word counts in full, whoever else uses it.
    """
    owners: dict[str, set[str]] = {}
    for code in available():
        for word in stop_words(code) | language(code).words("words", "typical") | _date_words(code):
            owners.setdefault(word, set()).add(code)
    typical = {code: language(code).words("words", "typical") for code in available()}
    return {
        word: tuple((code, 1.0 if word in typical[code] else 1 / len(codes)) for code in sorted(codes))
        for word, codes in owners.items()
    }


def _date_words(code: str) -> set[str]:
    """The words of a language's calendar and its numbers."""
    tongue = language(code)
    entries = (line.partition("=")[0] for key in _DATE_WORDS for line in tongue.lines("dates", key))
    return {word for entry in entries for word in _WORD.findall(entry.casefold()) if len(word) > 2}


@lru_cache(maxsize=1)
def _guess_shapes() -> re.Pattern[str]:
    """The letters, marks and endings that only one of the languages has, in a group of its name."""
    shapes = []
    for code in available():
        letters = "".join(language(code).lines("words", "letters"))
        endings = "|".join(re.escape(ending) for ending in sorted(language(code).words("words", "endings")))
        parts = [f"[{re.escape(letters)}]"] * bool(letters) + [rf"(?<=\w)(?:{endings})\b"] * bool(endings)
        if parts:
            shapes.append(f"(?P<{code}>{'|'.join(parts)})")
    return re.compile("|".join(shapes))


def guess(text: str, default: str = FALLBACK) -> str:
    """The likeliest available language of a text by its small words, and in a short one by its letters and endings.

    `default` for an unclear text.
    """
    score = dict.fromkeys(available(), 0.0)
    weights = _guess_words()
    folded = text[:_GUESS_WINDOW].casefold()
    words = _WORD.findall(folded)
    for word in words:
        for code, weight in weights.get(word, ()):
            score[code] += weight
    is_short = 2 <= len(words) <= _SHORT_WORDS
    for shape in _guess_shapes().finditer(folded) if is_short else ():
        score[str(shape.lastgroup)] += 1
    ranked = sorted(score.items(), key=lambda entry: (-entry[1], entry[0] != default))
    best, points = ranked[0]
    rival = score.get(default, 0.0) if is_short else ranked[1][1] if len(ranked) > 1 else 0.0
    return best if points >= (1 if is_short else 2) and points > rival * 1.15 else default
