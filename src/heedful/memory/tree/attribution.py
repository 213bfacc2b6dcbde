"""Finds what a summary puts into the wrong mouth: «Ana will send the contract» where Rui said so.

A sentence of a summary is cut into claims, each from the name of somebody who speaks below up to the next. What a claim
says is looked for in the clauses below. It is theirs where its telling words stand in a clause that they said, or that
tells of them, about as well as in anybody else's; a word tells more the fewer clauses it stands in. A question or
request is no statement of who asked it, but whoever answers it says what was asked.

Lenient: what nobody else said much better passes, and so does what is told of somebody who does not speak below.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from heedful.memory.search.question import stemmed
from heedful.memory.tree.extractive import Passage, lines_of
from heedful.memory.tree.speakers import Mention, Speakers
from heedful.memory.tree.summaries_words import folded, summaries_words
from heedful.reading import content_tokens, sentences, without_diacritics

AS_WELL = 0.67
"""A person's own best clause is good enough at this share of somebody else's."""
LEAST_SHARED = 2
"""Telling words that somebody else's clause must share with a claim before it can be theirs,"""
LEAST_SHARE = 0.5
"""and how much that must be of all that the claim says, by weight."""

ASKED = 0.5
"""What a question or request counts for a claim that asks nothing."""
OF_OTHERS = 0.7
"""What a clause of one's own counts that tells of somebody else, and one of somebody else's in which one is named."""
OF_NAMED = 0.6
"""What a clause counts against a claim that names who said it: «Nate praises what Joanna wrote»."""
SCATTERED = 0.6
"""What a claim's words count where they are one's own, though in several clauses."""

