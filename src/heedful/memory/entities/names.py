"""Names in running text: runs of capitalised words, told apart by the words they end in and stand beside.

What a run is comes from its own words first (an ending such as «GmbH», a place's name, a first name), then from
its surroundings. A run that nothing explains is left out: a missed name costs less than a false one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from heedful.memory.entities.canonical_names import name_key
from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.memory.entities.product_models import models_in
from heedful.memory.entities.words import EntityWords, entity_words
from heedful.reading import is_stop_word, without_diacritics

_CAP = r"(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’]*(?:[-.&][A-Z0-9a-zÀ-ž][\w'’]*)*)"
_LINK = r"(?:of|&|de|da|do|dos|das|del|von|van|der|den|für|e|y|la)"
_INITIAL = r"(?:[A-ZÀ-ÖØ-Þ]\.[ \u00a0]){0,2}"
_RUN = re.compile(rf"{_CAP}(?:[ \u00a0](?:{_LINK}[ \u00a0]){{0,2}}{_INITIAL}{_CAP}){{0,5}}")
_JOINT = re.compile(rf"[ \u00a0]({_LINK}(?:[ \u00a0]{_LINK})*)[ \u00a0]")
_JOINS_TWO = frozenset(["für", "e", "y"])
_WORD = re.compile(r"[^\W\d_][\w'’.&-]*")
_AFTER = re.compile(r"[ \t\u00a0]*([\w'’-]+)")
_VERSION = re.compile(r"[ \u00a0]v?\d+(?:\.\d+)+")
_JOINED_PROJECT = re.compile(r"-(projekt\w*|pipeline|programm|initiative)$", re.IGNORECASE)
_LONGEST_LOOK = 40
_ABBREVIATED = re.compile(r"(?:^| )(?:[A-Z]\.)+[A-Z]$")
_ABSTRACT = re.compile(
    r"(?:[ts]ions?|ments?|ness|[^aeiou]ity|ence|ics|[ol]ogy|graphy|metry|ware|[a-z]{3}cing|[^n]ding|ung|heit|keit|[bdgmrt]nis"
    r"|schaft|ismus|cao|coes|dade|mento|cion|ciones|idad|miento)$"
)
"""Endings of words that are things rather than somebody's name."""

_HOUSE_NUMBER = re.compile(r"[ \u00a0]\d{1,4}[a-z]?\b")
_STREET = re.compile(r"[^\W\d_]{3,}(?:straße|strasse|gasse|allee|weg|platz|ring|ufer|damm)")
_TITLE = re.compile(r"([^\W\d_]+)\.[ \u00a0]\Z")


@dataclass(frozen=True, slots=True)
class Known:
    """What a text may name, mapped to the name as it is written elsewhere.

    `full` are people and things met before, by their folded words; `first` are first names of those who take part
    in the text's thread.
    """

    full: Mapping[tuple[str, ...], tuple[EntityKind, str]]
    first: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Run:
    """Capitalised words in a row; `before` and `after` are the folded words beside them, empty at a sentence's edge."""

    start: int
    text: str
    words: tuple[str, ...]
    before: str
    after: str
    opens: bool


def names_in(text: str, *, lang: str, known: Known) -> list[Sighting]:
    """The names of a text in order; `known` ones are found in any case and without their diacritics.

    Folding is done word by word, so that places are exact where it changes a text's length (`ß` becomes `ss`).
    """
    words = entity_words()
    found = [*_known_names(text, known), *models_in(text, lang)]
    for run in _runs(text, lang, words):
        sighting = _sighted(run, text, lang, words, known)
        if sighting is not None:
            found.append(sighting)
    return found


def named_thing(kind: EntityKind, start: int, name: str, score: float) -> Sighting:
    """A name that somebody else made out, as it would be kept if it had been seen here."""
    if kind is EntityKind.PERSON:
        return _person(start, start + len(name), name, score)
    return _named(kind, start, name, score)


