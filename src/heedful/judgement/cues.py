"""The wordings of a language that tell what a sentence wants, matched word by word in one pass.

A language's `[cues]` tables are the data: each key names a cue, each line is one wording. In a wording `^` at its
front asks for the start of a clause, `$` at its end for the end of the sentence, `_` stands for any one word,
and a word that ends in `*` for every word that begins so. Case and diacritics never matter.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from heedful.judgement.verb_forms import VerbForms, verb_forms
from heedful.reading import language, text_without_diacritics, without_diacritics

_TOKEN = re.compile(r"\d+(?:[.,:/h]\d+)*|[^\W\d_]+(?:['’\-][^\W\d_]+)*|[?!,;:.…()–—\-&%#@/\"“”]")
_TOKEN_OR_ADDRESS = re.compile(rf"[\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}}|{_TOKEN.pattern}")
_PREFIX = 3
_CLITICS = frozenset(["me", "nos", "te", "lhe", "lhes", "o", "os", "lo", "la", "los", "las", "no", "na"])
_BREAKS = frozenset(',;:.!?…()–—-"“”')


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark: `norm` is casefolded and bare of diacritics; offsets are into the sentence."""

    norm: str
    start: int
    end: int
    is_mark: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A wording of the cue `name` at tokens [first, last)."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Wording:
    cue: str
    words: tuple[str, ...]
    at_start: bool
    at_end: bool

    @property
    def second(self) -> str:
        """The word that must follow its first one; empty where there is none, or it stands for others."""
        word = self.words[1] if len(self.words) > 1 else ""
        return "" if word == "_" or word.endswith("*") else word


