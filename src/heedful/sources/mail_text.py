"""What a person would read of a mail: its parts as one plain text, the forwarded mails in it marked."""

import re
from dataclasses import dataclass, field

from heedful.reading.html_text import html_to_text
from heedful.sources.flowed import unflow
from heedful.sources.mail_parts import MAX_DEPTH, Part

MAX_TEXT = 400_000
_MAX_HTML = 1_500_000
_MAX_CALENDAR = 200_000
_MAX_VISITED = 500

ENCRYPTED = "This message is encrypted; Heedful can't read its text."
SEALED = "This message is wrapped in a signature container; Heedful can't read its text."
CUT = "The rest of this message was left out because it is very long."

_ARMOUR = re.compile(r"-----BEGIN PGP MESSAGE-----.*?(?:-----END PGP MESSAGE-----|\Z)", re.DOTALL)
_SIGNED_HEAD = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z][\w-]*:[^\n]*\n)*\n?(.*?)"
    r"(?:-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----\n?|\Z)|\Z)",
    re.DOTALL,
)
_STUB = re.compile(
    r"\b(?:html|view (?:it|this|the) (?:e-?mail|message|newsletter)|web ?(?:browser|version)|browser|navegador)\b",
    re.IGNORECASE,
)
_CID_ONLY = frozenset({"image", "audio", "video"})
_REPORT_PARTS = frozenset(
    {"message/delivery-status", "message/disposition-notification", "message/feedback-report"}
)


@dataclass(frozen=True, slots=True)
class MailText:
    """The readable text. `forwarded` are the spans of mails that came inside, `notes` those we wrote ourselves."""

    text: str
    forwarded: tuple[tuple[int, int], ...] = ()
    notes: tuple[tuple[int, int], ...] = ()
    attachments: tuple[str, ...] = ()
    calendars: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    """What has been gathered so far from one mail."""

    pieces: list[tuple[str, str]] = field(
        default_factory=list
    )  # ("text" | "forwarded" | "note", what it says)
    attachments: list[str] = field(default_factory=list)
    calendars: list[str] = field(default_factory=list)
    visited: int = 0
    size: int = 0
    is_cut: bool = False

    def add(self, kind: str, text: str) -> None:
        text = text.strip("\n")
        if text.strip() and self.size < MAX_TEXT:
            self.pieces.append((kind, text[: MAX_TEXT - self.size]))
            self.size += len(text)


def read_text(mail: Part) -> MailText:
    """The text of a whole mail: alternatives decided, HTML made plain, attachments by name only."""
    reading = _Reading()
    _read(mail, reading)
    if reading.is_cut or reading.size > MAX_TEXT or reading.visited > _MAX_VISITED:
        reading.pieces.append(("note", CUT))
    return _assembled(reading)


def _read(part: Part, reading: _Reading) -> None:
    reading.visited += 1
    if reading.visited > _MAX_VISITED or reading.size >= MAX_TEXT:
        return
    if part.media in {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}:
        signed = part.parameter("smime-type").lower() == "signed-data"
        reading.add("note", SEALED if signed else ENCRYPTED)
    elif part.media == "text/calendar":
        reading.calendars.append(part.text()[:_MAX_CALENDAR])
        _note_attachment(part, reading)
    elif part.maintype == "multipart":
        _read_multipart(part, reading)
    elif part.media in {"message/rfc822", "message/global"}:
        _read_inner_mail(part, reading)
    elif part.media in _REPORT_PARTS or part.media == "text/rfc822-headers":
        return
    elif part.is_attachment() or part.maintype not in {"text", "message"}:
        _note_attachment(part, reading)
    else:
        reading.add("text", _leaf_text(part))
        if part.file_name():
            _note_attachment(part, reading)


def _read_multipart(part: Part, reading: _Reading) -> None:
    children = part.children()
    if not children and part.depth >= MAX_DEPTH:
        reading.is_cut = True
    elif not children:
        reading.add("text", part.text()[:MAX_TEXT])
    elif part.media == "multipart/alternative":
        _read_alternative(children, reading)
    elif part.media == "multipart/signed":
        _read(children[0], reading)
    else:
        for child in children:
            _read(child, reading)


