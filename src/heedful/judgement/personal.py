"""What somebody writes to the person: requests, questions, proposals, promises, and what machines write of too."""

from heedful.actionables import Draft
from heedful.judgement.addressing import Parties, name_of
from heedful.judgement.drafting import WEEK, Found, Setting, draft_of
from heedful.judgement.due import Due, due_of
from heedful.judgement.gating import calls_somebody_else, too_old
from heedful.judgement.leads import Lead, ReadMessage
from heedful.judgement.machine_mail import is_advertising, judge_topic
from heedful.judgement.naming import naming_of
from heedful.judgement.quoting import evidence_at, new_spans
from heedful.judgement.titles import change_title, promise_title, question_title, reply_title, request_title
from heedful.memory import StoredMessage

_SURE = 0.45
_MAX_ITEMS = 3
_NOTHING = "It asks nothing of you."


def judge_person(read: ReadMessage, setting: Setting, who: Parties) -> tuple[tuple[Draft, ...], str]:
    """The drafts of a message by a person to the person, or why it gives none."""
    if is_advertising(read) and len(read.leads) > 3:
        return (), "It reads like advertising."
    if read.holds("no_action"):
        return (), "It says that nothing needs to be done."
    topics = read.wanting("payment", "renewal", "delivery")
    if topics:
        drafts, reason = judge_topic(read, str(topics[0].kind), setting)
        if drafts or "Too old" in reason or "passed" in reason:
            return drafts, reason
    asked = [lead for lead in read.leads if _asks(lead, read, who)]
    if asked:
        return _requests(read, asked, setting)
    changed = [lead for lead in read.leads if _changes(lead)]
    if changed:
        return _change(read, changed[0], setting)
    promised = [lead for lead in read.leads if _promises(lead)]
    if promised:
        return _promise(read, promised[0], setting)
    return (), _NOTHING


def _asks(lead: Lead, read: ReadMessage, who: Parties) -> bool:
    reading = lead.reading
    if lead.kind is None or calls_somebody_else(reading.text, who) or reading.has("closing", "banter"):
        return False
    if lead.kind == "request":
        polite_only = reading.has("note") or (
            reading.has("thanks") and not reading.has("can_you", "imperative")
        )
        return lead.score >= _SURE and not polite_only
    if lead.kind == "question":
        return not reading.has("one_word") or read.message.channel == "email"
    if lead.kind in {"proposal", "meeting"}:
        return reading.has("availability") and reading.has("deadline", "number") and not reading.has("past")
    return lead.kind == "deadline" and reading.has("you", "deadline_sure")


def _changes(lead: Lead) -> bool:
    """Whether a sentence tells that a meeting takes place at another time or place, or not at all."""
    reading = lead.reading
    told = reading.has("moved", "cancelled") and reading.has("meeting_word", "event_word")
    return told and not reading.has("question", "negated")


def _promises(lead: Lead) -> bool:
    """Whether its author will do something for the person: with a date, or something to hand over."""
    reading = lead.reading
    promised = (
        reading.has("commit") and reading.has("promised") and reading.has("deadline", "number", "give_back")
    )
    return promised and not reading.has("question", "condition_start")


def _requests(read: ReadMessage, asked: list[Lead], setting: Setting) -> tuple[tuple[Draft, ...], str]:
    groups = _by_date(read, asked, setting)
    drafts, reasons = [], []
    for leads, due in groups[:_MAX_ITEMS]:
        past = _past(read.message, due, setting)
        if past:
            reasons.append(past)
            continue
        draft = _request(read, leads, due, setting)
        if draft is not None:
            drafts.append(draft)
    return tuple(drafts), (reasons or [_NOTHING])[0]


