"""What the person promised in their own messages: theirs to keep."""

from dataclasses import replace

from heedful.actionables import Draft
from heedful.judgement.addressing import is_mine, name_of
from heedful.judgement.drafting import Found, Setting, draft_of
from heedful.judgement.due import due_of
from heedful.judgement.gating import too_old
from heedful.judgement.leads import Lead, ReadMessage, read_message
from heedful.judgement.naming import naming_of
from heedful.judgement.quoting import evidence_at
from heedful.judgement.spoken import is_denied
from heedful.judgement.titles import promise_title
from heedful.judgement.verb_forms import verb_forms
from heedful.judgement.verb_last import closing_verb
from heedful.memory import StoredMessage

_OWN = "You wrote it."


def judge_own(read: ReadMessage, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """The draft of a promise of the person's own, or why the message gives none."""
    message = read.message
    lead = next((lead for lead in read.leads if _is_promise(lead, read.book.code)), None)
    if lead is None:
        return (), _OWN
    if _answers_a_request(message, setting):
        return (), "You wrote it; what it answers is an item already."
    due = due_of(message, lead.span, (), setting.zone)
    if due is not None and due.is_long_past(setting.now):
        return (), "You wrote it; its date has passed."
    if due is None and (too_old(message, setting.now) or not lead.reading.has("give_back")):
        return (), _OWN
    evidence = evidence_at(message, lead.span)
    if evidence is None:
        return (), _OWN
    name = _receiver(message, setting)
    naming = replace(naming_of(read, lead, due), name=name)
    found = Found(
        title=promise_title(naming, mine=True),
        evidence=(evidence,),
        reasons=(f"you promised {name or 'it'}",),
        confidence=0.65,
        due=due,
        people=(name,) if name else (),
    )
    return (draft_of(found, message, setting),), ""


def _is_promise(lead: Lead, code: str) -> bool:
    """Whether a verb of doing follows the promise: directly, or where a language puts it, at the clause's end."""
    reading = lead.reading
    ends = {hit.last for hit in reading.hits if hit.name == "commit"}
    if any(is_denied(reading.tokens, end, code) for end in ends):
        return False
    if reading.has("question", "condition_start", "negated", "pleasantry", "note"):
        return False
    forms = verb_forms(code)
    verbs = {hit.first for hit in reading.hits if hit.name == "verb"}
    behind = forms.is_verb_last and any(closing_verb(reading.tokens, end, forms) is not None for end in ends)
    return bool(ends & verbs) or behind


def _answers_a_request(message: StoredMessage, setting: Setting) -> bool:
    """Whether the last message before it asked for something."""
    before = [other for other in setting.thread.messages if other.sent_at < message.sent_at]
    if not before or is_mine(before[-1], setting.own) or too_old(before[-1], setting.now):
        return False
    return bool(read_message(before[-1]).wanting("request"))


def _receiver(message: StoredMessage, setting: Setting) -> str:
    if message.to:
        return name_of(message.to[0])
    before = [other for other in setting.thread.messages if not is_mine(other, setting.own)]
    return name_of(before[-1].author) if before else ""