def _read_alternative(children: tuple[Part, ...], reading: _Reading) -> None:
    """The plain version unless it only says that there is an HTML one; calendars are read beside either."""
    chosen: _Reading | None = None
    for child in children:
        if child.media == "text/calendar":
            _read(child, reading)
        elif chosen is not None and not _may_be_stub(chosen):
            _note_attachments_within(child, reading)
        else:
            version = _Reading(visited=reading.visited, size=reading.size)
            _read(child, version)
            reading.visited, reading.is_cut = version.visited, reading.is_cut or version.is_cut
            if chosen is None or len(_said(version)) > 2 * len(_said(chosen)):
                chosen = version
    if chosen is not None:
        reading.pieces += chosen.pieces
        reading.size = chosen.size
        reading.attachments += chosen.attachments
        reading.calendars += chosen.calendars


def _may_be_stub(version: _Reading) -> bool:
    """True when a version says next to nothing, or little more than where to see the real one."""
    text = _said(version)
    return len(text) < 30 or (len(text) < 600 and _STUB.search(text) is not None)


def _said(version: _Reading) -> str:
    return " ".join(text for _, text in version.pieces)


def _note_attachments_within(part: Part, reading: _Reading) -> None:
    reading.visited += 1
    if reading.visited > _MAX_VISITED:
        return
    if part.maintype == "multipart":
        for child in part.children():
            _note_attachments_within(child, reading)
    elif part.is_attachment() and part.maintype not in _CID_ONLY:
        _note_attachment(part, reading)


def _read_inner_mail(part: Part, reading: _Reading) -> None:
    children = part.children()
    if not children:
        _note_attachment(part, reading)
        return
    mail = children[0]
    inner = _Reading(visited=reading.visited, size=reading.size)
    _read(mail, inner)
    reading.visited, reading.is_cut = inner.visited, reading.is_cut or inner.is_cut
    head = [
        f"{label}: {value}"
        for label, value in (
            ("From", mail.headers.text("from")),
            ("Date", mail.headers.text("date")),
            ("Subject", mail.headers.text("subject")),
            ("To", mail.headers.text("to")),
        )
        if value
    ]
    said = "\n\n".join(text for _, text in inner.pieces)
    reading.add("forwarded", "\n".join(["---------- Forwarded message ----------", *head, "", said]))
    reading.attachments += inner.attachments


def _leaf_text(part: Part) -> str:
    text = part.text()
    if part.media == "text/html" or (part.media == "text/plain" and _is_html(text)):
        return html_to_text(text[:_MAX_HTML])
    if part.media in {"text/enriched", "text/richtext"}:
        return re.sub(r"<[^<>]{0,60}>", "", text)
    if part.parameter("format").lower() == "flowed":
        text = unflow(text, delsp=part.parameter("delsp").lower() == "yes")
    if "-----BEGIN PGP" in text:
        text = _ARMOUR.sub(ENCRYPTED, _SIGNED_HEAD.sub(r"\1", text))
    return text


def _is_html(text: str) -> bool:
    """True for HTML that was declared as plain text."""
    head = text[:300].lstrip().lower()
    return head.startswith(("<!doctype html", "<html", "<head>", "<body"))


def _note_attachment(part: Part, reading: _Reading) -> None:
    name = part.file_name()
    if name and name not in reading.attachments and len(reading.attachments) < 100:
        reading.attachments.append(name)


def _assembled(reading: _Reading) -> MailText:
    text: list[str] = []
    spans: dict[str, list[tuple[int, int]]] = {"forwarded": [], "note": []}
    position = 0
    for kind, said in reading.pieces:
        gap = "\n\n" if text else ""
        start = position + len(gap)
        position = start + len(said)
        text += [gap, said]
        if kind in spans:
            spans[kind].append((start, position))
    return MailText(
        "".join(text),
        tuple(spans["forwarded"]),
        tuple(spans["note"]),
        tuple(reading.attachments),
        tuple(reading.calendars),
    )