def has_unexplained(text: str, start: int, end: int, *, lang: str, seen: Sequence[tuple[int, int]]) -> bool:
    """Whether capitalised words that may be a name stand in a part of a text, where nothing was `seen`.

    A single one at a sentence's beginning is no sign of a name.
    """
    return any(
        not (run.opens and len(run.words) == 1)
        and not any(
            begin < start + run.start + len(run.text) and start + run.start < finish for begin, finish in seen
        )
        for run in _runs(text[start:end], lang, entity_words())
    )


def folded_words(text: str) -> list[tuple[int, int, str]]:
    """The words of a text with where each begins and ends, folded; a genitive's ending is left out."""
    found = []
    for match in _WORD.finditer(text):
        word = _without_genitive(match.group().rstrip(".'’-&"))
        found.append((match.start(), match.start() + len(word), without_diacritics(word)))
    return found


def _known_names(text: str, known: Known) -> Iterator[Sighting]:
    if not known.full:
        return
    spoken = folded_words(text)
    place = 0
    while place < len(spoken):
        said = spoken[place : place + 3]
        size = _longest_known(said, known)
        if not size and len(spoken) > place + 2 and len(said[1][2]) == 1:  # «Ana B. Lopes»
            size = 3 * (_longest_known([said[0], said[2]], known) == 2)
        if size > 1 or (size and text[said[0][0]].isupper()):
            words = tuple(word for _, _, word in said[:size])
            kind, name = known.full.get(words) or known.full[words[0], words[2]]
            start, end = said[0][0], said[size - 1][1]
            yield (
                _person(start, end, name, 0.95)
                if kind is EntityKind.PERSON
                else _again(kind, start, end, name)
            )
        place += max(1, size)


def _longest_known(spoken: Sequence[tuple[int, int, str]], known: Known) -> int:
    """How many of the first words are a known name; 0 for none."""
    sizes = range(len(spoken), 0, -1)
    return next((n for n in sizes if tuple(word for _, _, word in spoken[:n]) in known.full), 0)


def _runs(text: str, lang: str, words: EntityWords) -> Iterator[_Run]:
    for match in _RUN.finditer(text):
        start, run = match.start(), match.group()
        opens = _opens_a_sentence(text, start)
        while run:
            first = _WORD.match(run)
            opening = without_diacritics(first.group()) if first else ""
            if opening and not _is_plain(opening, lang, words, opens=opens):
                break
            cut = run.find(" ")
            start, run = (start + cut + 1, run[cut + 1 :]) if cut >= 0 else (start, "")
            link = re.match(rf"{_LINK}[ \u00a0]", run)
            while link is not None:
                start, run = start + link.end(), run[link.end() :]
                link = re.match(rf"{_LINK}[ \u00a0]", run)
        run = _without_genitive(_trimmed(run, text, start))
        if not run:
            continue
        before = _beside(text, start)
        after = _AFTER.match(text, start + len(run))
        if (parted := _parted(start, run, before, words, lang=lang, opens=opens)) is not None:
            yield from parted
            continue
        following = without_diacritics(after[1]) if after else ""
        yield _Run(start, run, _folded(run), before, following, opens and start == match.start())


def _parted(
    start: int, run: str, before: str, words: EntityWords, *, lang: str, opens: bool
) -> tuple[_Run, ...] | None:
    """«Ana Lopes of Prado Labs» as two names; «Bank of the South», «Maria da Silva» stay one."""
    first = without_diacritics(run.split(maxsplit=1)[0])
    if first in words.organisation_starts or first in words.place_starts:
        return None
    for link in _JOINT.finditer(run):
        left, right = run[: link.start()], run[link.end() :]
        small = link[1].split()
        if "&" in small and right.split()[-1].casefold().strip(".") in words.organisation_ends:
            return None
        joins_two = any(word in _JOINS_TWO for word in small) or (lang == "de" and "das" in small)
        if joins_two or (len(right.split()) > 1 and (len(left.split()) > 1 or lang == "de")):
            one = _Run(start, left, _folded(left), before, small[0], opens)
            behind = start + link.end()
            others = _parted(behind, right, small[-1], words, lang=lang, opens=False)
            return one, *(others or (_Run(behind, right, _folded(right), small[-1], "", opens=False),))
    return None


