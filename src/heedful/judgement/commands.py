"""What a sentence asks, as a command that stands alone: «send me the report by Friday» → «Send the report to Ana».

Only words of the sentence are used, in its order; who is meant by «me», «my» and «your» is the one change, for a title
speaks to the person: «I will send you my comments» → «Send your comments to Ana». What gives reasons or begins a new
thought is left out, and so is the date, which an item has in a field of its own.
"""

from itertools import pairwise

from heedful.judgement.cues import Hit, Token, words_of
from heedful.judgement.naming import Naming, plain_subject
from heedful.judgement.verb_forms import verb_forms
from heedful.judgement.verb_last import verb_last
from heedful.judgement.wording import (
    MIN_WORDS,
    end,
    glued,
    is_vague,
    meant_for_us,
    owner_behind,
    raw,
    tidy,
    undated,
    voiced,
)
from heedful.reading import is_stop_word, language, without_diacritics

_OPENERS = ("please", "can_you", "can_we", "would_mind", "need_you", "appreciate", "reminded")
_BEFORE = 3


def promised(naming: Naming) -> str:
    """The person's own promise as a command to themselves; empty when none can be made without guessing."""
    start = promise_start(naming)
    return "" if start is None else _phrase(naming, start, speaker="addressed")


def promise_start(naming: Naming) -> int | None:
    """The first word after «I will», or after «vou te», None where there is none."""
    said = [hit for hit in naming.lead.hits if hit.name == "commit"]
    first = min((hit.first for hit in said), default=None)
    return max((hit.last for hit in said if hit.first == first), default=None)


def command(naming: Naming) -> str:
    """The sentence as a command that stands alone; empty when none can be made without guessing."""
    start = _command_start(naming)
    return "" if start is None else _phrase(naming, start, speaker="self_word")


def _command_start(naming: Naming) -> int | None:
    lead = naming.lead
    verbs = {hit.first for hit in lead.hits if hit.name == "verb"}
    is_verb_last = verb_forms(naming.book.code).is_verb_last
    for hit in sorted(lead.hits, key=lambda hit: (hit.first, -hit.last)):
        if hit.name in _OPENERS:
            start = hit.last if is_verb_last else _past_fillers(lead.tokens, hit.last, lead.hits)
            if start in verbs or verb_last(naming, start, speaker="self_word"):
                return start
    opening = next((place for place, token in enumerate(lead.tokens) if not token.is_mark), None)
    while opening is not None and opening < len(lead.tokens):
        if opening in verbs and lead.has("imperative_first"):
            return opening
        if opening + 1 in verbs and lead.has("let_know") and _is_receiver(naming, opening):
            return opening + 1
        token = lead.tokens[opening]
        if not (token.is_mark or token.norm in naming.book.joiners or opening == 0):
            return None
        opening += 1
    return None


def _is_receiver(naming: Naming, place: int) -> bool:
    """Whether a word means the speaker, before a verb that tells somebody to do something («me liga»)."""
    return naming.lead.tokens[place].norm in words_of(naming.book.code, "self_word")


def _past_fillers(tokens: tuple[Token, ...], place: int, hits: tuple[Hit, ...]) -> int:
    fillers = {hit.first for hit in hits if hit.name in {"filler_word", "self_word"}}
    while place < len(tokens) and (place in fillers or tokens[place].norm == ","):
        place += 1
    return place


def _phrase(naming: Naming, start: int, *, speaker: str) -> str:
    """The words from a verb on, without the date and what follows the thought.

    `speaker` names the cue of the words that mean whoever is to receive it; they become their name.
    """
    said, kept, to_name = _said(naming, start, speaker)
    if _leans_on_who_speaks(naming, start, kept, speaker):
        return ""
    is_bare = len(said.split()) + to_name < MIN_WORDS
    if is_bare and not naming.subject:
        return ""
    if said and naming.subject and (is_bare or is_vague(naming, kept)):
        said = naming.words("about", rest=said, subject=plain_subject(naming.subject))
    if not said:
        return ""
    said = naming.words("to", rest=said, name=naming.name) if to_name else said
    return said[0].upper() + said[1:]


