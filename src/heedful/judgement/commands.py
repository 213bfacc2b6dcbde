"""What a sentence asks, as a command that stands alone: «send me the report by Friday» → «Send the report to Ana».

Only words of the sentence are used, in its order; who is meant by «me», «my» and «your» is the one change, for a title
speaks to the person: «I will send you my comments» → «Send your comments to Ana». What gives reasons or begins a new
thought is left out, and so is the date, which an item has in a field of its own.
"""

import re

from heedful.judgement.cues import Hit, Token, words_of
from heedful.judgement.naming import Naming, plain_subject
from heedful.reading import Span, fold_space, without_diacritics

_OPENERS = ("please", "can_you", "can_we", "would_mind", "need_you", "appreciate")
_MIN_WORDS = 2
_EDGES = " ,.;:!–—-"


def promised(naming: Naming) -> str:
    """The person's own promise as a command to themselves; empty when none can be made without guessing."""
    start = promise_start(naming)
    return "" if start is None else _phrase(naming, start, speaker="addressed")


def promise_start(naming: Naming) -> int | None:
    """The first word after «I will», or after «vou te», None where there is none."""
    said = [hit for hit in naming.lead.hits if hit.name == "commit"]
    first = next((hit.first for hit in said), None)
    return max((hit.last for hit in said if hit.first == first), default=None)


def command(naming: Naming) -> str:
    """The sentence as a command that stands alone; empty when none can be made without guessing."""
    start = _command_start(naming)
    return "" if start is None else _phrase(naming, start, speaker="self_word")


def _command_start(naming: Naming) -> int | None:
    lead = naming.lead
    verbs = {hit.first for hit in lead.hits if hit.name == "verb"}
    for hit in sorted(lead.hits, key=lambda hit: (hit.first, -hit.last)):
        if hit.name in _OPENERS:
            start = _past_fillers(lead.tokens, hit.last, lead.hits)
            if start in verbs:
                return start
    opening = next((place for place, token in enumerate(lead.tokens) if not token.is_mark), None)
    while opening is not None and opening < len(lead.tokens):
        if opening in verbs and lead.has("imperative_first"):
            return opening
        token = lead.tokens[opening]
        if not (token.is_mark or token.norm in naming.book.joiners or opening == 0):
            return None
        opening += 1
    return None


def _past_fillers(tokens: tuple[Token, ...], place: int, hits: tuple[Hit, ...]) -> int:
    fillers = {hit.first for hit in hits if hit.name in {"filler_word", "self_word"}}
    while place < len(tokens) and (place in fillers or tokens[place].norm == ","):
        place += 1
    return place


def _phrase(naming: Naming, start: int, *, speaker: str) -> str:
    """The words from a verb on, without the date and what follows the thought.

    `speaker` names the cue of the words that mean whoever is to receive it; they become their name.
    """
    addressee = words_of(naming.book.code, speaker)
    end = _end(naming, start, stop_at_you=speaker == "self_word")
    kept = _undated(naming, start, end)
    tokens = naming.lead.tokens
    before = [tokens[place].norm for place in range(max(0, start - 2), start)]
    given = any(hit.name == "give_back" and hit.first == start for hit in naming.lead.hits)
    receiver = [place for place in kept if tokens[place].norm in addressee]
    to_name = bool(given and naming.name and (receiver or any(word in addressee for word in before)))
    voice = "yours" if speaker == "addressed" else "theirs" if to_name else "owners"
    if to_name:
        kept = [place for place in kept if place not in receiver]
    said = _tidy(naming, _glued(naming, kept, _voiced(naming, kept, voice, addressee)))
    said += _owner_behind(naming, kept) if voice == "owners" else ""
    if len(said.split()) < _MIN_WORDS and not naming.subject:
        return ""
    if said and naming.subject and (len(said.split()) < _MIN_WORDS or _is_vague(naming, kept)):
        said = naming.words("about", rest=said, subject=plain_subject(naming.subject))
    if not said:
        return ""
    said = naming.words("to", rest=said, name=naming.name) if to_name else said
    return said[0].upper() + said[1:]


def _is_vague(naming: Naming, kept: list[int]) -> bool:
    """Whether the words point at something they don't name («sign it»)."""
    vague = words_of(naming.book.code, "vague")
    norms = [naming.lead.tokens[place].norm for place in kept if not naming.lead.tokens[place].is_mark]
    return bool(vague & {*norms[1:2], *norms[-1:]})


def _voiced(
    naming: Naming, kept: list[int], voice: str, addressee: frozenset[str] = frozenset()
) -> list[str]:
    """The words as the reader of the title would say them: whose something is, and who is meant by «me» or «you»."""
    said = naming.voice(voice)
    pieces = []
    for number, place in enumerate(kept):
        norm = naming.lead.tokens[place].norm
        owned = said.get(norm)
        if norm in addressee and naming.name:
            pieces.append(naming.name)
        elif owned or (owned is not None and _is_word(naming, kept[number + 1 : number + 2])):
            pieces.append(owned.format(name=naming.name))
        else:
            pieces.append(_raw(naming, place))
    return pieces


