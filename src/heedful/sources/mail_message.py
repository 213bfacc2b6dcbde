"""One mail, from its bytes: what every mail source shares, and nothing about files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial

from heedful.core.ids import content_id, normalise_title
from heedful.reading.languages import guess
from heedful.reading.zones import Zone, ZoneKind, zones
from heedful.sources.invitations import read_invitation
from heedful.sources.items import Incoming, Person, Rejected, Traits
from heedful.sources.mail_folders import FolderRole, role_of_labels
from heedful.sources.mail_headers import Headers
from heedful.sources.mail_parts import Part, part_of
from heedful.sources.mail_text import CUT, MailText, read_text
from heedful.sources.mail_traits import delivered_to, is_automatic, is_bulk, list_id, participants
from heedful.sources.subjects import bare_subject, is_marked_reply
from heedful.sources.unreadable import or_rejected

MAX_MAIL_BYTES = 16 * 1024 * 1024
"""How much of one mail is looked at; readers need not keep more of it."""

_FROM_LINE = re.compile(rb"\A(?:>?From [^\r\n]*\r?\n)+")
_TELLING = (
    "from",
    "date",
    "subject",
    "to",
    "cc",
    "sender",
    "message-id",
    "received",
    "return-path",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
)
_TELLING_LINE = re.compile(rb"(?mi)^(" + "|".join(_TELLING).encode() + rb")[ \t]*:")
_CLOCKS_DIFFER = timedelta(days=2)
_OLDEST_DELIVERY = timedelta(days=3650)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known about a mail from outside of it.

    `place` names it to the person. `arrived_at` dates a mail that carries no date of its own (the separator line of an
    mbox, the time of its file). `zone` is the person's, for calendars without one. `is_cut` says that the bytes
    are only the beginning of a very long mail.
    """

    place: str
    arrived_at: datetime | None
    zone: tzinfo
    in_sent_folder: bool = False
    is_cut: bool = False


def looks_like_mail(head: bytes, *, least: int = 2) -> bool:
    """True when the first bytes of a file read as the header of a mail, with `least` of the usual fields."""
    if head[:1000].count(b"\0") > 3 or not head.strip():
        return False
    body = _FROM_LINE.sub(b"", head.lstrip(b"\r\n\xef\xbb\xbf"))
    first = re.match(rb"[!-9;-~]{1,80}[ \t]*:", body)
    if first is None:
        return False
    return len({name.lower() for name in _TELLING_LINE.findall(body[:16_000])}) >= least


def read_mail(raw: bytes, around: Surroundings) -> Incoming | Rejected:
    """The mail as an `Incoming`, or why it can't be used; never raises."""
    return or_rejected(around.place, partial(_read, raw, around))


def _read(raw: bytes, around: Surroundings) -> Incoming | Rejected:
    is_cut = around.is_cut or len(raw) > MAX_MAIL_BYTES
    mail = part_of(_FROM_LINE.sub(b"", raw[:MAX_MAIL_BYTES].lstrip(b"\r\n"), count=1))
    headers = mail.headers
    if not any(name in headers for name in _TELLING):
        return Rejected(around.place, "It has none of the headers of a mail.")
    role = role_of_labels(headers.text("x-gmail-labels"))
    if role is FolderRole.LEFT_OUT:
        return Rejected(around.place, "Gmail keeps it as spam, as a draft or in the bin.")
    sent_at = _sent_at(headers, around.arrived_at)
    if sent_at is None:
        return Rejected(around.place, "Nothing says when it was sent.")
    around = replace(around, is_cut=is_cut, in_sent_folder=around.in_sent_folder or role is FolderRole.SENT)
    return _incoming(mail, read_text(mail), sent_at, around=around)