def _leans_on_who_speaks(naming: Naming, start: int, kept: list[int], speaker: str) -> bool:
    """Whether a clause inside says «I», or in a promise «you», of somebody: only the quote says who that is."""
    code, tokens = naming.book.code, naming.lead.tokens
    norms = {tokens[place].norm for place in kept}
    if norms & words_of(code, "says_i"):
        return True
    if speaker != "addressed":
        return False
    if verb_forms(code).is_verb_last:
        return bool(norms & words_of(code, "says_you"))
    said = [token.norm for token in tokens[start : end(naming, start, stop_at_you=False)]]
    to_them = sum(norm in words_of(code, "addressed") for norm in said)
    return to_them > 1 or any(norm in words_of(code, "self_word") for norm in said[1:])


def _said(naming: Naming, start: int, speaker: str) -> tuple[str, list[int], bool]:
    """The words, the places they come from, and whether the receiver's name is still to follow them."""
    if verb_forms(naming.book.code).is_verb_last:
        words = verb_last(naming, start, speaker=speaker)
        return words.said if words else "", words.kept if words else [], False
    addressee = words_of(naming.book.code, speaker)
    kept = undated(naming, start, end(naming, start, stop_at_you=speaker == "self_word"))
    for_us = meant_for_us(naming, kept, naming.lead.tokens[start].norm)
    kept = [place for place in kept if place not in for_us]
    receiver = _receiver(naming, start, kept, addressee)
    if _infinitive(naming, start):
        return _with_infinitive(naming, start, kept, addressee, speaker=speaker)
    to_name = bool(_is_given(naming, start) and naming.name and receiver)
    is_named = bool(naming.name and receiver)
    voice = "yours" if speaker == "addressed" else "theirs" if is_named else "owners"
    if to_name:
        kept = [place for place in kept if place not in receiver]
    said = tidy(naming, glued(naming, kept, voiced(naming, kept, voice, addressee)))
    return said + (owner_behind(naming, kept, voice) if voice != "theirs" else ""), kept, to_name


def _with_infinitive(
    naming: Naming, start: int, kept: list[int], addressee: frozenset[str], *, speaker: str
) -> tuple[str, list[int], bool]:
    """The words with their verb as an infinitive, for languages whose pronouns lean on the verb.

    Who is to receive something is named behind it, unless the sentence names them itself («le escribo a Luis»); who
    is met or helped, behind the verb; for whom something is only done is left out.
    """
    tokens, tongue = naming.lead.tokens, language(naming.book.code)
    receiver = _receiver(naming, start, kept, addressee)
    doer = _doer(naming, start)
    kept = [place for place in kept if place not in receiver and place not in doer]
    following = raw(naming, kept[1]).casefold() if len(kept) > 1 else ""
    is_given = _is_given(naming, start)
    is_told = is_given and following in tongue.words("cues", "to_whom")
    is_met = not following or tokens[kept[1]].is_mark or following in tongue.words("cues", "preposition")
    named = bool(naming.name and receiver and not is_told)
    to_name = named and is_given
    voice = "yours" if speaker == "addressed" else "theirs" if to_name or (named and is_met) else "owners"
    verb = _infinitive(naming, start) + (_object(naming, start) or _reflexive(naming, start, speaker))
    pieces = voiced(naming, kept, voice, addressee)
    for number, (before, place) in enumerate(pairwise(kept), 1):
        is_command = tokens[place].norm in verb_forms(tongue.code).commands
        if tokens[before].norm in naming.book.joiners and is_command and not _is_hyphened(naming, place):
            pieces[number] = _infinitive(naming, place)
    pieces[:1] = [
        naming.words("to", rest=verb, name=naming.name) if named and is_met and not to_name else verb
    ]
    said = tidy(naming, glued(naming, kept, pieces), least=1)
    return said + (owner_behind(naming, kept, voice) if voice != "theirs" else ""), kept, to_name


