"""Reads relations off sentences: two entities and, between them, words that the predicate map knows."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heedful.memory.entities.graph_predicates import (
    GAP,
    Meaning,
    Predicate,
    fits,
    folded_phrase,
    meanings,
    split_meanings,
    writer_openings,
)
from heedful.memory.entities.kinds import EntityKind, Sighting
from heedful.reading import is_stop_word, sentences, without_diacritics

_FIRST_PERSON = re.compile(r"(?<!\w)(I|ich|eu|yo)(?=\s|['’](?:m|d|ve)\s)", re.IGNORECASE)
_NEGATED = re.compile(
    r"(?<!\w)(?:not|never|no longer|n't|nicht|nie|kein\w*|não|nunca|jamais|no)(?!\w)", re.IGNORECASE
)
_DEADLINE = re.compile(
    r"(?<!\w)(?:due|deadline|by|until|no later than|expires|fällig|frist|abgabe|bis|spätestens|prazo|até|vence"
    r"|vencimento|entrega|plazo|hasta|antes del?)(?!\w)",
    re.IGNORECASE,
)
_DEADLINE_OF = re.compile(
    r"(?<!\w)(?:deadline|due date|frist|abgabe(?:termin)?|prazo|vencimento|plazo|vencimiento|fecha l[ií]mite)"
    r"[ \u00a0](?:of|for|für|von|des|der|do|da|de|del|para)(?!\w)[^.;:\d]{0,30}\Z",
    re.IGNORECASE,
)
_IF = re.compile(r"\W*(?:if|when|wenn|falls|sobald|se|si|caso|quando|cuando)(?!\w)", re.IGNORECASE)
_WHETHER = re.compile(
    r"(?<!\w)(?:whether|if|ob|falls|wenn|se|si)\s+(?:(?:the|der|die|das|o|a|el|la)\s+)?\Z", re.IGNORECASE
)
_WHETHER_CHARS = 20
_CLAUSES = frozenset(["that", "dass", "daß", "que", "when", "if", "wenn", "how", "wie", "como", "cómo"])
_COURTESY = re.compile(
    r"(?i)your?|this|these|it|dein\w*|ihr\w*|dies\w*|seus?|suas?|ess[ea]s?|est[ea]s?|tus?|vuestr\w+"
)
_TOPIC = re.compile(r"\s*((?:[\w'’-]+)(?:[ \u00a0][\w'’-]+){0,4})")
_CLAUSE = re.compile(r"[^.,;:!?\n]*")
_DENIED_AT_THE_END = re.compile(r"(?<!\w)(?:nicht|nie)\W*\Z", re.IGNORECASE)
_DUE_THEN = re.compile(r"[ \u00a0](?:fällig|due|abzugeben|einzureichen)(?!\w)", re.IGNORECASE)
_OPENING = re.compile(r"[\s\"'“„«¡(*•–-]*((?:[^\W\d_]+\s+){1,2})")
_WITHOUT_PRONOUNS = frozenset(["pt", "es"])
_SPOKEN = re.compile(r"[\w'’-]+")
_MOST_BETWEEN = 5
_LONGEST_PHRASE = 60
_LONGEST_SENTENCE = 400
_LIKES = frozenset([Predicate.PREFERS, Predicate.AVOIDS, Predicate.INVESTIGATES])


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation said at characters [start, end) of a text. `subject` is None where the writer speaks of themselves."""

    subject: Sighting | None
    predicate: Predicate
    object: Sighting
    confidence: float
    start: int
    end: int


def statements(text: str, sightings: Sequence[Sighting], *, lang: str) -> Iterator[Statement]:
    """What the sentences of a text say of the entities seen in it, in order."""
    if not sightings and lang not in _WITHOUT_PRONOUNS and not _FIRST_PERSON.search(text):
        return
    for sentence in sentences(text, lang):
        if sentence.end - sentence.start > _LONGEST_SENTENCE:
            continue
        here = [s for s in sightings if sentence.start <= s.start and s.end <= sentence.end]
        if text[sentence.start : sentence.end].rstrip().endswith("?") or _IF.match(text, sentence.start):
            continue
        undated = [one for one in here if one.kind is not EntityKind.DATE]
        yield from _between(text, undated, sentence.end)
        yield from _of_the_writer(text, here, sentence.start, sentence.end, lang)
        yield from _liked(text, here, sentence.end, lang)
        yield from _deadlines(text, here)


def _between(text: str, here: Sequence[Sighting], end: int) -> Iterator[Statement]:
    for first, second in itertools.pairwise(here):
        if _WHETHER.search(text, max(0, first.start - _WHETHER_CHARS), first.start):
            continue
        for meaning in _said(text, first.end, second.start, _clause(text, second.end, end)):
            if meaning.fits(first.kind, second.kind):
                subject, obj = (second, first) if meaning.is_reversed else (first, second)
                yield _statement(subject, meaning, obj, first.start, second.end)
                break


def _of_the_writer(
    text: str, here: Sequence[Sighting], start: int, end: int, lang: str
) -> Iterator[Statement]:
    for begin, after in _writers(text, start, end, lang):
        following = next((s for s in here if s.start >= after), None)
        if following is not None:
            for meaning in _said(text, after, following.start, _clause(text, following.end, end)):
                if not meaning.is_reversed and fits(meaning.predicate, EntityKind.PERSON, following.kind):
                    yield _statement(None, meaning, following, begin, following.end)
                    return
        yield from _liking(text, None, begin, after, end, lang)