_TURN = re.compile(r"[,;:–]?\s+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of a sentence and who does what it tells; `before` is the word in front of the name that opens it."""

    start: int
    end: int
    doers: frozenset[str]
    before: str = ""


@dataclass(frozen=True, slots=True)
class _Clause:
    """What `teller` said at a stretch, of `doers` where it names any; others are `named` in it.

    It `asks` or is `to_somebody` who is not named: «then you give the lessons».
    """

    passage: int
    teller: str
    doers: frozenset[str]
    named: frozenset[str]
    stems: frozenset[str]
    asks: bool
    is_to_somebody: bool = False
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class _Claim:
    """What a summary says of somebody, or of several together; `named` are all speakers in it."""

    doers: frozenset[str]
    named: frozenset[str]
    stems: frozenset[str]
    asks: bool
    answers: bool


def misattributed(text: str, passages: Sequence[Passage], *, lang: str) -> tuple[str, ...]:
    """The sentences of a summary of these passages, in their order, that put something into the wrong mouth."""
    speakers = Speakers.of([label for passage in passages for label, _ in lines_of(passage)])
    clauses = _with_answers(list(_clauses(passages, speakers, lang)))
    weights = _weights(clauses)
    return tuple(
        one.text
        for one in sentences(text, lang)
        if any(_is_anothers(claim, clauses, weights) for claim in _claims(one.text, speakers, lang))
    )


def _claims(sentence: str, speakers: Speakers, lang: str) -> Iterator[_Claim]:
    words = _words(lang)
    mentions = [replace(one, is_called=False) for one in speakers.mentions(sentence)]
    for part in _stretches(sentence, mentions, words):
        said = sentence[part.start : part.end]
        stems = _stems(_without(said, part.start, mentions), lang)
        if part.doers and part.before not in words.supposing and len(stems) >= LEAST_SHARED:
            named = {one.who for one in mentions if part.start <= one.start < part.end}
            yield _Claim(
                part.doers, frozenset(named), stems, _has(said, words.asking), _has(said, words.answering)
            )


def _clauses(passages: Sequence[Passage], speakers: Speakers, lang: str) -> Iterator[_Clause]:
    words = _words(lang)
    for number, passage in enumerate(passages):
        for label, sentence in lines_of(passage):
            teller = speakers.of_label(label)
            mentions = speakers.mentions(sentence)
            asks = sentence.rstrip(" \"'”»)").endswith("?")
            for part in _stretches(sentence, mentions, words):
                said = sentence[part.start : part.end]
                inside = {
                    one.who for one in mentions if part.start <= one.start < part.end and not one.is_called
                }
                is_own = _has(said, words.first_person)
                yield _Clause(
                    number, teller, part.doers, frozenset(inside - {teller}),
                    _stems(_without(said, part.start, mentions), lang), asks or _has(said, words.requesting),
                    is_to_somebody=not is_own and _has(said, words.second_person),
                )  # fmt: skip


def _stretches(sentence: str, mentions: Sequence[Mention], words: "_Words") -> list[_Stretch]:
    """The parts of a sentence, with who does what each tells; nobody where that is not clear.

    A part begins at the name of who does something, and at what is somebody's own or another's to do: «, but please …»,
    «, then I …», «and he …».
    """
    parts = [_Stretch(0, len(sentence), _inverted(sentence, mentions, words))]
    for one in mentions:
        if one.owns or one.is_called or (one.before and one.before not in words.joining):
            continue
        doers = frozenset([one.who])
        if one.joins and parts[-1].doers:
            parts[-1] = replace(parts[-1], doers=parts[-1].doers | doers)
        else:
            parts.append(_Stretch(one.start, len(sentence), doers, one.before))
    named = {part.start for part in parts}
    for turn in _TURN.finditer(sentence):
        after = [without_diacritics(word) for word in sentence[turn.end() :].split(maxsplit=3)[:3]]
        if turn.end() not in named and _turns(turn[0].strip(), after, words):
            parts.append(_Stretch(turn.end(), len(sentence), frozenset()))
    parts.sort(key=lambda part: part.start)
    ends = [*(part.start for part in parts[1:]), len(sentence)]
    return [replace(part, end=end) for part, end in zip(parts, ends, strict=True) if part.start < end]


def _turns(mark: str, after: Sequence[str], words: "_Words") -> bool:
    """Whether what comes after a comma or a joining word is for others to do, or one's own."""
    if not mark and not words.joining.intersection(after[:1]):
        return False
    if not words.requesting.isdisjoint(after) or not words.first_person.isdisjoint(after):
        return True
    return bool(words.adding.intersection(after[:1]) and words.third_person.intersection(after[1:2]))


def _inverted(sentence: str, mentions: Sequence[Mention], words: "_Words") -> frozenset[str]:
    """Who does what a sentence tells that no name opens: «am Freitag holt Jonas», «paid by Ana».

    Nobody where the sentence names more than one.
    """
    called = [one for one in mentions if not one.is_called]
    if len(called) != 1 or called[0].owns:
        return frozenset()
    before = [without_diacritics(word) for word in sentence[: called[0].start].split()]
    if called[0].before in words.by:
        return frozenset([called[0].who])
    if not words.inverting or called[0].before in words.pointing or words.third_person & set(before):
        return frozenset()
    return frozenset([called[0].who])


def _with_answers(clauses: list[_Clause]) -> list[_Clause]:
    """The clauses, and the first one of each message once more with what somebody else asked right before it."""
    first: dict[int, _Clause] = {}
    for clause in clauses:
        first.setdefault(clause.passage, clause)
    answers = [
        replace(answer, stems=answer.stems | question.stems, asks=False, is_answer=True)
        for question in clauses
        if question.asks and (answer := first.get(question.passage + 1)) and answer.teller != question.teller
    ]
    return [*clauses, *answers]


def _is_anothers(claim: _Claim, clauses: Sequence[_Clause], weights: Mapping[str, float]) -> bool:
    """Whether somebody else's clause says what is claimed, and none of those whom it is claimed of does."""
    said = sum(weights.get(stem, 0.0) for stem in claim.stems)
    last_own = max((one.passage for one in clauses if one.teller in claim.doers), default=-1)
    scattered: set[str] = set()
    own = others = 0.0
    for clause in clauses:
        shared = claim.stems & clause.stems
        worth = sum(weights[stem] for stem in shared)
        is_answered = claim.answers and clause.passage < last_own
        own = max(own, worth * (1.0 if is_answered else _of_doers(claim, clause)))
        if _is_by(claim, clause):
            scattered |= shared
        if len(shared) >= LEAST_SHARED and worth >= LEAST_SHARE * said and _is_of_others(claim, clause):
            others = max(others, worth * _fits(claim, clause, 0.0) * _unnamed(claim, clause))
    return max(own, SCATTERED * sum(weights[stem] for stem in scattered)) < AS_WELL * others


def _of_doers(claim: _Claim, clause: _Clause) -> float:
    """How much a clause counts as said by, or of, those whom something is claimed of."""
    if claim.doers & clause.doers or not (clause.teller or clause.doers):
        return _fits(claim, clause, ASKED)
    if clause.teller in claim.doers:
        return _fits(claim, clause, ASKED) * (OF_OTHERS if clause.doers else 1.0)
    return OF_OTHERS if claim.doers & clause.named else 0.0


def _unnamed(claim: _Claim, clause: _Clause) -> float:
    return OF_NAMED if clause.teller in claim.named else 1.0


def _is_by(claim: _Claim, clause: _Clause) -> bool:
    if claim.doers & clause.doers:
        return True
    return clause.teller in claim.doers and not clause.is_answer and clause.asks <= claim.asks


def _is_of_others(claim: _Claim, clause: _Clause) -> bool:
    if clause.is_to_somebody or not (clause.teller or clause.doers):
        return False
    return clause.teller not in claim.doers and not claim.doers & clause.doers


def _fits(claim: _Claim, clause: _Clause, asked: float) -> float:
    """How much a clause counts for a claim by its form; `asked` is what a question counts for one that asks nothing."""
    if claim.asks:
        return 0.0 if clause.is_answer else 1.0
    return asked if clause.asks else 1.0


def _weights(clauses: Sequence[_Clause]) -> dict[str, float]:
    counted = Counter(stem for one in clauses for stem in one.stems)
    return {stem: math.log(1 + len(clauses) / count) for stem, count in counted.items()}


def _without(said: str, begin: int, mentions: Sequence[Mention]) -> str:
    """A stretch that begins at a character of its sentence, without the names of who speaks."""
    for one in reversed(mentions):
        if begin <= one.start < begin + len(said):
            said = f"{said[: one.start - begin]} {said[one.end - begin :]}"
    return said


def _stems(text: str, lang: str) -> frozenset[str]:
    words = _words(lang)
    reporting = words.asking | words.answering
    return frozenset(
        number[0] if (number := _NUMBER.match(word)) else without_diacritics(stemmed(word, lang))
        for word in content_tokens(text, lang)
        if without_diacritics(word) not in reporting
    )


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of a language by what they do in a sentence, folded."""

    asking: frozenset[str]
    answering: frozenset[str]
    requesting: frozenset[str]
    first_person: frozenset[str]
    second_person: frozenset[str]
    third_person: frozenset[str]
    joining: frozenset[str]
    adding: frozenset[str]
    supposing: frozenset[str]
    pointing: frozenset[str]
    by: frozenset[str]
    inverting: frozenset[str]


@lru_cache
def _words(lang: str) -> _Words:
    table = summaries_words()["said"].get(lang, {})
    return _Words(*(folded(table.get(one.name, "")) for one in fields(_Words)))


def _has(text: str, words: frozenset[str]) -> bool:
    return any(without_diacritics(word) in words for word in re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", text))