def _is_hyphened(naming: Naming, place: int) -> bool:
    """Whether a pronoun hangs on a word by a hyphen («devolve-o»): an infinitive would change it."""
    return naming.lead.text[naming.lead.tokens[place].end :].startswith("-")


def _receiver(naming: Naming, start: int, kept: list[int], addressee: frozenset[str]) -> set[int]:
    """The places of the words that mean whoever is to receive it: among what is kept, or before the verb."""
    places = [*kept, *range(max(0, start - _BEFORE), start)]
    said = {place for place in places if naming.lead.tokens[place].norm in addressee}
    if addressee != words_of(naming.book.code, "self_word"):
        return said
    return said | _receiver_behind_a_preposition(naming, kept)


def _receiver_behind_a_preposition(naming: Naming, kept: list[int]) -> set[int]:
    """The places of «a mí» or «para mim», by its accent no «my»; said alone or besides the «me» on a verb."""
    tongue = language(naming.book.code)
    selves, to_self = tongue.words("cues", "self_behind"), tongue.words("cues", "to_self")
    return {
        place
        for before, self in pairwise(kept)
        if raw(naming, self).casefold() in selves and raw(naming, before).casefold() in to_self
        for place in (before, self)
    }


def _reflexive(naming: Naming, start: int, speaker: str) -> str:
    """The ending of an infinitive whose doer is meant twice: «me encargo» in one's own promise, «te encargas»."""
    doer = words_of(naming.book.code, "self_word" if speaker == "addressed" else "addressed")
    doer -= verb_forms(naming.book.code).hearer
    before = naming.lead.tokens[start - 1].norm if start else ""
    ending = language(naming.book.code).table("verbs").get("reflexive", "")
    return str(ending) if before in doer else ""


def _infinitive(naming: Naming, place: int) -> str:
    """The infinitive that a title begins with in this language; empty where the word stays as it was written."""
    return verb_forms(naming.book.code).infinitive(naming.lead.tokens[place].norm)


def _doer(naming: Naming, start: int) -> set[int]:
    """The place of the pronoun behind a verb that says who is asked («compras tú»), by its accent no «your»."""
    hearer = language(naming.book.code).words("verbs", "hearer")
    places = range(start + 1, min(start + 3, len(naming.lead.tokens)))
    return {place for place in places if raw(naming, place).casefold() in hearer}


def _object(naming: Naming, start: int) -> str:
    """The pronoun of a thing that stands before its verb («lo mando»), where a language hangs it on an infinitive."""
    before = naming.lead.tokens[max(0, start - 1) : start]
    return next((token.norm for token in before if token.norm in words_of(naming.book.code, "object")), "")


def _is_given(naming: Naming, start: int) -> bool:
    """Whether a verb hands something to somebody or tells them something."""
    given = words_of(naming.book.code, "give_back")
    marked = any(hit.name == "give_back" and hit.first == start for hit in naming.lead.hits)
    return marked or without_diacritics(_infinitive(naming, start)) in given


def words_from(naming: Naming, start: int) -> str:
    """The words from a place to the end of the thought, without the date, as another person's promise."""
    code = naming.book.code
    if verb_forms(code).is_verb_last:
        words = verb_last(naming, start, speaker="")
        first, _, rest = (words.said if words else "").partition(" ")
        return f"{first.casefold() if is_stop_word(first, code) else first} {rest}".strip()
    kept = undated(naming, start, end(naming, start, stop_at_you=False))
    pieces = voiced(naming, kept, "theirs")
    verb = _infinitive(naming, start) if kept[:1] == [start] else ""
    if verb:
        kept_out = words_of(code, "addressed")
        pieces = [
            "" if naming.lead.tokens[place].norm in kept_out else piece
            for place, piece in zip(kept, pieces, strict=True)
        ]
        pieces[0] = verb + _object(naming, start)
    return tidy(naming, glued(naming, kept, pieces))
