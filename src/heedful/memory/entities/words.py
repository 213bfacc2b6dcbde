"""The words of `entity_words.toml`, folded once."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from heedful.reading import without_diacritics

_GERMAN_ENDING = re.compile(r"(?<=isch|tsch)e[mnrs]?$")
_FILE = Path(__file__).with_name("entity_words.toml")


@dataclass(frozen=True, slots=True, eq=False)
class EntityWords:
    """Sets of words without diacritics.

    `places` maps a whole name to how it is written, `number_labels` a word as it is written to what it numbers,
    `short_names` a first name to what those who bear it are called as well, and back;
    `free_mail` are domains at which anybody may have a mailbox, `role_addresses` local parts that name a duty.
    """

    organisation_ends: frozenset[str]
    organisation_starts: frozenset[str]
    place_ends: frozenset[str]
    place_starts: frozenset[str]
    places: dict[str, str]
    project_words: frozenset[str]
    product_words: frozenset[str]
    role_words: frozenset[str]
    titles: frozenset[str]
    people_before: frozenset[str]
    people_after: frozenset[str]
    not_names: frozenset[str]
    first_names: frozenset[str]
    free_mail: frozenset[str]
    plain_domains: frozenset[str]
    role_addresses: frozenset[str]
    nationalities: frozenset[str]
    no_ones: frozenset[str]
    name_titles: frozenset[str]
    name_particles: frozenset[str]
    determiners: frozenset[str]
    legal_forms: frozenset[str]
    numbered: frozenset[str]
    thing_words: frozenset[str]
    number_labels: dict[str, str]
    short_names: dict[str, frozenset[str]]

    def is_nationality(self, word: str) -> bool:
        """Whether a folded word is an adjective of a nation in any form («amerikanische», «brasileiras»)."""
        singular = word.removesuffix("s")
        forms = {word, singular, word.removesuffix("es"), _GERMAN_ENDING.sub("", word)}
        forms |= {f"{singular[:-1]}o"} if singular.endswith("a") else set()
        return not forms.isdisjoint(self.nationalities)


@lru_cache(maxsize=1)
def entity_words() -> EntityWords:
    """The words, read at first use."""
    table = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    places = [line.strip() for line in str(table["places"]).splitlines() if line.strip()]
    labels = {word: kind for kind, words in table["numbers"].items() for word in str(words).split()}
    sets = {
        name: _folded(table[name])
        for name in EntityWords.__slots__
        if name not in ("places", "number_labels", "short_names")
    }
    return EntityWords(
        places={without_diacritics(name): name for name in places},
        number_labels=labels,
        short_names=_called(str(table["short_names"])),
        **sets,
    )


def _called(lines: str) -> dict[str, frozenset[str]]:
    """Every name of a line by every other of it; two short forms of one name are not each other's."""
    found: dict[str, set[str]] = {}
    for line in lines.split("\n"):
        whole, *short = map(without_diacritics, line.split()) if line.strip() else ("",)
        for one in short:
            found.setdefault(whole, set()).add(one)
            found.setdefault(one, set()).add(whole)
    return {name: frozenset(others) for name, others in found.items()}


def _folded(words: object) -> frozenset[str]:
    return frozenset(without_diacritics(word) for word in str(words).split())
