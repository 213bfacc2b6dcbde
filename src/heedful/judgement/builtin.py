"""The built-in finder: no network, no model, the same answer for the same messages."""

from dataclasses import replace
from datetime import datetime, tzinfo
from functools import partial

from heedful.actionables import Draft
from heedful.core.supervise import one_of_many
from heedful.judgement.addressing import Parties, is_mine, parties
from heedful.judgement.calendar import judge_event, judge_invitation
from heedful.judgement.drafting import Setting
from heedful.judgement.fulfilment import fulfilled_by
from heedful.judgement.gating import is_machine, is_mass_mail, not_for_the_person
from heedful.judgement.leads import read_message
from heedful.judgement.machine_mail import MASS_SENTENCES, judge_machine
from heedful.judgement.notes import judge_note
from heedful.judgement.personal import judge_person
from heedful.judgement.promises import judge_own
from heedful.judgement.verdicts import Judged, Verdict
from heedful.memory import StoredMessage, ThreadView

UNREAD = "Heedful could not read it: a fault of its own, which its log names."


class BuiltinFinder:
    """Finds what needs the person by the cues of a message's language and the envelope it came in."""

    name = "builtin@1"

    def find(self, thread: ThreadView, *, now: datetime, zone: tzinfo, own: frozenset[str]) -> Judged:
        """Judges the thread's new messages; the older ones tell who asked and who answered.

        `own` are the person's own addresses (lower-case) and, where known, names. An item that the thread shows
        to be done already carries `done_by`. Never raises, whatever the text: a message that meets a bug stays
        silent, and its verdict says so.
        """
        setting = Setting(thread, now, zone, own)
        who = parties(thread, own)
        drafts: list[Draft] = []
        verdicts = []
        for message in thread.messages:
            if message.is_new:
                judged = partial(_judged, message, setting, who)
                found, reason = one_of_many("judging a message", judged, otherwise=((), UNREAD))
                drafts.extend(found)
                verdicts.append(_verdict(message, found, reason))
        return Judged(tuple(drafts), tuple(verdicts))


def unread(thread: ThreadView) -> tuple[Verdict, ...]:
    """The verdicts on a thread's new messages where a bug keeps all of it from being judged."""
    return tuple(Verdict(message.id, "silent", (UNREAD,)) for message in thread.messages if message.is_new)


def _judged(message: StoredMessage, setting: Setting, who: Parties) -> tuple[tuple[Draft, ...], str]:
    found, reason = _judge(message, setting, who)
    return tuple(_settled(draft, setting) for draft in found), reason


def _judge(message: StoredMessage, setting: Setting, who: Parties) -> tuple[tuple[Draft, ...], str]:
    """The drafts of one message, or why it gives none."""
    if message.kind == "event":
        return judge_event(message, setting)
    if message.kind == "note" or message.channel == "note":
        return judge_note(message, setting)
    if is_mine(message, setting.own):
        return judge_own(read_message(message), setting)
    if message.traits.invitation in {"REQUEST", "CANCEL", "REPLY", "COUNTER"}:
        return judge_invitation(message, setting)
    mass = is_mass_mail(message, who)
    if is_machine(message) or mass:
        read = read_message(message, most=MASS_SENTENCES) if mass else read_message(message)
        return judge_machine(read, setting, is_mass=mass)
    elsewhere = not_for_the_person(message, setting.thread, setting.own, who)
    return ((), elsewhere) if elsewhere else judge_person(read_message(message), setting, who)


def _settled(draft: Draft, setting: Setting) -> Draft:
    done_by = fulfilled_by(draft, setting.thread, own=setting.own)
    return (
        replace(draft, done_by=done_by, reasons=(*draft.reasons, "it is done already")) if done_by else draft
    )


def _verdict(message: StoredMessage, drafts: tuple[Draft, ...], reason: str) -> Verdict:
    if not drafts:
        return Verdict(message.id, "silent", (reason,))
    open_ones = [draft for draft in drafts if draft.done_by is None]
    reasons = tuple(dict.fromkeys(reason for draft in open_ones or drafts for reason in draft.reasons))
    return Verdict(message.id, "item" if open_ones else "done", reasons)
