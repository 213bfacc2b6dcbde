"""A thought with its verb as an infinitive at its end, for languages that write tasks so («den Vertrag schicken»)."""

from dataclasses import dataclass

from heedful.judgement.cues import Token, words_of
from heedful.judgement.naming import Naming
from heedful.judgement.verb_forms import VerbForms, verb_forms
from heedful.judgement.wording import EDGES, end, glued, meant_for_us, owner_behind, tidy, undated, voiced


@dataclass(frozen=True, slots=True)
class Worded:
    """A thought as a title says it, and the places of the words it was made of."""

    said: str
    kept: list[int]


@dataclass(frozen=True, slots=True)
class _Clause:
    """Places in a sentence: [first, end), the words that go before the infinitive at [first, turn), and its verb."""

    first: int
    turn: int
    end: int
    infinitive: str
    left_out: frozenset[int]


def verb_last(naming: Naming, start: int, *, speaker: str) -> Worded | None:
    """The thought that begins at `start`, None where it has no verb that is known.

    `speaker` names the cue of the words that mean whoever is to receive it: with `addressed` the person promises,
    with `self_word` they are asked; without one somebody else promises, and who is to receive it is the reader.
    """
    if not verb_forms(naming.book.code).is_verb_last or start >= len(naming.lead.tokens):
        return None
    clause = _clause(naming, start, speaker)
    if clause is None:
        return None
    tokens = naming.lead.tokens
    silent = _silent(naming, speaker)
    places = [
        place
        for place in undated(naming, clause.first, clause.end)
        if place not in clause.left_out and tokens[place].norm not in silent
    ]
    for_us = meant_for_us(naming, places, clause.infinitive)
    places = [place for place in places if place not in for_us]
    addressee = words_of(naming.book.code, speaker) if speaker else frozenset[str]()
    voice = "yours" if speaker == "addressed" else "owners" if speaker else "theirs"
    head = [place for place in places if place < clause.turn]
    tail = [place for place in places if place >= clause.turn]
    said = glued(naming, head, voiced(naming, head, voice, addressee)).strip(EDGES)
    if voice != "theirs" and not any(tokens[place].norm in addressee for place in head):
        said += owner_behind(naming, head, voice)
    behind = tidy(naming, glued(naming, tail, voiced(naming, tail, voice, addressee)), least=0)
    worded = f"{said} {clause.infinitive}".strip() + (f", {behind}" if behind else "")
    return Worded(worded, places)


def closing_verb(tokens: tuple[Token, ...], start: int, forms: VerbForms) -> int | None:
    """The place of the infinitive that ends a clause behind `start`."""
    for place in range(start, len(tokens)):
        ends = place + 1 == len(tokens) or tokens[place + 1].is_mark or tokens[place + 1].norm in forms.links
        if ends and forms.infinitive_at_end(tokens[place].norm):
            return place
    return None


def _silent(naming: Naming, speaker: str) -> frozenset[str]:
    """The words that a task does without: fillers, and the pronoun of whoever does it."""
    code = naming.book.code
    doer = words_of(code, "reflexive") if speaker == "addressed" else words_of(code, "addressed")
    return words_of(code, "filler_word") | (doer if speaker else doer | words_of(code, "reflexive"))


def _clause(naming: Naming, start: int, speaker: str) -> _Clause | None:
    """The clause of a verb: what opens it, its subject and its parted particle are left out."""
    tokens, forms = naming.lead.tokens, verb_forms(naming.book.code)
    first, last = start, end(naming, start, stop_at_you=speaker == "self_word")
    while speaker != "self_word" and first > 0 and not tokens[first - 1].is_mark:
        first -= 1
    opened = {
        place
        for hit in naming.lead.hits
        if hit.name in {"commit", "can_you"}
        for place in range(hit.first, hit.last)
    }
    if tokens[start].norm in forms.infinitives and _stands_second(naming, start):
        turn = next((place for place in range(start + 1, last) if tokens[place].is_mark), last)
        another = _another(tokens[:turn], start, forms)
        turn, last = (another, another) if another is not None else (turn, last)
        near = range(max(first, start - 1), min(turn, start + 2))
        subject = {place for place in near if tokens[place].norm in forms.speaker | forms.hearer}
        parted = turn - 1 if turn - 1 > start and tokens[turn - 1].norm in forms.particles else None
        particle = forms.particles[tokens[parted].norm] if parted is not None else ""
        left_out = opened | subject | {start} | ({parted} if parted is not None else set())
        return _Clause(
            first, turn, last, particle + forms.infinitives[tokens[start].norm], frozenset(left_out)
        )
    closing = closing_verb(tokens[:last], start, forms)
    if closing is None:
        return None
    if closing + 1 < last and tokens[closing + 1].norm in forms.links:
        last = closing + 1
    left_out = opened | {closing} | ({closing - 1} if tokens[closing - 1].norm == forms.joint else set())
    return _Clause(first, closing, last, forms.infinitive_at_end(tokens[closing].norm), frozenset(left_out))


def _another(tokens: tuple[Token, ...], start: int, forms: VerbForms) -> int | None:
    """Where «und» leads to a verb of its own, and so to another task."""
    for place in range(start + 1, len(tokens) - 1):
        if tokens[place].norm in forms.links and tokens[place + 1].norm in forms.infinitives:
            return place
    return None


def _stands_second(naming: Naming, start: int) -> bool:
    """Whether a verb at the beginning of a thought is no infinitive that ends it; «prüfe, ob …» goes on."""
    following = naming.lead.tokens[start + 1 : start + 3]
    if following[:1] and following[0].is_mark:
        following = following[1:] if following[0].norm == "," else ()
        leading = words_of(naming.book.code, "subordinator")
        return start == 0 or any(token.norm in leading for token in following)
    return bool(following) or start == 0