def _trimmed(run: str, text: str, start: int) -> str:
    """The run without marks at its end, but for the dot of «S.A.», which belongs to it."""
    bare = run.rstrip(".'’&-")
    return f"{bare}." if _ABBREVIATED.search(bare) and text.startswith(f"{bare}.", start) else bare


def _folded(run: str) -> tuple[str, ...]:
    return tuple(without_diacritics(word.strip(".")) for word in run.split())


def _is_plain(word: str, lang: str, words: EntityWords, *, opens: bool) -> bool:
    """Whether a capitalised word is no name: a function word, a greeting, a month."""
    bare = word.split("'")[0]
    if opens and (
        is_stop_word(word, lang) or word in words.people_before
    ):  # «Ask Ana Lopes», «Met Rui Prado»
        return True
    return word in words.not_names or bare in words.not_names


def _without_genitive(run: str) -> str:
    return run[:-2] if run.endswith(("'s", "’s")) else run


def _opens_a_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start].rstrip(" \t\u00a0\"'“„«(*-–—•")
    return not before or before[-1] in ".!?:\n"


def _beside(text: str, start: int) -> str:
    """The folded word before a place within its sentence, or a comma."""
    titled = _TITLE.search(text[max(0, start - _LONGEST_LOOK) : start])
    if titled is not None and without_diacritics(titled[1]) in entity_words().titles:
        return without_diacritics(titled[1])
    window = re.split(r"[.!?\n;:]", text[max(0, start - _LONGEST_LOOK) : start])[-1]
    spoken = re.findall(r"[\w'’@-]+|,", window)
    return without_diacritics(spoken[-1]) if spoken else ""


def _sighted(run: _Run, text: str, lang: str, words: EntityWords, known: Known) -> Sighting | None:
    end = run.start + len(run.text)
    project = _as_project(run, words)
    if project is not None:  # «our American programme» names none, nor anybody called so
        return None if all(map(words.is_nationality, project.key.split())) else project
    for told in (_as_organisation, _as_place):
        sighting = told(run, words)
        if sighting is not None:
            return sighting
    if lang == "de" and _STREET.fullmatch(run.text) and _HOUSE_NUMBER.match(text, end):
        return _thing(EntityKind.PLACE, run, 0.8)
    person = _as_person(run, lang, words, known)
    if person is not None:
        return person
    if _VERSION.match(text, end):
        cut = run.text.find(" ") + 1 if run.words[0] in words.product_words else 0
        return _named(EntityKind.PRODUCT, run.start + cut, run.text[cut:], 0.7)
    if run.before in words.product_words and len(run.words) <= 3:
        return _thing(EntityKind.PRODUCT, run, 0.7)
    return None


def _as_organisation(run: _Run, words: EntityWords) -> Sighting | None:
    last = run.words[-1].strip(".")
    if last in words.titles:
        return None
    if len(run.words) > 1 and (last in words.organisation_ends or run.words[0] in words.organisation_starts):
        return _thing(EntityKind.ORGANISATION, run, 0.85)
    if len(run.words) > 2 and any(
        word in words.organisation_ends and len(word) > 3 for word in run.words[1:-1]
    ):
        return _thing(EntityKind.ORGANISATION, run, 0.7)
    return None


def _as_place(run: _Run, words: EntityWords) -> Sighting | None:
    whole = " ".join(run.words)
    if whole in words.places:
        return Sighting(
            EntityKind.PLACE, run.start, run.start + len(run.text), whole, words.places[whole], 0.9
        )
    is_named = run.words[-1] in words.place_ends and run.words[0] not in words.first_names
    if len(run.words) > 1 and (is_named or run.words[0] in words.place_starts):
        return _thing(EntityKind.PLACE, run, 0.8)
    return None


