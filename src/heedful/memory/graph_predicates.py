"""What can hold between two entities, between which kinds, and by which words people say it.

The map is explicit: a phrase is looked up whole, as it is written here, and what is not here says nothing.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from heedful.memory.entity_kinds import EntityKind
from heedful.reading import without_diacritics

_FILE = Path(__file__).with_name("graph_phrases.toml")


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
    """What a phrase says, and how surely."""

    predicate: Predicate
    confidence: float


def fits(predicate: Predicate, subject: EntityKind, obj: EntityKind) -> bool:
    """Whether a relation may hold between things of these kinds."""
    subjects, objects = _FITS[predicate]
    return subject in subjects and obj in objects


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, tuple[Meaning, ...]]:
    """Each phrase, folded, with all it may say; which of them is meant, the kinds of the two things decide."""
    found: dict[str, tuple[Meaning, ...]] = {}
    for name, entry in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        if name == "fillers":
            continue
        meaning = Meaning(Predicate(name), float(entry["confidence"]))
        for line in str(entry["phrases"]).splitlines():
            if phrase := folded_phrase(line):
                found[phrase] = (*found.get(phrase, ()), meaning)
    return found


@lru_cache(maxsize=1)
def fillers() -> frozenset[str]:
    """Words that may stand within a phrase and change nothing."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return frozenset(without_diacritics(word) for word in str(table["fillers"]).split())


def folded_phrase(text: str) -> str:
    """A phrase as the map holds it: folded, one space between words, underscores and hyphens as spaces."""
    return " ".join(without_diacritics(text.replace("_", " ").replace("-", " ")).split())


def meanings(text: str) -> tuple[Meaning, ...]:
    """What the words between two names say: the phrase itself, or it without fillers; nothing else."""
    phrase = folded_phrase(text)
    if (found := phrases().get(phrase)) is not None:
        return found
    bare = " ".join(word for word in phrase.split() if word not in fillers())
    return phrases().get(bare, ()) if bare else ()
