"""Mail that no person wrote: a payment, an alarm, an expiry or an action in time counts, all else is for reading."""

from heedful.actionables import Draft, ItemSource, Priority
from heedful.judgement.addressing import name_of
from heedful.judgement.commands import command
from heedful.judgement.detect import SightingKind
from heedful.judgement.drafting import WEEK, Found, Setting, draft_of
from heedful.judgement.due import Due, due_of
from heedful.judgement.features import TOPICS
from heedful.judgement.gating import too_old
from heedful.judgement.leads import Lead, ReadMessage
from heedful.judgement.naming import naming_of, shortened
from heedful.judgement.quoting import evidence_at, new_spans
from heedful.judgement.titles import payment_title, topic_title

MASS_SENTENCES = 15
"""How far into mass mail it is worth reading: what it is about stands in its subject and at its front."""

_ADVERTISING = 2
_ALARMS: tuple[SightingKind, ...] = ("security", "system")
_KEYS = {
    "security": "check",
    "system": "system",
    "renewal": "renew",
    "delivery": "delivery",
    "timed": "deadline",
}
_REASONS = {
    "security": "it warns about the safety of an account of yours",
    "system": "it reports a fault",
    "payment": "it asks for a payment",
    "renewal": "something of yours runs out or renews",
    "delivery": "a delivery needs you",
    "timed": "it asks you to act in time",
}


def judge_machine(read: ReadMessage, setting: Setting, *, is_mass: bool) -> tuple[tuple[Draft, ...], str]:
    """The draft of an automatic or mass mail, or why it gives none."""
    topic = topic_of(read)
    if topic is None:
        return (
            (),
            "A newsletter or mass mail." if is_mass else "An automatic message that asks nothing.",
        )
    if is_mass and not read.subject.has(topic, f"{topic}_thing", f"{topic}_state"):
        return (), "A newsletter or mass mail."
    if is_mass and (is_advertising(read) or topic in {"timed", "delivery", "system"}):
        return (), "A newsletter or mass mail."
    if topic != "security" and read.holds("no_action"):
        return (), "It says that nothing needs to be done."
    return judge_topic(read, topic, setting)


def topic_of(read: ReadMessage) -> str | None:
    """The subject a message is about, as far as one of those that count; None when it reports it as settled."""
    if read.holds("security_settled"):
        return None
    for topic in TOPICS:
        if read.holds(f"{topic}_settled"):
            continue
        across = read.holds(f"{topic}_thing") and read.subject.has(f"{topic}_state")
        if read.holds(topic) or (across and topic != "delivery"):
            return topic
    settled = any(read.holds(f"{topic}_settled") for topic in ("payment", "delivery", "system"))
    return "timed" if read.holds("timed_action") and not settled else None


def is_advertising(read: ReadMessage) -> bool:
    """Whether it sells something."""
    told = {
        reading.tokens[hit.first].norm
        for reading in (read.subject, *(lead.reading for lead in read.leads))
        for hit in reading.hits
        if hit.name == "advert"
    }
    return len(told) >= _ADVERTISING


def judge_topic(read: ReadMessage, topic: str, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    """The draft of a message about one of the topics; also used where a person writes about one."""
    message = read.message
    lead = _lead(read, topic)
    if lead is None:
        return (), "It has no words of its own."
    due = due_of(message, lead.span, new_spans(message), setting.zone)
    past = _past(read, topic, due, setting)
    if past:
        return (), past
    evidence = evidence_at(message, lead.span)
    if evidence is None:
        return (), "Its words are not indexed."
    alarm = _is_alarm(read, topic)
    found = Found(
        title=_title(read, lead, topic, due),
        evidence=(evidence,),
        reasons=(_REASONS[topic],),
        confidence=0.85,
        due=due if topic not in _ALARMS else None,
        source={"security": ItemSource.SECURITY, "system": ItemSource.SYSTEM}.get(topic),
        alarm=alarm,
        priority=Priority.IMPORTANT if topic in _ALARMS and not alarm else None,
        people=(name_of(message.author),) if name_of(message.author) else (),
        expires_at=due.at if due is not None and topic in {"timed", "renewal", "delivery"} else None,
    )
    return (draft_of(found, message, setting),), found.reasons[0]


def _past(read: ReadMessage, topic: str, due: Due | None, setting: Setting) -> str:
    if topic in _ALARMS:
        age = setting.now - read.message.sent_at
        return "Too old: the alarm is more than a week ago." if age > WEEK else ""
    if due is None:
        return (
            "Too old: it is more than 30 days old and names no date."
            if too_old(read.message, setting.now)
            else ""
        )
    return "Its date has passed." if due.is_long_past(setting.now) else ""


def _lead(read: ReadMessage, topic: str) -> Lead | None:
    """The sentence that says it best: of the topic and with a deadline word, of the topic, else the first."""
    cue = "timed_action" if topic == "timed" else topic
    about = [lead for lead in read.leads if lead.reading.has(cue)]
    parts = [
        lead for lead in read.leads if lead.reading.has(f"{topic}_sure", f"{topic}_state", f"{topic}_thing")
    ]
    wordy = [lead for lead in read.leads if len(lead.reading.tokens) > 3]
    for group in (about, parts, wordy, list(read.leads)):
        if group:
            return max(group, key=_telling)
    return None


def _telling(lead: Lead) -> tuple[bool, bool, bool]:
    """What to do before what is so, with a date before without; the earlier of equals wins."""
    reading = lead.reading
    return reading.has("imperative_first", "please_do"), reading.has("deadline"), reading.has("number")


def _title(read: ReadMessage, lead: Lead, topic: str, due: Due | None) -> str:
    naming = naming_of(read, lead, due)
    if topic == "payment":
        return payment_title(naming)
    if topic == "timed":
        return shortened(command(naming)) or topic_title(naming, "deadline")
    return topic_title(naming, _KEYS[topic])


def _is_alarm(read: ReadMessage, topic: str) -> bool:
    if topic == "security":
        return read.holds("breach")
    return topic == "system" and read.holds("outage")
