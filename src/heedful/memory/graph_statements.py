"""Reads relations off sentences: two entities and, between them, words that the predicate map knows."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heedful.memory.entity_kinds import EntityKind, Sighting
from heedful.memory.graph_predicates import Meaning, Predicate, fits, meanings
from heedful.reading import is_stop_word, sentences, without_diacritics

_FIRST_PERSON = re.compile(r"(?<!\w)(I|ich|eu|yo)(?=\s)", re.IGNORECASE)
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
_CLAUSES = frozenset(["that", "dass", "daß", "que", "when", "if", "wenn", "how", "wie", "como", "cómo"])
_COURTESY = re.compile(
    r"(?i)your?|this|these|it|dein\w*|ihr\w*|dies\w*|seus?|suas?|ess[ea]s?|est[ea]s?|tus?|vuestr\w+"
)
_TOPIC = re.compile(r"\s*((?:[\w'’-]+)(?:[ \u00a0][\w'’-]+){0,4})")
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
    if not sightings and not _FIRST_PERSON.search(text):
        return
    for sentence in sentences(text, lang):
        if sentence.end - sentence.start > _LONGEST_SENTENCE:
            continue
        here = [s for s in sightings if sentence.start <= s.start and s.end <= sentence.end]
        if text[sentence.start : sentence.end].rstrip().endswith("?") or _IF.match(text, sentence.start):
            continue
        yield from _between(text, here)
        yield from _of_the_writer(text, here, sentence.start, sentence.end, lang)
        yield from _liked(text, here, sentence.end, lang)
        yield from _deadlines(text, here)


def _between(text: str, here: Sequence[Sighting]) -> Iterator[Statement]:
    for subject, obj in itertools.pairwise(here):
        for meaning in _said(text, subject.end, obj.start):
            if fits(meaning.predicate, subject.kind, obj.kind):
                yield _statement(subject, meaning, obj, subject.start, obj.end)
                break


def _of_the_writer(
    text: str, here: Sequence[Sighting], start: int, end: int, lang: str
) -> Iterator[Statement]:
    for match in _FIRST_PERSON.finditer(text, start, end):
        following = next((s for s in here if s.start >= match.end()), None)
        if following is not None:
            for meaning in _said(text, match.end(), following.start):
                if fits(meaning.predicate, EntityKind.PERSON, following.kind):
                    yield _statement(None, meaning, following, match.start(), following.end)
                    return
        yield from _liking(text, None, match.start(), match.end(), end, lang)


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
        for meaning in meanings(text[after:verb_end]):
            topic = _topic(text, verb_end, end, lang) if meaning.predicate in _LIKES else None
            if topic is not None:
                yield _statement(subject, meaning, topic, start, topic.end)
                return


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
        is_told = _DEADLINE.search(between) or _DEADLINE_OF.search(
            text[max(0, subject.start - _LONGEST_PHRASE) : subject.start]
        )
        is_close = len(between) <= _LONGEST_PHRASE and is_told is not None and not _NEGATED.search(between)
        if is_close and fits(Predicate.HAS_DEADLINE, subject.kind, date.kind):
            yield _statement(subject, Meaning(Predicate.HAS_DEADLINE, 0.7), date, subject.start, date.end)


def _said(text: str, start: int, end: int) -> tuple[Meaning, ...]:
    between = text[start:end]
    if not 0 < len(between) <= _LONGEST_PHRASE:
        return ()
    found = meanings(between.strip(" ,\t\u00a0"))
    if not found and _NEGATED.search(between):
        return ()
    return found


def _statement(subject: Sighting | None, meaning: Meaning, obj: Sighting, start: int, end: int) -> Statement:
    sure = meaning.confidence * min(obj.score, 1.0 if subject is None else subject.score)
    return Statement(subject, meaning.predicate, replace(obj), round(sure, 3), start, end)