def _is_word(naming: Naming, places: list[int]) -> bool:
    return any(not naming.lead.tokens[place].is_mark for place in places)


def _owner_behind(naming: Naming, kept: list[int]) -> str:
    """«… de Ana», where a language tells an owner behind the thing, and the thing is the last word."""
    words = [place for place in kept if not naming.lead.tokens[place].is_mark]
    last = [naming.lead.tokens[place].norm for place in words[-2:-1]]
    behind = naming.words("owner_behind", name=naming.name, rest="") if naming.name else ""
    return f" {behind}" if behind and naming.voice("owners").keys() & set(last) else ""


def _glued(naming: Naming, kept: list[int], pieces: list[str]) -> str:
    """The pieces with the white space that stood between them."""
    said = ""
    for place, piece in zip(kept, pieces, strict=True):
        if not piece:
            continue
        token = naming.lead.tokens[place]
        gap = place > 0 and naming.lead.tokens[place - 1].end < token.start
        between = naming.lead.text[naming.lead.tokens[place - 1].end : token.start] if place else ""
        said += (" " if gap and not between.strip() else fold_space(between) and f"{between}") + piece
    return said


def _end(naming: Naming, start: int, *, stop_at_you: bool) -> int:
    """Where the thought that begins at `start` ends: at a clause of reasons, a new clause, or the sentence's end."""
    tokens = naming.lead.tokens
    bounds = {hit.first for hit in naming.lead.hits if hit.name == "boundary"}
    leading = words_of(naming.book.code, "subordinator")
    for place in range(start + 1, len(tokens)):
        norm = tokens[place].norm
        if norm in {";", "—", "–", "(", "…", "?", "!", ":"} or (norm == "." and place == len(tokens) - 1):
            return place
        if norm == "-" and _stands_alone(naming, place):
            return place
        goes_on = tokens[place - 1].norm in leading or (
            not stop_at_you and norm in words_of(naming.book.code, "addressed")
        )
        if place in bounds and place - start >= 2 and not goes_on:
            return place
    return len(tokens)


def _stands_alone(naming: Naming, place: int) -> bool:
    """Whether a hyphen is a dash: with white space or another hyphen around it."""
    token = naming.lead.tokens[place]
    around = naming.lead.text[max(0, token.start - 1) : token.end + 1].strip("-")
    return not around.strip()


def words_from(naming: Naming, start: int) -> str:
    """The words from a place to the end of the thought, as written, without the date."""
    end = _end(naming, start, stop_at_you=False)
    kept = _undated(naming, start, end)
    return _tidy(naming, _glued(naming, kept, _voiced(naming, kept, "theirs")))


def _raw(naming: Naming, place: int) -> str:
    token = naming.lead.tokens[place]
    return naming.lead.text[token.start : token.end]


def _undated(naming: Naming, start: int, end: int) -> list[int]:
    """The places outside any date, nor of the words that only tied it on («the meeting of Wednesday in Bath»)."""
    code = naming.book.code
    stays = {*words_of(code, "subordinator"), *naming.book.joiners}
    kept: list[int] = []
    for place in range(start, end):
        if not _in_date(naming, place):
            kept.append(place)
            continue
        while kept and _is_dangling(word := _raw(naming, kept[-1]), code) and word.lower() not in stays:
            kept.pop()
    return kept


def _in_date(naming: Naming, place: int) -> bool:
    """Whether a token belongs to the date it is wanted by, or only leads to it."""
    token = naming.lead.tokens[place]
    for span in naming.dates:
        if span.start <= token.start < span.end:
            return True
        if token.end <= span.start and not naming.lead.text[token.end : span.start].strip():
            return any(hit.name == "date_lead" and hit.first <= place < hit.last for hit in naming.lead.hits)
        if _leads_to(naming, place, span):
            return True
    return False


def _leads_to(naming: Naming, place: int, span: Span) -> bool:
    """Whether a wording of several words that leads to a date covers this token."""
    for hit in naming.lead.hits:
        if hit.name == "date_lead" and hit.first <= place < hit.last:
            end = naming.lead.tokens[hit.last - 1].end
            if end <= span.start and not naming.lead.text[end : span.start].strip():
                return True
    return False


def _tidy(naming: Naming, text: str) -> str:
    """Without the words and marks at its end that only led to what was cut off."""
    words = fold_space(re.sub(r"\s+([,.;:!?])", r"\1", text)).strip(_EDGES).split(" ")
    while len(words) > _MIN_WORDS and _is_dangling(words[-1], naming.book.code):
        words.pop()
    return " ".join(words).strip(_EDGES)


def _is_dangling(word: str, code: str) -> bool:
    return without_diacritics(word.strip(_EDGES)) in words_of(code, "dangling")
