"""Who speaks in the passages below a node, and where a sentence names them.

Somebody is named by all of their name, or by its first or last word where nobody else below shares it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from heedful.memory.tree.summaries_words import folded, summaries_words
from heedful.reading import is_stop_word, without_diacritics

_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_GENITIVE = re.compile(r"(?:['’]s|(?<=[sxz])['’]|s)$")
GREETING = 3
"""So many words may stand before the name of whom a sentence calls upon at its begin."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A speaker's name in a sentence, [start, end) with what stands before it as a form of address.

    `before` is the word in front, folded; empty at the begin of a sentence and after a mark. It may be that of somebody
    who `owns` something («Ana's»), who is called upon («Ana, could you …»), or `joins` the name right before it.
    """

    start: int
    end: int
    who: str
    before: str
    owns: bool
    is_called: bool
    joins: bool


@dataclass(frozen=True, slots=True)
class Speakers:
    """Those whom labels name; `names` are the ways to name them, word by word and folded."""

    names: Mapping[tuple[str, ...], str]
    labels: Mapping[str, str]

    @classmethod
    def of(cls, labels: Iterable[str]) -> "Speakers":
        """Those of labels `name · subject`; a shorter name is the longer one that it is a part of."""
        full = {label: name for label in dict.fromkeys(labels) if (name := _named(label))}
        whole = {label: _longest(name, full.values()) for label, name in full.items()}
        people = set(whole.values())
        names = {full[label]: " ".join(name) for label, name in whole.items()}
        ends = Counter(part for name in people for part in {name[:1], name[-1:]})
        for name in sorted(people):
            for part in (name[:1], name[-1:]):
                if ends[part] == 1 and _is_telling(part[0]):
                    names.setdefault(part, " ".join(name))
        return cls(names, {label: " ".join(name) for label, name in whole.items()})

    def of_label(self, label: str) -> str:
        """Whom a label names; empty where it names nobody."""
        return self.labels.get(label, "")

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Where a sentence names a speaker, in order."""
        words = list(_WORD.finditer(sentence))
        folded = [without_diacritics(word[0]) for word in words]
        longest = max(map(len, self.names), default=0)
        found: list[Mention] = []
        at = 0
        while at < len(words):
            for size in range(min(longest, len(words) - at), 0, -1):
                name = tuple(folded[at : at + size])
                bare = (*name[:-1], _GENITIVE.sub("", name[-1]))
                who = self.names.get(name) or self.names.get(bare)
                if who and words[at][0][0].isupper():
                    place = _Place(sentence, words, folded, at, at + size)
                    found.append(
                        place.mention(who, owns=name not in self.names, last=found[-1] if found else None)
                    )
                    at += size
                    break
            else:
                at += 1
        return tuple(found)


@dataclass(frozen=True, slots=True)
class _Place:
    """A name in a sentence: the words [at, end)."""

    sentence: str
    words: list[re.Match[str]]
    folded: list[str]
    at: int
    end: int

    def mention(self, who: str, *, owns: bool, last: Mention | None) -> Mention:
        first = self.at
        while first and self.folded[first - 1] in _forms() and not self._is_parted(first):
            first -= 1
        start, end = self.words[first].start(), self.words[self.end - 1].end()
        before = "" if first == 0 or self._is_parted(first) else self.folded[first - 1]
        after = self.sentence[end:].lstrip()[:1]
        is_greeted = after in set(",!:–") and first <= GREETING and (not before or first < GREETING)
        is_hailed = not before and first > 0 and after in set(",.?!")
        return Mention(
            start, end, who, before, owns=owns, is_called=bool(after) and (is_greeted or is_hailed),
            joins=last is not None and len(self.sentence[last.end : start].split()) <= 1 and start - last.end < 6,
        )  # fmt: skip

    def _is_parted(self, at: int) -> bool:
        """Whether a mark stands before a word, be it only the full stop of a title."""
        between = self.sentence[self.words[at - 1].end() : self.words[at].start()].strip()
        return bool(between) and not (between == "." and self.folded[at - 1] in _forms())


@lru_cache
def _forms() -> frozenset[str]:
    """What may stand right before a name without being part of it, folded."""
    return folded(summaries_words()["said"]["before_names"])


def _is_telling(word: str) -> bool:
    return len(word) > 2 and word not in _forms() and not is_stop_word(word)


def _named(label: str) -> tuple[str, ...]:
    return tuple(map(without_diacritics, _WORD.findall(label.split(" · ")[0])))


def _longest(name: tuple[str, ...], names: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    longer = {one for one in names if len(one) > len(name) and set(name) <= set(one)}
    return longer.pop() if len(longer) == 1 else name
