"""Which messages can't ask anything of the person, whatever their words: said before their sentences are weighed."""

import re
from datetime import datetime, timedelta
from functools import lru_cache

from heedful.judgement.addressing import Parties, called, greeted, is_mine, mentions, reach
from heedful.judgement.cues import holds_cue
from heedful.judgement.quoting import new_text
from heedful.memory import StoredMessage, ThreadView
from heedful.reading import ZoneKind, available, language, text_without_diacritics

TOO_OLD = timedelta(days=30)
_HEAD = 400
_MANY_LINKS = 6
_LETTER_CHARS = 7000
_LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_NOT_WRITTEN = {ZoneKind.QUOTED, ZoneKind.FORWARDED, ZoneKind.ENCODED}
_MACHINE = (
    "noreply",
    "no-reply",
    "donotreply",
    "do-not-reply",
    "mailer-daemon",
    "notifications",
    "notification",
    "newsletter",
    "bounce",
)


def is_machine(message: StoredMessage) -> bool:
    """Whether no person wrote a message."""
    mailbox = message.author.address.split("@", 1)[0]
    return message.traits.automatic or message.channel == "system" or mailbox.startswith(_MACHINE)


def is_mass_mail(message: StoredMessage, who: Parties) -> bool:
    """Whether a message went to many: by its envelope, or by its looks.

    It looks so when it offers to unsubscribe, is full of links, or is longer than a letter.
    Newsletters of small senders carry no mark in their envelope. One that greets the person by name is believed.
    """
    if message.traits.bulk:
        return True
    if message.channel != "email" or any(map(who.is_me, greeted(new_text(message)[:_HEAD], message.lang))):
        return False
    kept = "".join(
        message.text[zone.start : zone.end] for zone in message.zones if zone.kind not in _NOT_WRITTEN
    )
    written = kept or message.text
    return (
        len(written) > _LETTER_CHARS
        or len(_LINK.findall(written)) >= _MANY_LINKS
        or _unsubscribe().search(written) is not None
    )


@lru_cache(maxsize=1)
def _unsubscribe() -> re.Pattern[str]:
    """The offers to unsubscribe of every language at once: a newsletter's footer may be in another one."""
    entries = {entry for code in available() for entry in language(code).lines("cues", "unsubscribe")}
    return re.compile(
        "|".join(r"\s+".join(map(re.escape, entry.split())) for entry in sorted(entries)), re.IGNORECASE
    )


def not_for_the_person(message: StoredMessage, thread: ThreadView, own: frozenset[str], who: Parties) -> str:
    """Why a message by a person speaks to somebody else; empty when it may speak to the person."""
    text = new_text(message)
    names = greeted(text, message.lang)
    if _names_the_person(text, names, who):
        return ""
    if names and who.mine and not any(map(who.is_me, names)) and any(map(who.is_other, names)):
        return f"It addresses {names[0]}, not you."
    how = reach(message, own)
    if how == "copy":
        return "You only got a copy of it."
    if how == "list":
        return "It went to a mailing list and does not name you."
    if message.channel not in {"email", "calendar", "note", "system"} and who.other_count > 1:
        return _group_chat(message, text, thread, own, who)
    return ""


def _group_chat(
    message: StoredMessage, text: str, thread: ThreadView, own: frozenset[str], who: Parties
) -> str:
    """A question to a group is the person's only when it answers them or calls on everybody."""
    before = next((other for other in reversed(thread.messages) if other.seq < message.seq), None)
    if message.reply_to and any(
        other.external_id == message.reply_to and is_mine(other, own) for other in thread.messages
    ):
        return ""
    if before and is_mine(before, own) and not any(map(who.is_other, mentions(message.text))):
        return ""
    if holds_cue(text[:_HEAD], message.lang, "everyone"):
        return ""
    return "It was said to a group and does not name you."


def _names_the_person(text: str, greets: tuple[str, ...], who: Parties) -> bool:
    """Whether the text calls the person by name, or a mention does; nobody whose name is not known."""
    if not who.mine:
        return False
    if any(map(who.is_me, (*mentions(text), *greets))):
        return True
    if any(who.is_me(called(line)) for line in text.splitlines() if line.strip()):
        return True
    bare = text_without_diacritics(text)
    return any(
        f"{mark}{name}" in bare
        for name in who.mine
        for mark in (". ", "? ", "! ", ", ", "\n")
        if len(name) > 2
    )


def calls_somebody_else(sentence: str, who: Parties) -> bool:
    """Whether a sentence calls another party by name."""
    name = called(sentence)
    return bool(name) and who.is_other(name) and not who.is_me(name)


def too_old(message: StoredMessage, now: datetime) -> bool:
    """Whether a message without a date is past asking anything."""
    return now - message.sent_at > TOO_OLD
