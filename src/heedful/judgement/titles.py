"""Short imperative titles that stand alone, made only of what the text says, in the message's language."""

import re
from dataclasses import dataclass

from heedful.actionables import TITLE_LENGTH
from heedful.judgement.addressing import called, name_of
from heedful.judgement.cues import Cues, Hit, Token
from heedful.judgement.detect import SentenceReading
from heedful.judgement.due import Due
from heedful.judgement.leads import Lead, ReadMessage
from heedful.reading import Span, find_amounts, fold_space, language

_OPENERS = ("please", "can_you", "can_we", "would_mind", "need_you", "appreciate")
_MIN_WORDS = 2
_EDGES = " ,.;:!–—-"
_TRAILING = re.compile(r"(?:[\s,]+(?:then|and|or|so|e|ou|und|y))+$", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hey|hello|dear|oi|olá|ola|caro|cara|hallo|hola)\b[^,!.–—-]{0,25}[,!.–—-]\s*(?=\S)", re.IGNORECASE
)
_INVOICE = re.compile(
    r"\b(?:invoice|inv|fatura|factura|rechnung|bill)\b\W{0,3}(?:no|nr|n[ºo°]|number|número|#)?[.:]?\s*#?(?P<number>[A-Z]{0,6}[-/]?\d[\w/-]{2,20})",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"^\s*(?:(?:(?:re|fw|fwd|enc|res|aw|wg|rv)\s*:|\[[^\]]{1,40}\])\s*)+(?=\S)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Naming:
    """What a title may be made of: the leading sentence, who wrote, the subject, the whole text."""

    lead: SentenceReading
    name: str
    subject: str
    text: str
    book: Cues
    dates: tuple[Span, ...] = ()

    def words(self, key: str, **parts: str) -> str:
        """A template of the language's `[cues.titles]`, filled."""
        template = str(language(self.book.code).table("cues").get("titles", {}).get(key, "{rest}"))
        return template.format(**parts)


def naming_of(read: ReadMessage, lead: Lead, due: Due | None) -> Naming:
    """What a title of this lead may be made of."""
    dates: tuple[Span, ...] = ()
    if due is not None and due.span is not None and lead.span.start <= due.span.start < lead.span.end:
        dates = (Span(due.span.start - lead.span.start, due.span.end - lead.span.start),)
    message = read.message
    return Naming(lead.reading, name_of(message.author), message.subject, message.text, read.book, dates)


def plain_subject(subject: str) -> str:
    """A subject without reply marks and list tags."""
    return fold_space(_PREFIX.sub("", subject))


def shortened(text: str, limit: int = TITLE_LENGTH) -> str:
    """At most `limit` characters in whole words, with an ellipsis where something was left out."""
    text = fold_space(text)
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    kept = cut.rsplit(" ", 1)[0] if " " in cut[limit // 2 :] else cut
    return kept.rstrip(" ,;:–—-(") + "…"


def request_title(naming: Naming) -> str:
    """«Send the October sales report to Ana»; else «Reply to Ana: …»."""
    done = command(naming)
    if done:
        return shortened(done)
    return question_title(naming) if naming.lead.has("question") else reply_title(naming)


def reply_title(naming: Naming, key: str = "reply") -> str:
    """«Reply to Ana: what it is about»."""
    rest = plain_subject(naming.subject) or _whole(naming.lead.text)
    return shortened(naming.words(key, name=naming.name or "…", rest=rest))


def question_title(naming: Naming) -> str:
    """«Answer Ana: the question as it was put»."""
    question = _question(naming)
    if len(question.split()) < 3 and naming.subject:
        question = f"{question} ({plain_subject(naming.subject)})"
    return shortened(naming.words("answer", name=naming.name or "…", rest=question))


def payment_title(naming: Naming) -> str:
    """«Pay invoice HW-20931 (€ 84.20)», as far as the text names them."""
    number = _INVOICE.search(f"{naming.text}\n{naming.subject}")
    amounts = find_amounts(naming.lead.text) or find_amounts(naming.text)
    amount = fold_space(amounts[0].text) if amounts else ""
    if number:
        key = "pay_invoice" if amount else "pay_invoice_bare"
        return shortened(naming.words(key, number=number["number"].rstrip("/-"), amount=amount))
    if amount and naming.name:
        return shortened(naming.words("pay_to", amount=amount, name=naming.name))
    return topic_title(naming, "pay")


def change_title(naming: Naming, key: str) -> str:
    """«Note the new time: the sentence that tells it», for a change that a person writes of."""
    return shortened(naming.words(key, rest=_question(naming)))


def topic_title(naming: Naming, key: str) -> str:
    """«Check: what the subject says»."""
    rest = plain_subject(naming.subject) or _whole(naming.lead.text)
    return shortened(naming.words(key, rest=rest))


def promise_title(naming: Naming, *, mine: bool) -> str:
    """«Send the contract to Ana» for the person’s own promise, «Waiting for Ana: …» for somebody else’s."""
    start = next((hit.last for hit in naming.lead.hits if hit.name == "commit"), None)
    if start is None:
        return reply_title(naming)
    if mine:
        said = _phrase(naming, start, addressee=("you", "voce", "te"))
        return shortened(said) if said else reply_title(naming)
    end = _end(naming, start, stop_at_you=False)
    rest = _clean(naming, start, end)
    return (
        shortened(naming.words("waiting", name=naming.name or "…", rest=rest))
        if rest
        else reply_title(naming)
    )


def command(naming: Naming) -> str:
    """The sentence as a command that stands alone; empty when none can be made without guessing."""
    start = _command_start(naming)
    return "" if start is None else _phrase(naming, start, addressee=("me", "us", "nos"))


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


def _phrase(naming: Naming, start: int, *, addressee: tuple[str, ...]) -> str:
    """The words from a verb on, with the addressee named, without the date and what follows the thought."""
    end = _end(naming, start, stop_at_you="me" in addressee)
    kept = [place for place in range(start, end) if not _in_date(naming, place)]
    tokens = naming.lead.tokens
    before = [tokens[place].norm for place in range(max(0, start - 2), start)]
    given = any(hit.name == "give_back" and hit.first == start for hit in naming.lead.hits)
    receiver = [place for place in kept if tokens[place].norm in addressee]
    to_name = bool(
        given and naming.name and (receiver or any(word in addressee or word == "me" for word in before))
    )
    pieces = [
        _piece(naming, place, dropped=to_name and place in receiver, addressee=addressee) for place in kept
    ]
    said = _tidy(_glued(naming, kept, pieces))
    if len(said.split()) < _MIN_WORDS and naming.subject:
        said = naming.words("about", rest=said, subject=plain_subject(naming.subject)) if said else ""
    elif _is_vague(naming, kept) and naming.subject:
        said = naming.words("about", rest=said, subject=plain_subject(naming.subject))
    if not said:
        return ""
    said = naming.words("to", rest=said, name=naming.name) if to_name else said
    return said[0].upper() + said[1:]


def _is_vague(naming: Naming, kept: list[int]) -> bool:
    """Whether the words point at something they don't name («sign it»)."""
    vague = {"it", "this", "that", "them", "these", "those", "isso", "isto", "ele", "ela", "one"}
    norms = [naming.lead.tokens[place].norm for place in kept if not naming.lead.tokens[place].is_mark]
    return bool(vague & set(norms[:4]))


def _piece(naming: Naming, place: int, *, dropped: bool, addressee: tuple[str, ...]) -> str:
    token = naming.lead.tokens[place]
    if dropped:
        return ""
    hit_names = {hit.name for hit in naming.lead.hits if hit.first == place}
    if token.norm in addressee and naming.name:
        return naming.name
    if "own_word" in hit_names and naming.name and "me" in addressee:
        return naming.words("owner", name=naming.name)
    return naming.lead.text[token.start : token.end]


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
    for place in range(start + 1, len(tokens)):
        norm = tokens[place].norm
        if norm in {";", "—", "–", "(", "…", "?", "!", ":"} or (norm == "." and place == len(tokens) - 1):
            return place
        if place in bounds and place - start >= 2 and (stop_at_you or norm not in {"you", "voce", "te"}):
            return place
    return len(tokens)


def _clean(naming: Naming, start: int, end: int) -> str:
    kept = [place for place in range(start, end) if not _in_date(naming, place)]
    return _tidy(_glued(naming, kept, [_raw(naming, place) for place in kept]))


def _raw(naming: Naming, place: int) -> str:
    token = naming.lead.tokens[place]
    return naming.lead.text[token.start : token.end]


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


def _tidy(text: str) -> str:
    bare = fold_space(re.sub(r"\s+([,.;:!?])", r"\1", text)).strip(_EDGES)
    return _TRAILING.sub("", bare).strip(_EDGES)


def _whole(text: str) -> str:
    return fold_space(text).strip(" >-*•")


def _question(naming: Naming) -> str:
    """A question without the greeting or the name that it calls."""
    said = _whole(naming.lead.text)
    name = called(said)
    if name:
        said = re.sub(rf"^@?{re.escape(name)}[\w.]*\W+", "", said)
    greeting = _GREETING.match(said)
    return said[greeting.end() :] if greeting else said
