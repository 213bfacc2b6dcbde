"""Keeps of the names a model gave what stands in the passage, letter for letter, and could be a name.

What patterns saw at the same place stays; `reading` sees to that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from heedful.memory.entities.kinds import NAMED, EntityKind, Sighting
from heedful.memory.entities.names import named_thing
from heedful.memory.entities.words import entity_words
from heedful.reading import is_stop_word, without_diacritics

SCORE = 0.5
"""How sure a name is that only a model saw: as sure as one that only its surroundings suggest."""

MOST_NAMES = 24
MOST_PLACES = 10
LONGEST = 60
MOST_WORDS = 6
_LONGEST_LINK = 4
"""Longer words of a name have a capital, but for small words of its language: «Ran the numbers» is none."""

_EDGES = " \t\n\u00a0.,;:!?\"'“”„«»‹›()[]"
_NO_NAME = re.compile(r"@|://|www\.")
_KINDS = {kind.value: kind for kind in NAMED}


def grounded(items: Sequence[Mapping[str, object]], passage: str, *, lang: str) -> tuple[Sighting, ...]:
    """The names of a model's answer wherever they stand in the passage, in order."""
    found = dict[tuple[int, int], Sighting]()
    for item in items[:MOST_NAMES]:
        kind, name = _KINDS.get(str(item.get("kind"))), item.get("name")
        if kind is not None and isinstance(name, str):
            for sighting in _places(name.strip(_EDGES), kind, passage, lang):
                found.setdefault((sighting.start, sighting.end), sighting)
    return tuple(sorted(found.values(), key=lambda one: (one.start, -one.end)))


def _places(name: str, kind: EntityKind, passage: str, lang: str) -> Iterator[Sighting]:
    if not _could_be_one(name, lang):
        return
    places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", passage)
    for _, match in zip(range(MOST_PLACES), places, strict=False):
        yield named_thing(kind, match.start(), name, SCORE)


def _could_be_one(name: str, lang: str) -> bool:
    """Whether a name may be one: short, with a capital letter where its script has such, and not of plain words."""
    words = [without_diacritics(word.strip(_EDGES)) for word in name.split()]
    if not 2 <= len(name) <= LONGEST or len(words) > MOST_WORDS or _NO_NAME.search(name):
        return False
    if name == name.lower() != name.upper() or not any(map(str.isalpha, name)):
        return False
    if any(
        word.islower() and len(word) > _LONGEST_LINK and not is_stop_word(word, lang) for word in name.split()
    ):
        return False
    known = entity_words()
    plain = known.not_names | known.role_words | known.titles
    return not all(word in plain or is_stop_word(word, lang) for word in words)
