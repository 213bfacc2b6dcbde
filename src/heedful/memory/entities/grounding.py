"""Keeps of the names a model gave what stands in the passage, in any case, and could be a name.

Where a name stands as it was given, other cases of it are left alone: beside Apple, apples are fruit. What is kept
is written as the passage has it.
What patterns saw at the same place stays; `reading` sees to that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

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
    exact = [match.span() for match in islice(_whole_words(name, passage), MOST_PLACES)]
    for start, end in exact or islice(_in_any_case(name, passage), MOST_PLACES):
        yield named_thing(kind, start, passage[start:end], SCORE)


def _whole_words(name: str, passage: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", passage)


def _in_any_case(name: str, passage: str) -> Iterator[tuple[int, int]]:
    """Where it stands, as places in the unfolded passage: folding makes some letters longer."""
    letters = [(place, letter) for place, whole in enumerate(passage) for letter in whole.casefold()]
    folded = "".join(letter for _, letter in letters)
    for match in _whole_words(name.casefold(), folded):
        yield letters[match.start()][0], letters[match.end() - 1][0] + 1


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
