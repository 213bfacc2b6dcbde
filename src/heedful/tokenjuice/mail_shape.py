"""Mails as they travel, one or a whole mailbox: the headers a person reads, the text, attachments by name.

Parsed with the lenient policy: hostile mail raises under the strict one.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from itertools import islice

from heedful.tokenjuice.ledger import Draft, Ledger, Step
from heedful.tokenjuice.mail_text import Seen, tidy_mail
from heedful.tokenjuice.shapes import Reading, rewritten

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_HEADER_CHARS = 300
_SEPARATOR = re.compile(r"^From [^\n]*\n(?=[A-Za-z][\w-]*:)", re.MULTILINE)
_HEADED = re.compile(r"[A-Za-z][\w-]*:[^\n]*\n(?:[ \t][^\n]*\n)*(?:[A-Za-z][\w-]*:|\n|\r)")
_PARTS_LIMIT = 200
_REPLY = re.compile(r"^Subject: (?:(?:re|fwd?|aw|wg|enc|res|rv)(?:\[\d+\])?: *)+", re.IGNORECASE)


def reshape_mail(reading: Reading) -> str:
    """Each message's headers and text; what an earlier message of the same text said is not said again."""
    text = reading.text.replace("\r\n", "\n")
    if not _HEADED.match(_SEPARATOR.sub("", text, count=1)):
        return tidy_mail(text, reading)
    told: set[str] = set()
    messages = [_opened(raw, told) for raw in _messages(text)]
    decoded = "\n\n".join(f"{headers}\n\n{body}" for headers, body in messages)
    rewritten(reading, "headers and encoding", reading.text, decoded)
    first = len(reading.ledger.steps)
    seen = Seen()
    tidied = []
    for headers, body in messages:
        seen.remember(headers)
        inner = Reading(body, reading.pinned, reading.share, Ledger())
        tidied.append(f"{headers}\n\n{tidy_mail(body, inner, seen)}".rstrip("\n"))
        _add(reading.ledger, inner.ledger.steps, first)
    whole = "\n\n".join(tidied)
    balance = sum(step.written - step.removed for step in reading.ledger.steps[first:])
    short = len(Draft.of(decoded).lines) + balance - len(Draft.of(whole).lines)
    if short:
        reading.ledger.steps.append(Step("empty lines", max(short, 0), max(-short, 0), 0))
    return whole


def _add(ledger: Ledger, steps: list[Step], first: int) -> None:
    """Joins the steps of one message with those of the messages before it, which begin at `first`."""
    for step in steps:
        for n, known in enumerate(ledger.steps):
            if n >= first and known.name == step.name:
                ledger.steps[n] = Step(
                    known.name,
                    known.removed + step.removed,
                    known.written + step.written,
                    known.chars + step.chars,
                    (known.sample + step.sample)[:5],
                )
                break
        else:
            ledger.steps.append(step)


def _messages(text: str) -> Iterator[str]:
    starts = [found.start() for found in _SEPARATOR.finditer(text)]
    if not starts or starts[0] != 0:
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield (
            _SEPARATOR.sub("", text[start:end], count=1)
            if text.startswith("From ", start)
            else text[start:end]
        )


def _opened(raw: str, told: set[str]) -> tuple[str, str]:
    try:
        message = message_from_bytes(raw.encode("utf-8", "surrogateescape"))
        parts = list(islice(message.walk(), _PARTS_LIMIT))
    except RecursionError:  # parts in one another, deeper than any program nests them
        return "", raw
    headers = _told_headers(message, told)
    texts, attachments = [], []
    for part in parts:
        if part.is_multipart():
            continue
        name = part.get_filename()
        kind = part.get_content_type()
        if kind in {"text/plain", "text/html"} and not name:
            texts.append((kind, _content(part)))
        else:
            attachments.append(f"[attachment: {_decoded(name or kind)}]")
    return "\n".join(headers), "\n".join([*_readable(texts), *attachments])


def _readable(texts: list[tuple[str, str]]) -> list[str]:
    """Plain text where there is some, else the text of the markup."""
    plain = [text for kind, text in texts if kind == "text/plain" and text.strip()]
    if plain:
        return plain
    from heedful.tokenjuice.html_shape import markup_text

    return [markup_text(text) for kind, text in texts if kind == "text/html"]


def _content(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    declared = part.get_content_charset() or "utf-8"
    wrapped = str(part.get("Content-Transfer-Encoding", "")).strip().lower() in {"base64", "quoted-printable"}
    for charset in (declared, "utf-8") if wrapped else ("utf-8", declared):
        try:
            return payload.decode(charset)
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return payload.decode("latin-1")


def _told_headers(message: Message, told: set[str]) -> list[str]:
    """The headers a person reads, less those an earlier message of the text had already."""
    raw = {name.lower(): str(value) for name, value in reversed(list(message.raw_items()))}
    lines = []
    for name in _HEADERS:
        value = raw.get(name.lower(), "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        line = f"{name}: {_decoded(value)[:_HEADER_CHARS]}"
        known = _REPLY.sub("Subject: ", line)
        if value and (known not in told or name == "From"):
            lines.append(line)
        told.add(known)
    return lines


def _decoded(value: str) -> str:
    try:
        parts = decode_header(value)
    except (HeaderParseError, ValueError):
        return " ".join(value.split())
    told = "".join(_decoded_part(part, charset) for part, charset in parts)
    return " ".join(told.split())


def _decoded_part(part: bytes | str, charset: str | None) -> str:
    if isinstance(part, str):
        return part
    try:
        return part.decode(charset or "utf-8")
    except (LookupError, UnicodeDecodeError):
        return part.decode("latin-1")
