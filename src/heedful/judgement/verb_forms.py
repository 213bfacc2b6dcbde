"""The forms of a language's verbs, for languages that promise and ask by a form alone («te lo mando», «schickst du?»).

The `[verbs]` table of a language's file is the data: `endings` makes the forms of regular verbs, `known` lists the
verbs that people promise or ask for, with what is not made by rule. Forms come in three groups: said by the speaker
of themselves, said to the hearer in a question, said as a command.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from heedful.reading import language, without_diacritics

_GROUPS = 3
_MOST_HUNG = 2


@dataclass(frozen=True, slots=True, eq=False)
class VerbForms:
    """The forms of one language, without diacritics; all empty where a language has no `[verbs]`.

    `infinitives` gives the infinitive of a form, as written, `names` that of an infinitive without diacritics.
    `speaker` and `hearer` are the pronouns that say whose a form is, `particles` the parts that stand alone behind it
    («rufe … an»), `joint` the word before an infinitive («zu schicken», «anzurufen»), `links` the words between two
    tasks («prüfen und schicken»), `hung` the pronouns written into its end.
    """

    infinitives: Mapping[str, str]
    names: Mapping[str, str]
    spoken: frozenset[str]
    asked: frozenset[str]
    commands: frozenset[str]
    speaker: frozenset[str]
    hearer: frozenset[str]
    particles: Mapping[str, str]
    joint: str
    links: frozenset[str]
    hung: tuple[str, ...]
    is_verb_last: bool

    def infinitive(self, norm: str) -> str:
        """The infinitive that a word is a form of; empty for none."""
        return self.infinitives.get(norm, "") or self.infinitive_at_end(norm)

    def cuts(self, norm: str) -> tuple[int, ...]:
        """Where a word parts into a verb and the pronouns at its end («mánda-me-lo»); empty for any other word."""
        if not self.hung or norm in self.infinitives or not norm.endswith(self.hung):
            return ()
        found: tuple[int, ...] = ()
        rest = norm
        for _ in range(_MOST_HUNG):
            last = next((one for one in self.hung if rest.endswith(one)), "")
            rest = rest.removesuffix(last)
            found = (len(rest), *found)
            if rest in self.commands:
                return found
        return ()

    def infinitive_at_end(self, norm: str) -> str:
        """The infinitive that a word is, with a particle in front or not («schicken», «anzurufen»); empty for none."""
        if norm in self.names:
            return self.names[norm]
        for particle, written in self.particles.items():
            rest = norm.removeprefix(particle)
            name = self.names.get(rest, "") or self.names.get(rest.removeprefix(self.joint), "")
            if rest != norm and name:
                return written + name
        return ""


@lru_cache(maxsize=32)
def verb_forms(code: str) -> VerbForms:
    """The verb forms of a language."""
    tongue = language(code)
    infinitives: dict[str, str] = {}
    groups: tuple[set[str], ...] = tuple(set() for _ in range(_GROUPS))
    endings = _endings(tongue.lines("verbs", "endings"))
    for line in tongue.lines("verbs", "known"):
        name, _, said = line.partition("=")
        infinitive = name.strip()
        forms = _groups(said) if said else _regular(infinitive, endings)
        for group, words in zip(groups, forms, strict=True):
            group.update(words)
        for form in {without_diacritics(infinitive), *forms[0], *forms[1], *forms[2]}:
            infinitives.setdefault(form, infinitive)
    return VerbForms(
        infinitives,
        {without_diacritics(name): name for name in infinitives.values()},
        frozenset(groups[0]),
        frozenset(groups[1]),
        frozenset(groups[2]) | {without_diacritics(name) for name in infinitives.values()},
        speaker=_words(code, "speaker"),
        hearer=_words(code, "hearer"),
        particles={without_diacritics(word): word for word in tongue.words("verbs", "particles")},
        joint=str(tongue.table("verbs").get("joint", "")),
        links=_words(code, "links"),
        hung=tuple(sorted(_words(code, "hung"), key=len, reverse=True)),
        is_verb_last=bool(tongue.table("verbs").get("verb_last", False)),
    )


def _words(code: str, key: str) -> frozenset[str]:
    return frozenset(map(without_diacritics, language(code).words("verbs", key)))


def _groups(said: str) -> tuple[tuple[str, ...], ...]:
    parts = [tuple(map(without_diacritics, part.split())) for part in said.split("|")]
    return tuple(parts + [()] * (_GROUPS - len(parts)))


def _endings(lines: tuple[str, ...]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """What takes the place of an infinitive's ending, the longest ending first; `-` stands for nothing."""
    found = {}
    for line in sorted(lines, key=lambda line: -len(line.partition("=")[0].strip())):
        ending, _, said = line.partition("=")
        found[ending.strip()] = tuple(
            tuple("" if word == "-" else word for word in group) for group in _groups(said)
        )
    return found


def _regular(
    infinitive: str, endings: Mapping[str, tuple[tuple[str, ...], ...]]
) -> tuple[tuple[str, ...], ...]:
    ending = next((ending for ending in endings if infinitive.endswith(ending)), None)
    if ending is None:
        return ((),) * _GROUPS
    stem = without_diacritics(infinitive.removesuffix(ending))
    return tuple(tuple(stem + word for word in group) for group in endings[ending])
