"""Short imperative titles that stand alone, made only of what the text says, in the message's language."""

import re

from heedful.judgement.addressing import called, ungreeted
from heedful.judgement.commands import command, promise_start, promised, words_from
from heedful.judgement.naming import Naming, plain_subject, shortened
from heedful.reading import find_amounts, fold_space

_BARE_WORDS = 4
_TELLING_WORDS = 6
_LONG_QUESTION = 60
_ASKING = ("asked", "can_you", "can_we", "would_mind")
_INVOICE = re.compile(
    r"\b(?:invoice|inv|fatura|factura|rechnung|bill)\b\W{0,3}(?:no|nr|n[ºo°]|number|número|#)?[.:]?\s*#?(?P<number>[A-Z]{0,6}[-/]?\d[\w/-]{2,20})",
    re.IGNORECASE,
)


def request_title(naming: Naming) -> str:
    """«Send the October sales report to Ana»; else «Reply to Ana: …»."""
    if naming.lead.has("question") and _asks_before_all(naming):
        return question_title(naming)
    done = command(naming)
    bare_answer = naming.lead.has("answer_me") and len(done.split()) <= _BARE_WORDS
    if done and not bare_answer:
        return shortened(done)
    return question_title(naming) if naming.lead.has("question") else reply_title(naming)


def _asks_before_all(naming: Naming) -> bool:
    """Whether a question word comes first: «when can you come?», but not «can you tell me, when …?»."""
    hits = naming.lead.hits
    asks = min((hit.first for hit in hits if hit.name == "wh_start"), default=None)
    wishes = min((hit.first for hit in hits if hit.name == "can_you"), default=None)
    return asks is not None and (wishes is None or asks < wishes)


def reply_title(naming: Naming, key: str = "reply") -> str:
    """«Reply to Ana: what it is about»."""
    rest = plain_subject(naming.subject) or _whole(naming.lead.text)
    return shortened(naming.words(key, name=naming.name or "…", rest=rest))


def question_title(naming: Naming) -> str:
    """«Answer Ana: the question as it was put»."""
    question = _question(naming)
    if len(question.split()) < _TELLING_WORDS and naming.subject:
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
    if mine:
        said = promised(naming)
        rest = plain_subject(naming.subject) or _question(naming)
        return shortened(said or naming.words("promised", name=naming.name or "…", rest=rest))
    start = promise_start(naming)
    rest = words_from(naming, start) if start is not None else ""
    return (
        shortened(naming.words("waiting", name=naming.name or "…", rest=rest))
        if rest
        else reply_title(naming)
    )


def _whole(text: str) -> str:
    return fold_space(text).strip(" >-*•")


def _question(naming: Naming) -> str:
    """A question without the greeting or the name that it calls; of a long one the clause that asks."""
    said = ungreeted(_whole(naming.lead.text), naming.book.code)
    name = called(said)
    if name:
        said = re.sub(rf"^@?{re.escape(name)}[\w.]*\W+", "", said)
    return said if len(said) <= _LONG_QUESTION else _asking_part(naming) or said


def _asking_part(naming: Naming) -> str:
    """The clause of a long question that asks; empty when it asks from its beginning on."""
    asks = [hit.first for hit in naming.lead.hits if hit.name in _ASKING and hit.first > 0]
    return _whole(naming.lead.text[naming.lead.tokens[asks[-1]].start :]) if asks else ""
