"""The generic import format, `*.messages.jsonl`: one message a line, for whatever has no source of its own.

A line of an export says by `identity` which message it is, so that what is remembered already is not taken in twice.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast, get_args

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.core.ids import content_id
from heedful.reading.languages import guess
from heedful.reading.names import normalise_address
from heedful.reading.zones import Zone, ZoneKind, zones
from heedful.sources.appending import Mark, mark_at, mark_of, still_holds
from heedful.sources.batching import Step, in_batches
from heedful.sources.files import first_bytes, opened, translated
from heedful.sources.items import Begun, Channel, Extent, Incoming, Person, Rejected, Traits
from heedful.sources.kinds import Batch
from heedful.sources.mail_traits import is_machine_address
from heedful.sources.moments import can_be_told
from heedful.sources.subjects import bare_subject, is_marked_reply
from heedful.sources.unreadable import or_rejected

MAX_LINE_BYTES = 4 * 1024 * 1024

_FIELDS: Mapping[str, tuple[type, ...]] = {
    "id": (str, int),
    "identity": (str, type(None)),
    "thread": (str, int, type(None)),
    "thread_title": (str, type(None)),
    "author": (dict, type(None)),
    "to": (list, type(None)),
    "cc": (list, type(None)),
    "sent_at": (str,),
    "subject": (str, type(None)),
    "text": (str,),
    "reply_to": (str, int, type(None)),
    "from_me": (bool, type(None)),
    "channel": (str,),
    "traits": (dict, type(None)),
}
_REQUIRED = ("id", "sent_at", "text")
_TRAITS: Mapping[str, type] = {
    "list_id": str,
    "bulk": bool,
    "automatic": bool,
    "delivered_to": str,
    "sent_folder": bool,
    "invitation": str,
    "attachments": list,
}
_PERSON_FIELDS = frozenset({"name", "address"})
_CHANNELS = frozenset(get_args(Channel))


@dataclass(frozen=True, slots=True)
class MessagesJsonl:
    """The kind of source that a file of the generic format is."""

    kind: str = "messages_jsonl"
    label: str = "Messages (.messages.jsonl)"
    extent: Extent = "newest"

    def fits(self, path: Path) -> float:
        line = first_bytes(path, 256 * 1024).removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
        if path.name.lower().endswith(".messages.jsonl") and (line.startswith(b"{") or not line):
            return 1.0
        try:
            record = json.loads(line)
        except ValueError:
            return 0.0
        return 0.9 if isinstance(record, dict) and all(name in record for name in _REQUIRED) else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        del clock  # every time in this format carries its own offset
        with opened(path) as stream, translated(path):
            total = os.fstat(stream.fileno()).st_size
            reading = _Reading(stream, _mark_of_cursor(cursor))
            yield from in_batches(_steps(reading), since=cursor, cursor=reading.cursor, total=total)


def read_line(line: bytes, *, number: int) -> Incoming | Rejected:
    """The message on one line, or why it is refused."""
    try:
        return _incoming(_checked(json.loads(line)))
    except _RefusedError as exc:
        return Rejected(f"line {number}", exc.title)
    except UnicodeDecodeError:
        return Rejected(f"line {number}", "It is not UTF-8 text.")
    except (ValueError, RecursionError):
        return Rejected(f"line {number}", "It is not valid JSON.")


class _RefusedError(RejectedError):
    """A line that breaks the format; the title says how."""


@dataclass(slots=True)
class _Reading:
    """How far the file was read."""

    stream: BinaryIO
    mark: Mark
    last: int = 0
    end: int = 0

    def cursor(self) -> str:
        """Of the very file that is read: another may have taken its name since."""
        if self.end:
            self.mark = mark_at(self.stream, self.last, self.end)
        return json.dumps({"jsonl": self.mark.to_row()}, separators=(",", ":")) if self.mark.end else ""


def _steps(reading: _Reading) -> Iterator[Step]:
    stream = reading.stream
    start = _where_to_start(stream, reading.mark)
    if not start:
        yield Begun("", is_rewritten=reading.mark.end > 0), 0
    stream.seek(0)
    ids: set[str] = set()
    offset = number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        is_long = len(line) > MAX_LINE_BYTES
        first, offset = offset, offset + len(line) + (_skip_line(stream) if is_long else 0)
        if not line.strip():
            continue
        if first < start:
            ids.add(_id_of(line))
            continue
        reading.last, reading.end = first, offset
        found = (
            Rejected(f"line {number}", "It is longer than 4 MB.")
            if is_long
            else or_rejected(
                f"line {number}", partial(read_line, line.removeprefix(b"\xef\xbb\xbf"), number=number)
            )
        )
        if isinstance(found, Incoming):
            if found.external_id in ids:
                found = Rejected(f"line {number}", "Its id stands on an earlier line of this file too.")
            else:
                ids.add(found.external_id)
        yield found, offset


def _where_to_start(stream: BinaryIO, mark: Mark) -> int:
    """After the mark; at its last line when that went on growing; at the beginning of a rewritten file."""
    if not mark.end or not still_holds(stream, mark):
        return 0
    stream.seek(mark.end - 1)
    before = stream.read(2)
    return mark.end if before[:1] == b"\n" or len(before) < 2 or before[1:] in b"\r\n" else mark.last


def _skip_line(stream: BinaryIO) -> int:
    """Reads on to the end of a line that is too long; the number of bytes passed."""
    passed = 0
    while rest := stream.readline(1 << 20):
        passed += len(rest)
        if rest.endswith(b"\n"):
            break
    return passed


def _id_of(line: bytes) -> str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return str(record.get("id", "")) if isinstance(record, dict) else ""


def _checked(record: Any) -> dict[str, Any]:  # noqa: ANN401 (JSON)
    if not isinstance(record, dict):
        raise _RefusedError("It is no JSON object.")
    if unknown := sorted(set(record) - set(_FIELDS)):
        raise _RefusedError(f"It has an unknown field: {', '.join(unknown)[:200]}.")
    for name in _REQUIRED:
        if record.get(name) in (None, "") and name != "text":
            raise _RefusedError(f"It has no {name}.")
        if name not in record:
            raise _RefusedError(f"It has no {name}.")
    for name, value in record.items():
        allowed = _FIELDS[name]
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            raise _RefusedError(f"Its field {name} is of the wrong type.")
    return record


def _incoming(record: dict[str, Any]) -> Incoming:
    channel = record.get("channel", "chat")
    author = _person(record.get("author") or {}, "author")
    to = tuple(_person(person, "to") for person in record.get("to") or ())
    sent_at = _moment(record["sent_at"])
    subject, text = record.get("subject") or "", record["text"]
    external_id = str(record["id"])
    reply_to = None if record.get("reply_to") is None else str(record["reply_to"])
    thread = reply_to or external_id if record.get("thread") is None else str(record["thread"])
    is_reply = reply_to is not None or is_marked_reply(subject)
    return Incoming(
        kind="note" if channel == "note" else "message",
        channel=cast(Channel, channel) if channel in _CHANNELS else "chat",
        external_id=external_id,
        identity=record.get("identity")
        or "jsonl:"
        + content_id(external_id, channel, thread, author.name, author.address, sent_at.isoformat(), text),
        thread_key=thread,
        thread_title=record.get("thread_title") or bare_subject(subject),
        author=author,
        sent_at=sent_at,
        subject=subject,
        text=text,
        zones=_zones(text, channel, is_reply=is_reply),
        lang=guess(f"{subject}\n{text}"),
        to=to,
        cc=tuple(_person(person, "cc") for person in record.get("cc") or ()),
        reply_to=reply_to,
        from_me=record.get("from_me"),
        traits=_traits(
            record.get("traits"), is_machine=channel == "email" and is_machine_address(author.address)
        ),
    )


def _traits(record: Any, *, is_machine: bool) -> Traits:  # noqa: ANN401 (JSON)
    """What the line says of the envelope; where it says nothing, only who wrote it tells."""
    if record is None:
        return Traits(automatic=is_machine)
    for name, value in record.items():
        if not isinstance(value, _TRAITS.get(name, ())):
            raise _RefusedError(f"Its field traits has no {name[:200]}, or one of another type.")
    attachments = tuple(record.get("attachments", ()))
    if not all(isinstance(name, str) for name in attachments):
        raise _RefusedError("Its field traits names an attachment by no text.")
    return Traits(**{**record, "attachments": attachments})


def _zones(text: str, channel: str, *, is_reply: bool) -> tuple[Zone, ...]:
    if channel == "email":
        return zones(text, is_reply=is_reply)
    return (Zone(ZoneKind.NEW, 0, len(text)),) if text else ()


def _person(record: Any, field: str) -> Person:  # noqa: ANN401 (JSON)
    if not isinstance(record, dict) or set(record) - _PERSON_FIELDS:
        raise _RefusedError(f"Its field {field} names a person by more than name and address.")
    name, address = record.get("name") or "", record.get("address") or ""
    if not isinstance(name, str) or not isinstance(address, str):
        raise _RefusedError(f"Its field {field} is of the wrong type.")
    return Person(name, normalise_address(address))


def _moment(value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise _RefusedError("Its sent_at is no time that Heedful can read.") from None
    if moment.tzinfo is None:
        raise _RefusedError("Its sent_at has no offset from UTC.")
    if not can_be_told(moment):
        raise _RefusedError("Its sent_at lies too near the calendar's ends.")
    return moment


def _mark_of_cursor(cursor: str) -> Mark:
    try:
        kept = json.loads(cursor) if cursor else {}
    except ValueError:
        return Mark()
    return mark_of(kept.get("jsonl")) if isinstance(kept, dict) else Mark()


SOURCE = MessagesJsonl()