def _writers(text: str, start: int, end: int, lang: str) -> Iterator[tuple[int, int]]:
    """Where the writer speaks of themselves, and where what they say begins; a verb may say so by its form alone."""
    yield from (match.span() for match in _FIRST_PERSON.finditer(text, start, end))
    opening = _OPENING.match(text, start, end) if lang in _WITHOUT_PRONOUNS else None
    if opening is not None and any(
        folded_phrase(" ".join(opening[1].split()[:count])) in writer_openings() for count in (1, 2)
    ):
        yield opening.start(1), opening.start(1)


def _liked(text: str, here: Sequence[Sighting], end: int, lang: str) -> Iterator[Statement]:
    for place, subject in enumerate(here):
        if subject.kind is EntityKind.PERSON:
            reach = next((one.start for one in here[place + 1 :] if one.kind is not EntityKind.DATE), end)
            yield from _liking(text, subject, subject.start, subject.end, reach, lang)


def _liking(
    text: str, subject: Sighting | None, start: int, after: int, end: int, lang: str
) -> Iterator[Statement]:
    """What somebody likes or avoids need not be an entity yet: the words behind the verb become a topic."""
    words = [
        (m.start(), m.end())
        for m in re.finditer(r"[\w'’-]+", text[after : min(end, after + _LONGEST_PHRASE)])
    ]
    for count in (4, 3, 2, 1):
        if len(words) <= count:
            continue
        last, verb_end = (after + place for place in words[count - 1])
        if _COURTESY.fullmatch(text, last, verb_end):  # «I like your plan» is said to please
            continue
        for meaning, until in _wishes(text, after, verb_end, end):
            topic = _topic(text, verb_end, until, lang) if meaning.predicate in _LIKES else None
            if topic is not None:
                yield _statement(subject, meaning, topic, start, topic.end)
                return


def _wishes(text: str, after: int, verb_end: int, end: int) -> Iterator[tuple[Meaning, int]]:
    """What the words up to a verb's end say, each with where what is liked must end: before the verb's second part."""
    clause = _clause(text, verb_end, end)
    for last, meaning in split_meanings(text[after:verb_end]):
        if (place := _ends_with(clause, last)) is not None:
            yield meaning, verb_end + place
    if not _DENIED_AT_THE_END.search(clause):
        yield from ((meaning, end) for meaning in meanings(text[after:verb_end]))


def _topic(text: str, start: int, end: int, lang: str) -> Sighting | None:
    match = _TOPIC.match(text, start, end)
    if match is None:
        return None
    words = match[1].split()
    if words[0].casefold() in _CLAUSES or _COURTESY.fullmatch(words[0]):
        return None
    while words and is_stop_word(words[0], lang):
        words = words[1:]
    for place, word in enumerate(words):
        if place and is_stop_word(word, lang):
            words = words[:place]
            break
    if not words:
        return None
    begin = text.index(words[0], match.start(1))
    finish = text.index(words[-1], begin) + len(words[-1])
    name = text[begin:finish]
    return Sighting(EntityKind.TOPIC, begin, finish, without_diacritics(" ".join(words)), name, 0.5)


def _deadlines(text: str, here: Sequence[Sighting]) -> Iterator[Statement]:
    for subject, date in itertools.pairwise(here):
        between = text[subject.end : date.start]
        is_told = (
            _DEADLINE.search(between)
            or _DEADLINE_OF.search(text[max(0, subject.start - _LONGEST_PHRASE) : subject.start])
            or _DUE_THEN.match(text, date.end)
        )
        is_close = len(between) <= _LONGEST_PHRASE and is_told is not None and not _NEGATED.search(between)
        if is_close and fits(Predicate.HAS_DEADLINE, subject.kind, date.kind):
            yield _statement(subject, Meaning(Predicate.HAS_DEADLINE, 0.7), date, subject.start, date.end)


def _said(text: str, start: int, end: int, behind: str) -> tuple[Meaning, ...]:
    """What stands between two places says, with what is `behind` the second up to the end of its clause."""
    between = text[start:end]
    if not 0 < len(between) <= _LONGEST_PHRASE:
        return ()
    plain = between.strip(" ,\t\u00a0")
    split = tuple(meaning for last, meaning in split_meanings(plain) if _ends_with(behind, last) is not None)
    return split or (() if _DENIED_AT_THE_END.search(behind) else meanings(plain))


def _clause(text: str, start: int, end: int) -> str:
    """What follows a place up to the end of its clause."""
    return _CLAUSE.match(text, start, min(end, start + _LONGEST_PHRASE))[0]  # type: ignore[index] # matches always


def _ends_with(clause: str, last: str) -> int | None:
    """Where the words that a clause ends with begin; None where it ends with others, or denies."""
    words = list(_SPOKEN.finditer(clause))
    if last.endswith(f" {GAP}"):
        return _within(clause, words, last.removesuffix(f" {GAP}"))
    count = len(last.split())
    ending = words[-count:]
    if not count <= len(words) <= count + _MOST_BETWEEN:
        return None
    if folded_phrase(" ".join(word.group() for word in ending)) != last:
        return None
    begin = ending[0].start()
    return None if _NEGATED.search(clause, 0, begin) else begin


def _within(clause: str, words: list[re.Match[str]], wanted: str) -> int | None:
    """Where a word stands in a clause that does not deny it; None where it is not."""
    found = next((word.start() for word in words if without_diacritics(word.group()) == wanted), None)
    return None if found is None or _NEGATED.search(clause) else found


def _statement(subject: Sighting | None, meaning: Meaning, obj: Sighting, start: int, end: int) -> Statement:
    sure = meaning.confidence * min(obj.score, 1.0 if subject is None else subject.score)
    return Statement(subject, meaning.predicate, replace(obj), round(sure, 3), start, end)
