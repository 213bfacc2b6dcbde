"""The words of a sentence as a title takes them over: where a thought ends, without its date, in the reader's voice."""

import re

from heedful.judgement.cues import Hit, Token, words_of
from heedful.judgement.naming import Naming
from heedful.judgement.verb_forms import verb_forms
from heedful.reading import Span, fold_space, is_stop_word, without_diacritics

MIN_WORDS = 2
EDGES = " ,.;:!–—-"


def is_vague(naming: Naming, kept: list[int]) -> bool:
    """Whether the words point at something they don't name («sign it»)."""
    vague = words_of(naming.book.code, "vague")
    norms = [naming.lead.tokens[place].norm for place in kept if not naming.lead.tokens[place].is_mark]
    return bool(vague & {*norms[1:2], *norms[-1:]})


def voiced(naming: Naming, kept: list[int], voice: str, addressee: frozenset[str] = frozenset()) -> list[str]:
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
            pieces.append(raw(naming, place))
    return pieces


def meant_for_us(naming: Naming, kept: list[int], verb: str) -> set[int]:
    """The places of «us» and «for us» beside a verb of something that is done for several people.

    Who reads the title may be one of them («book us a table»), so no name stands for them, and the task is the same
    without them. Where they are met or told something, the words stay: no thing is named next («pick us up»).
    """
    code, tokens = naming.book.code, naming.lead.tokens
    us = words_of(code, "us")
    if not us or without_diacritics(verb) not in words_of(code, "done_for_us"):
        return set()
    found: set[int] = set()
    for number, place in enumerate(kept):
        if tokens[place].norm not in us:
            continue
        before = kept[number - 1] if number else place
        if tokens[before].norm in words_of(code, "for_us"):
            found |= {before, place}
        elif _opens_a_thing(naming, kept[number + 1 : number + 2]):
            found.add(place)
    return found


def _opens_a_thing(naming: Naming, following: list[int]) -> bool:
    """Whether a thing is named next: an article, a number, or a word that is more than a small one."""
    code = naming.book.code
    norms = [naming.lead.tokens[place].norm for place in following if not naming.lead.tokens[place].is_mark]
    opening = words_of(code, "article") | words_of(code, "quantity")
    return any(norm in opening or not is_stop_word(norm, code) for norm in norms)


def _is_word(naming: Naming, places: list[int]) -> bool:
    return any(not naming.lead.tokens[place].is_mark for place in places)


def owner_behind(naming: Naming, kept: list[int], voice: str) -> str:
    """«… de Ana», where a language tells an owner behind the thing, and the thing is the last word.

    The owner is who speaks («mein Entwurf»), in the reader's own promise who is spoken to («dein Entwurf»).
    """
    owned = words_of(naming.book.code, "your_word") if voice == "yours" else naming.voice("owners").keys()
    words = [place for place in kept if not naming.lead.tokens[place].is_mark]
    last = [naming.lead.tokens[place].norm for place in words[-2:-1]]
    behind = naming.words("owner_behind", name=naming.name, rest="") if naming.name else ""
    return f" {behind}" if behind and owned & set(last) else ""


def glued(naming: Naming, kept: list[int], pieces: list[str]) -> str:
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


def end(naming: Naming, start: int, *, stop_at_you: bool) -> int:
    """Where the thought that begins at `start` ends: at a clause of reasons, a new clause, or the sentence's end."""
    tokens = naming.lead.tokens
    bounds = {hit.first for hit in naming.lead.hits if hit.name == "boundary"}
    promises = {hit.first for hit in naming.lead.hits if hit.name == "commit"}
    courtesies = {hit.first for hit in naming.lead.hits if hit.name == "please" and _is_last(tokens, hit)}
    leading = words_of(naming.book.code, "subordinator")
    asked = words_of(naming.book.code, "whether")
    forms = verb_forms(naming.book.code)
    least = 1 if forms.infinitives else MIN_WORDS
    for place in range(start + 1, len(tokens)):
        norm = tokens[place].norm
        if norm in {";", "—", "–", "(", "…", "?", "!", ":"} or (norm == "." and place == len(tokens) - 1):
            return place
        if place in courtesies or place in promises:
            return place
        if norm == "-" and _stands_alone(naming, place):
            return place
        goes_on = (
            tokens[place - 1].norm in leading
            or (place == start + 1 and norm in forms.speaker | asked)
            or (not stop_at_you and norm in words_of(naming.book.code, "addressed"))
        )
        if place in bounds and place - start >= least and not goes_on:
            return place
    return len(tokens)


def _is_last(tokens: tuple[Token, ...], hit: Hit) -> bool:
    """Whether only marks follow a wording («…, please.»)."""
    return all(token.is_mark for token in tokens[hit.last :])


def _stands_alone(naming: Naming, place: int) -> bool:
    """Whether a hyphen is a dash: with white space or another hyphen around it."""
    token = naming.lead.tokens[place]
    around = naming.lead.text[max(0, token.start - 1) : token.end + 1].strip("-")
    return not around.strip()


def raw(naming: Naming, place: int) -> str:
    """A word as it was written."""
    token = naming.lead.tokens[place]
    return naming.lead.text[token.start : token.end]


def undated(naming: Naming, start: int, end: int) -> list[int]:
    """The places outside any date, nor of the words that only tied it on («the meeting of Wednesday in Bath»)."""
    code = naming.book.code
    stays = {*words_of(code, "subordinator"), *naming.book.joiners}
    kept: list[int] = []
    for place in range(start, end):
        if not _in_date(naming, place):
            kept.append(place)
            continue
        goes_on = _is_lead(naming, place) or (place > start and _in_date(naming, place - 1))
        while (
            not goes_on
            and kept
            and _is_dangling(word := raw(naming, kept[-1]), code)
            and word.lower() not in stays
        ):
            kept.pop()
    return kept


def _is_lead(naming: Naming, place: int) -> bool:
    """Whether a date is led to by a word of its own here, so that the word before it belongs to something else."""
    return any(hit.name == "date_lead" and hit.first == place for hit in naming.lead.hits)


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


def tidy(naming: Naming, text: str, *, least: int = MIN_WORDS) -> str:
    """Without the words and marks at its end that only led to what was cut off; `least` words stay."""
    words = fold_space(re.sub(r"\s+([,.;:!?])", r"\1", text)).strip(EDGES).split(" ")
    while len(words) > least and _is_dangling(words[-1], naming.book.code):
        words.pop()
    return " ".join(words).strip(EDGES)


def _is_dangling(word: str, code: str) -> bool:
    return without_diacritics(word.strip(EDGES)) in words_of(code, "dangling")