@dataclass(frozen=True, slots=True, eq=False)
class _Begun:
    """The wordings that begin alike, in the file's order; `before` has those that the next word leaves, by that word.

    Those that leave the next word open are in each of them, and alone in `before_any`.
    """

    wordings: tuple[_Wording, ...]
    before: Mapping[str, tuple[_Wording, ...]]
    before_any: tuple[_Wording, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Cues:
    """The compiled cue tables of one language."""

    code: str
    begun: Mapping[str, _Begun]
    joiners: frozenset[str]

    def tokens(self, text: str) -> tuple[Token, ...]:
        """The words, numbers and marks of a sentence of this language."""
        return tokens_of(text, verb_forms(self.code))

    def hits(self, tokens: tuple[Token, ...], starts: frozenset[int]) -> tuple[Hit, ...]:
        """Every wording in a sentence, by place; `starts` are its clause starts."""
        norms = [*(token.norm for token in tokens), ""]
        return tuple(
            Hit(wording.cue, first, first + len(wording.words))
            for first, (norm, following) in enumerate(pairwise(norms))
            for key in (norm, norm[:_PREFIX] + "*")
            if (begun := self.begun.get(key)) is not None
            for wording in begun.before.get(following, begun.before_any)
            if (not wording.at_start or first in starts) and _fits(wording, tokens, first)
        )


def tokens_of(text: str, forms: VerbForms) -> tuple[Token, ...]:
    """The words, numbers and marks of a sentence in order; a pronoun hung on a verb («envie-me») is its own word.

    A mail address is one word: nothing in «me@ana.example» means the speaker.
    """
    return tuple(
        Token(norm, begin + first, begin + last, is_mark)
        for found in (_TOKEN_OR_ADDRESS if "@" in text else _TOKEN).finditer(text)
        for begin in (found.start(),)
        for norm, first, last, is_mark in _parted(found.group(), forms)
    )


@lru_cache(maxsize=65536)
def _parted(written: str, forms: VerbForms) -> tuple[tuple[str, int, int, bool], ...]:
    """What stands between two spaces as the tokens it is: their `norm`, offsets into it, and whether it is a mark."""
    norm = without_diacritics(written.replace("’", "'"))
    stem, hyphen, pronoun = norm.rpartition("-")
    cuts: tuple[tuple[int, int], ...] = ()
    if len(norm) == len(written) and "@" not in norm[1:]:
        if hyphen and pronoun in _CLITICS:
            cuts = ((0, len(stem)), (len(stem) + 1, len(norm)))
        elif hung := forms.cuts(norm):
            cuts = tuple(pairwise((0, *hung, len(norm))))
    if cuts:
        return tuple((norm[first:last], first, last, False) for first, last in cuts)
    return ((norm, 0, len(written), norm in _BREAKS),)


def holds_cue(text: str, lang: str, cue: str) -> bool:
    """Whether a text holds a wording of one cue, as if it were one sentence."""
    bare = text_without_diacritics(text.replace("’", "'"))
    if not any(all(word in bare for word in words) for words in _fixed_words(lang, cue)):
        return False
    book = _only(lang, cue)
    tokens = book.tokens(text)
    return bool(book.hits(tokens, clause_starts(tokens, book.joiners)))


def clause_starts(tokens: tuple[Token, ...], joiners: frozenset[str]) -> frozenset[int]:
    """The tokens at which a clause may begin: the first, and those after a mark or a joining word."""
    starts = {0}
    for number, token in enumerate(tokens):
        if token.is_mark or (token.norm in joiners and (number in starts or number > 2)):
            starts.add(number + 1)
    return frozenset(starts)


@lru_cache(maxsize=32)
def cues(code: str) -> Cues:
    """The cues of a language, English where it has none of its own."""
    tongue = language(code)
    forms = verb_forms(tongue.code)
    wordings = [
        *(
            _wording(name, line, forms)
            for name, value in tongue.table("cues").items()
            if isinstance(value, str)
            for line in tongue.lines("cues", name)
        ),
        *(_Wording("verb", (form,), at_start=False, at_end=False) for form in forms.commands),
    ]
    if not wordings and tongue.code != "en":
        return cues("en")
    return Cues(tongue.code, _by_beginning(wordings), words_of(tongue.code, "joiner"))


def _by_beginning(wordings: Iterable[_Wording]) -> Mapping[str, _Begun]:
    alike: dict[str, list[_Wording]] = {}
    for wording in wordings:
        alike.setdefault(_key(wording.words[0]), []).append(wording)
    return {key: _begun(tuple(found)) for key, found in alike.items()}


def _begun(wordings: tuple[_Wording, ...]) -> _Begun:
    followers = {wording.second for wording in wordings} - {""}
    before = {
        word: tuple(wording for wording in wordings if wording.second in {word, ""}) for word in followers
    }
    return _Begun(wordings, before, tuple(wording for wording in wordings if not wording.second))


@lru_cache(maxsize=64)
def _only(code: str, cue: str) -> Cues:
    """The cues of a language without any but one."""
    book = cues(code)
    kept = (one for begun in book.begun.values() for one in begun.wordings if one.cue == cue)
    return replace(book, begun=_by_beginning(kept))


@lru_cache(maxsize=64)
def _fixed_words(code: str, cue: str) -> frozenset[tuple[str, ...]]:
    """Of each wording of a cue what must stand in a text, somewhere, for the wording to be in it.

    Looking for that rules most texts out at a tenth of what it costs to take them apart.
    """
    return frozenset(
        tuple(word.removesuffix("*") for word in wording.words if word != "_")
        for begun in _only(code, cue).begun.values()
        for wording in begun.wordings
    )


@lru_cache(maxsize=256)
def words_of(code: str, key: str) -> frozenset[str]:
    """The single words under a key of a language's `[cues]`, in the form that tokens have."""
    return frozenset(map(without_diacritics, language(code).words("cues", key)))


def _wording(cue: str, line: str, forms: VerbForms) -> _Wording:
    bare = line.removeprefix("^").removesuffix("$")
    words = tuple(part for word in bare.split() for part in _parts(word, forms))
    return _Wording(cue, words, line.startswith("^"), line.endswith("$"))


def _parts(word: str, forms: VerbForms) -> tuple[str, ...]:
    """A word of a wording as the tokens that a text would give for it."""
    if word == "_" or word.endswith("*"):
        return (without_diacritics(word),)
    return tuple(token.norm for token in tokens_of(word, forms))


def _key(word: str) -> str:
    return word[:_PREFIX] + "*" if word.endswith("*") else word


def _fits(wording: _Wording, tokens: tuple[Token, ...], first: int) -> bool:
    last = first + len(wording.words)
    if last > len(tokens):
        return False
    for word, token in zip(wording.words, tokens[first:last], strict=True):
        if word != token.norm and not _stands_for(word, token):
            return False
    return not wording.at_end or all(token.is_mark for token in tokens[last:])


def _stands_for(word: str, token: Token) -> bool:
    """Whether `_` or a word with a `*` covers a token."""
    return not token.is_mark if word == "_" else word[-1] == "*" and token.norm.startswith(word[:-1])