def _by_date(read: ReadMessage, asked: list[Lead], setting: Setting) -> list[tuple[list[Lead], Due | None]]:
    """The leads in groups that are wanted by the same day; one without a date of its own joins the first."""
    message = read.message
    groups: list[tuple[list[Lead], Due | None]] = []
    for lead in asked:
        due = due_of(message, lead.span, (), setting.zone)
        same = next(
            (
                group
                for group in groups
                if due is None or group[1] is None or group[1].at.date() == due.at.date()
            ),
            None,
        )
        if same is None:
            groups.append(([lead], due))
        else:
            same[0].append(lead)
            if same[1] is None and due is not None:
                groups[groups.index(same)] = (same[0], due)
    if len(groups) == 1 and (groups[0][1] is None or not groups[0][1].is_deadline):
        leads = groups[0][0]
        groups[0] = (leads, due_of(message, leads[0].span, new_spans(message), setting.zone) or groups[0][1])
    return groups


def _past(message: StoredMessage, due: Due | None, setting: Setting) -> str:
    if due is not None and due.is_long_past(setting.now):
        return "Its date has passed."
    if due is None and too_old(message, setting.now):
        return "Too old: it is more than 30 days old and names no date."
    return ""


def _request(read: ReadMessage, leads: list[Lead], due: Due | None, setting: Setting) -> Draft | None:
    message = read.message
    main = max(leads, key=_weight)
    chosen = [main, *(lead for lead in leads if lead is not main)][:3]
    evidence = tuple(
        found for found in (evidence_at(message, lead.span) for lead in chosen) if found is not None
    )
    if not evidence:
        return None
    name = name_of(message.author)
    asks = "asks you a question" if main.kind == "question" else "asks you directly"
    naming = naming_of(read, main, due)
    title = {"request": request_title, "question": question_title}.get(str(main.kind), reply_title)(naming)
    found = Found(
        title=title,
        evidence=evidence,
        reasons=(f"{name or 'Somebody'} {asks}",),
        confidence=main.score,
        due=due,
        complex_action=len(leads) > 2 or _several_steps(main),
        people=(name,) if name else (),
        expires_at=due.at if due is not None and main.kind in {"meeting", "proposal"} else None,
    )
    return draft_of(found, message, setting)


def _weight(lead: Lead) -> tuple[bool, bool, float, int]:
    """What says best what is wanted: requests first, «let me know» last, then the surer, then the earlier."""
    only_answer = lead.reading.has("answer_me") and not lead.reading.has("question")
    return not only_answer, lead.kind == "request", round(lead.score, 1), -lead.span.start


def _several_steps(lead: Lead) -> bool:
    return len({hit.first for hit in lead.reading.hits if hit.name == "verb"}) > 2


def _change(read: ReadMessage, lead: Lead, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    message = read.message
    due = due_of(message, lead.span, (), setting.zone)
    evidence = evidence_at(message, lead.span)
    if evidence is None or (due is None and setting.now - message.sent_at > WEEK):
        return (), "Too old: it tells of a change more than a week ago."
    if due is not None and due.is_long_past(setting.now):
        return (), "Its date has passed."
    key = "cancelled" if lead.reading.has("cancelled") else "moved"
    name = name_of(message.author)
    found = Found(
        title=change_title(naming_of(read, lead, None), key),
        evidence=(evidence,),
        reasons=(f"{name or 'Somebody'} tells you of a change",),
        confidence=0.7,
        due=due,
        people=(name,) if name else (),
        expires_at=due.at if due is not None else None,
    )
    return (draft_of(found, message, setting),), ""


def _promise(read: ReadMessage, lead: Lead, setting: Setting) -> tuple[tuple[Draft, ...], str]:
    message = read.message
    due = due_of(message, lead.span, (), setting.zone)
    evidence = evidence_at(message, lead.span)
    past = _past(message, due, setting)
    if past or evidence is None:
        return (), past or _NOTHING
    name = name_of(message.author)
    found = Found(
        title=promise_title(naming_of(read, lead, due), mine=False),
        evidence=(evidence,),
        reasons=(f"{name or 'Somebody'} promised you this",),
        confidence=0.6,
        due=due,
        direction="theirs",
        people=(name,) if name else (),
    )
    return (draft_of(found, message, setting),), ""
