"""What can hold between two entities, between which kinds, and by which words people say it.

The map is explicit: a phrase is looked up whole, as it is written here, and what is not here says nothing. Some phrases
have two parts, before and behind the second entity («hängt von … ab»), and some are read backwards («is owned by»).
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Any

from heedful.memory.entities.kinds import EntityKind
from heedful.memory.entities.words import entity_words
from heedful.reading import without_diacritics

_FILE = Path(__file__).with_name("graph_phrases.toml")
GAP = "..."
"""How folding writes «…»."""

_ANY = "*"
_WITH_A_TRADE = 5

_SHORTENED = re.compile(r"['’](m|d|ve)\b", re.IGNORECASE)
_WHOLE = {"m": " am", "d": " would", "ve": " have"}


class Predicate(StrEnum):
    """A kind of relation, read from its subject to its object."""

    COMMUNICATES_WITH = "communicates with"
    WORKS_WITH = "works with"
    WORKS_FOR = "works for"
    OWNS = "owns"
    USES = "uses"
    DEPENDS_ON = "depends on"
    HAS_DEADLINE = "has deadline"
    PREFERS = "prefers"
    AVOIDS = "avoids"
    INVESTIGATES = "investigates"
    LOCATED_IN = "is in"
    ANSWERS_FOR = "answers for"


_PEOPLE = frozenset([EntityKind.PERSON])
_WORK = frozenset([EntityKind.PROJECT, EntityKind.PRODUCT, EntityKind.ORGANISATION])
_ITEMS = _WORK | {EntityKind.NUMBER}
_LIKED = frozenset(EntityKind) - {EntityKind.AMOUNT, EntityKind.PHONE, EntityKind.DATE}
_DUE = frozenset([EntityKind.PROJECT, EntityKind.PRODUCT, EntityKind.NUMBER])
_FITS: Mapping[Predicate, tuple[frozenset[EntityKind], frozenset[EntityKind]]] = {
    Predicate.COMMUNICATES_WITH: (_PEOPLE, _PEOPLE),
    Predicate.WORKS_WITH: (_PEOPLE | _WORK, _PEOPLE | {EntityKind.ORGANISATION}),
    Predicate.WORKS_FOR: (_PEOPLE, _WORK),
    Predicate.OWNS: (_PEOPLE | {EntityKind.ORGANISATION}, _ITEMS),
    Predicate.USES: (_PEOPLE | _WORK, _WORK),
    Predicate.DEPENDS_ON: (_PEOPLE | _ITEMS, _PEOPLE | _ITEMS),
    Predicate.HAS_DEADLINE: (_DUE, frozenset([EntityKind.DATE])),
    Predicate.PREFERS: (_PEOPLE, _LIKED),
    Predicate.AVOIDS: (_PEOPLE, _LIKED),
    Predicate.INVESTIGATES: (_PEOPLE | {EntityKind.ORGANISATION}, _LIKED),
    Predicate.LOCATED_IN: (_PEOPLE | _WORK | {EntityKind.PLACE}, frozenset([EntityKind.PLACE])),
    Predicate.ANSWERS_FOR: (_PEOPLE, _PEOPLE),
}


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase says, and how surely; `is_reversed` where the first entity is the relation's object."""

    predicate: Predicate
    confidence: float
    is_reversed: bool = False

    def fits(self, first: EntityKind, second: EntityKind) -> bool:
        """Whether it may hold between things of these kinds, in the order in which they are named."""
        return fits(self.predicate, *((second, first) if self.is_reversed else (first, second)))


def fits(predicate: Predicate, subject: EntityKind, obj: EntityKind) -> bool:
    """Whether a relation may hold between things of these kinds."""
    subjects, objects = _FITS[predicate]
    return subject in subjects and obj in objects


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, tuple[Meaning, ...]]:
    """Each phrase, folded, with all it may say; which of them is meant, the kinds of the two things decide."""
    found: dict[str, tuple[Meaning, ...]] = {}
    for phrase, meaning in _lines():
        if GAP not in phrase:
            found[phrase] = (*found.get(phrase, ()), meaning)
    return found


@lru_cache(maxsize=1)
def split_phrases() -> Mapping[str, tuple[tuple[str, Meaning], ...]]:
    """The first parts of phrases in two parts, each with what may stand behind and what both say together."""
    found: dict[str, tuple[tuple[str, Meaning], ...]] = {}
    for phrase, meaning in _lines():
        first, gap, last = phrase.partition(f" {GAP} ")
        if gap:
            found[first] = (*found.get(first, ()), (last, meaning))
    return found


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _lines() -> Iterator[tuple[str, Meaning]]:
    for predicate in Predicate:
        entry = _table().get(predicate.value, {})
        for key in ("phrases", "reversed"):
            meaning = Meaning(predicate, float(entry.get("confidence", 0)), key == "reversed")
            for line in str(entry.get(key, "")).splitlines():
                if phrase := folded_phrase(line):
                    yield phrase, meaning


@lru_cache(maxsize=1)
def fillers() -> frozenset[str]:
    """Words that may stand within a phrase and change nothing."""
    return frozenset(without_diacritics(word) for word in str(_table()["fillers"]).split())


@lru_cache(maxsize=1)
def no_trades() -> frozenset[str]:
    """Words for somebody at a firm who doesn't work for it: no phrase has them for its `*`."""
    return frozenset(without_diacritics(word) for word in str(_table()["no_trade"]).split())


@lru_cache(maxsize=1)
def writer_openings() -> frozenset[str]:
    """How a sentence begins in which the writer speaks of themselves without saying so: «prefiro», «no me»."""
    return frozenset(folded_phrase(line) for line in str(_table()["writer"]).splitlines() if line.strip())


def folded_phrase(text: str) -> str:
    """A phrase as the map holds it: folded, one space between words, underscores and hyphens as spaces."""
    whole = _SHORTENED.sub(lambda match: _WHOLE[match[1].lower()], text.replace("_", " ").replace("-", " "))
    return " ".join(without_diacritics(whole).split())


def meanings(text: str) -> tuple[Meaning, ...]:
    """What the words between two names say: the phrase itself, or it without fillers; nothing else."""
    return next((found for phrase in _forms(text) if (found := phrases().get(phrase)) is not None), ())


def split_meanings(text: str) -> tuple[tuple[str, Meaning], ...]:
    """What the words between two names may say, each with what must then stand behind the second."""
    return next((found for phrase in _forms(text) if (found := split_phrases().get(phrase)) is not None), ())


def _forms(text: str) -> Iterator[str]:
    """A phrase as it stands, without the fillers at its end, without any, and without trades besides."""
    words = folded_phrase(text).split()
    yield " ".join(words)
    for end in range(len(words) - 1, 0, -1):
        if words[end] not in fillers():
            break
        yield " ".join(words[:end])
    bare = [word for word in words if word not in fillers()]
    yield " ".join(bare)
    trades = entity_words().role_words - no_trades()
    yield " ".join(word for word in bare if word not in trades)
    if len(bare) <= _WITH_A_TRADE:
        for place in range(1, len(bare) - 1):
            if bare[place] not in no_trades():
                yield " ".join([*bare[:place], _ANY, *bare[place + 1 :]])