def _incoming(mail: Part, read: MailText, sent_at: datetime, *, around: Surroundings) -> Incoming:
    headers = mail.headers
    subject = headers.text("subject")[:1000]
    author = next(iter(headers.people("from", "sender", "reply-to")), Person(""))
    to, cc = headers.people("to", "apparently-to"), headers.people("cc")
    references = headers.message_ids("references")
    reply_to = next(iter(headers.message_ids("in-reply-to")), references[-1] if references else None)
    invitation = read_invitation(read.calendars, around.zone)
    text, marked = _with_zones(
        read,
        appended=((ZoneKind.NEW, invitation.text), (ZoneKind.DISCLAIMER, CUT if around.is_cut else "")),
        is_reply=bool(reply_to) or is_marked_reply(subject),
    )
    message_id = next(iter(headers.message_ids("message-id")), "")[:500]
    identity = f"mid:{message_id}" if message_id else "mail:" + _fingerprint(headers, text)
    return Incoming(
        kind="message",
        channel="email",
        external_id=message_id or identity,
        identity=identity,
        thread_key=_thread_key(headers, subject, identity, group=(author, *to, *cc)),
        thread_title=bare_subject(subject),
        author=author,
        sent_at=sent_at,
        subject=subject,
        text=text,
        zones=marked,
        lang=guess(f"{bare_subject(subject)}\n{text[:4000]}"),
        to=to,
        cc=cc,
        reply_to=reply_to,
        from_me=True if around.in_sent_folder else None,
        traits=Traits(
            list_id=list_id(headers),
            bulk=is_bulk(headers),
            automatic=is_automatic(headers, author, mail.media),
            delivered_to=delivered_to(headers),
            sent_folder=around.in_sent_folder,
            invitation=invitation.method,
            attachments=read.attachments,
        ),
    )


def _sent_at(headers: Headers, arrived_at: datetime | None) -> datetime | None:
    """The sender's date unless the receiving server's shows that the sender's clock was far off."""
    stated, received = headers.date(), headers.received()
    if stated is None:
        return received or arrived_at
    if received is not None and not -_OLDEST_DELIVERY < stated - received < _CLOCKS_DIFFER:
        return received
    return stated


def _thread_key(headers: Headers, subject: str, identity: str, *, group: tuple[Person, ...]) -> str:
    """The thread's first message; for a reply that does not name it, its subject among these people."""
    if gmail := headers.raw("x-gm-thrid"):
        return f"gmail:{gmail[:40]}"
    for name in ("references", "in-reply-to"):
        if ids := headers.message_ids(name):
            return f"mid:{ids[0]}"
    if is_marked_reply(subject):
        title = normalise_title(bare_subject(subject))
        return "subject:" + content_id(title, participants(group))
    return identity


def _fingerprint(headers: Headers, text: str) -> str:
    """The same for the same mail in a file of its own and in a folder of many."""
    fields = [headers.raw(name) for name in ("from", "to", "date", "subject")]
    return content_id(*fields, " ".join(text.split()))


def _with_zones(
    read: MailText, *, appended: tuple[tuple[ZoneKind, str], ...], is_reply: bool
) -> tuple[str, tuple[Zone, ...]]:
    """The text with what is appended to it, and zones that cover all of it."""
    found = list(_zones_around(read, is_reply=is_reply))
    text = read.text
    for kind, words in appended:
        if not words:
            continue
        gap = "\n\n" if text else ""
        if gap:
            found[-1] = replace(found[-1], end=len(text) + len(gap))
        found.append(Zone(kind, len(text) + len(gap), len(text) + len(gap) + len(words)))
        text += gap + words
    return text, tuple(found)


def _zones_around(read: MailText, *, is_reply: bool) -> Iterator[Zone]:
    """The zones of what the writer said, and between them the spans that are known already."""
    known = sorted(
        [(start, end, ZoneKind.FORWARDED) for start, end in read.forwarded]
        + [(start, end, ZoneKind.DISCLAIMER) for start, end in read.notes]
    )
    position = 0
    for start, end, kind in [*known, (len(read.text), len(read.text), None)]:
        for zone in zones(read.text[position:start], is_reply=is_reply):
            yield Zone(zone.kind, zone.start + position, zone.end + position)
        if kind is not None:
            yield Zone(kind, start, end)
        position = end