def _as_project(run: _Run, words: EntityWords) -> Sighting | None:
    joined = _JOINED_PROJECT.search(run.text)
    if joined is not None and joined.start() > 2:
        return _named(EntityKind.PROJECT, run.start, run.text[: joined.start()], 0.8)
    if len(run.words) > 1 and run.words[0] in words.project_words:
        cut = run.text.index(" ") + 1
        return _named(EntityKind.PROJECT, run.start + cut, run.text[cut:], 0.8)
    if len(run.words) > 1 and run.words[-1] in words.project_words:
        return _named(EntityKind.PROJECT, run.start, run.text[: run.text.rindex(" ")], 0.8)
    if (run.before in words.project_words or run.after in words.project_words) and not run.opens:
        return _thing(EntityKind.PROJECT, run, 0.75)
    return None


def _as_person(run: _Run, lang: str, words: EntityWords, known: Known) -> Sighting | None:
    start, name, folded, before = run.start, run.text, run.words, run.before
    while len(folded) > 1 and (folded[0] in words.titles or folded[0] in words.role_words):
        cut = len(name.split(maxsplit=1)[0]) + 1
        if not name[cut].isupper():
            return None
        before, folded = folded[0], folded[1:]
        start, name = start + cut, name[cut:]
    end = start + len(name)
    if len(folded) == 1:
        return _by_first_name(start, end, name, before, words, known)
    if len(folded) > 4 or any(word in words.organisation_ends for word in folded):
        return None
    if folded[-1] in words.role_words:
        return None
    if before in words.titles or folded[0] in words.first_names:
        return _person(start, end, name, 0.85)
    if len(folded) <= 3 and before in words.role_words:
        return _person(start, end, name, 0.75)
    if len(folded) <= 3 and before not in words.determiners and _looks_like_a_name(name):
        return _by_surroundings(start, end, name, run, lang, words)
    return None


def _by_first_name(
    start: int, end: int, name: str, before: str, words: EntityWords, known: Known
) -> Sighting | None:
    folded = without_diacritics(name)
    if (whole := known.first.get(folded)) is not None:
        return _person(start, end, whole, 0.8)
    if before in words.titles or (folded in words.first_names and len(folded) > 2):
        return _person(start, end, name, 0.6)
    return None


def _looks_like_a_name(name: str) -> bool:
    """Whether its words are two or three of letters only, none in capitals throughout but an initial."""
    parts = [part.removesuffix(".") if len(part) == 2 else part for part in name.split()]
    return all(
        part.replace("-", "").replace("'", "").isalpha() and part[1:].lower() == part[1:] for part in parts
    )


def _by_surroundings(
    start: int, end: int, name: str, run: _Run, lang: str, words: EntityWords
) -> Sighting | None:
    """People are spoken to, do things, and are told about in asides; things stand before what they are part of."""
    stands_alone = not run.after
    if any(word in words.thing_words or _ABSTRACT.search(word) for word in run.words):
        return None
    if lang == "de" and (run.opens or "-" in name):
        return None
    if run.before in words.people_before and (lang != "de" or not run.opens):
        return _person(start, end, name, 0.6)
    does = run.after in words.people_after or is_stop_word(run.after, lang) or run.after.endswith("ed")
    return _person(start, end, name, 0.5) if does or (stands_alone and not run.opens) else None


def _person(start: int, end: int, name: str, score: float) -> Sighting:
    return Sighting(EntityKind.PERSON, start, end, name_key(name) or name.casefold(), name, score)


def _again(kind: EntityKind, start: int, end: int, name: str) -> Sighting:
    return Sighting(kind, start, end, _key(name), name, 0.9)


def _thing(kind: EntityKind, run: _Run, score: float) -> Sighting:
    return _named(kind, run.start, run.text, score)


def _named(kind: EntityKind, start: int, name: str, score: float) -> Sighting:
    return Sighting(kind, start, start + len(name), _key(name), name, score)


def _key(name: str) -> str:
    return " ".join(without_diacritics(word.strip(".")) for word in name.split())
