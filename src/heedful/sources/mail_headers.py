"""The header block of a mail or of one of its parts, read leniently: whatever stands there, nothing raises."""

import binascii
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from email.message import Message
from email.policy import compat32
from email.utils import parsedate_tz

from heedful.reading.names import normalise_address
from heedful.sources.charsets import decode
from heedful.sources.items import Person

MAX_HEADER_BYTES = 256 * 1024
_MAX_PEOPLE = 200
_MAX_FIELD = 32_000

_FIELD = re.compile(r"^([!-9;-~]{1,100})[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)
_BREAK = re.compile(rb"\r?\n[ \t]*\r?\n")
_ENCODED_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?]{0,30})?\?([bBqQ])\?([^?]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?[^?\s]{1,90}\?[bBqQ]\?)")
_ADDRESS_TOKEN = re.compile(
    r'"((?:[^"\\]|\\.)*)"?|\(((?:[^()\\]|\\.)*)\)?|<([^<>]*)>?|([,;])|([^",;()<>]+)|(.)', re.DOTALL
)
_ADDRESS = re.compile(r"[^\s<>\"',;:]{1,120}@[^\s<>\"',;:]{1,200}")
_MESSAGE_ID = re.compile(r"<([^<>\s]{1,500})>")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


class Headers:
    """The fields of one header block, by name without case; values are unfolded and decoded."""

    def __init__(self, block: bytes) -> None:
        text = decode(block[:MAX_HEADER_BYTES])
        self._fields: dict[str, list[str]] = {}
        for name, value in _FIELD.findall(text):
            self._fields.setdefault(name.lower(), []).append(value)

    def __contains__(self, name: str) -> bool:
        return name in self._fields

    def __len__(self) -> int:
        return len(self._fields)

    def names(self) -> tuple[str, ...]:
        """The names of the fields, in lower case."""
        return tuple(self._fields)

    def raw(self, name: str) -> str:
        """The first field of that name on one line, encoded words not decoded; empty when there is none."""
        values = self._fields.get(name)
        return _unfolded(values[0]) if values else ""

    def all_raw(self, name: str) -> tuple[str, ...]:
        """Every field of that name, from the top."""
        return tuple(_unfolded(value) for value in self._fields.get(name, ()))

    def text(self, name: str) -> str:
        """The first field of that name as a person reads it."""
        return decode_words(self.raw(name))

    def people(self, *names: str) -> tuple[Person, ...]:
        """The correspondents of these fields, each address once."""
        found: dict[tuple[str, str], Person] = {}
        for name in names:
            for value in self.all_raw(name):
                for person in parse_people(value):
                    found.setdefault((person.address, "" if person.address else person.name), person)
        return tuple(found.values())[:_MAX_PEOPLE]

    def parameter(self, field: str, name: str) -> str:
        """A parameter such as the charset of a content type, by RFC 2231 or not; empty when missing or damaged."""
        value = self.raw(field)
        if ";" not in value:
            return ""
        holder = Message(policy=compat32)
        holder[field] = value[:_MAX_FIELD]
        try:
            found = holder.get_param(name, "", header=field)
        except (LookupError, ValueError, TypeError, AttributeError):
            return ""
        if isinstance(found, tuple):
            return decode(found[2].encode("latin-1", "replace"), found[0] or "")
        return str(found).strip()

    def message_ids(self, name: str) -> tuple[str, ...]:
        """The message ids in a field, without brackets, in order."""
        value = self.raw(name)
        found = tuple(_MESSAGE_ID.findall(value))
        bare = value.strip().strip("<>")
        if not found and bare and " " not in bare:
            return (bare,)
        return found

    def date(self) -> datetime | None:
        """The Date field; None when it is missing or makes no sense."""
        return parse_date(self.raw("date"))

    def received(self) -> datetime | None:
        """When the last server took the message, from the topmost Received field."""
        values = self.all_raw("received")
        return parse_date(values[0].rpartition(";")[2]) if values else None


def split_headers(raw: bytes) -> tuple[bytes, int]:
    """The header block and where the body starts; without a blank line everything is header."""
    if raw[:1] == b"\n" or raw[:2] == b"\r\n":
        return b"", 1 if raw[:1] == b"\n" else 2
    found = _BREAK.search(raw)
    return (raw[: found.start() + 1], found.end()) if found else (raw, len(raw))


def decode_words(value: str) -> str:
    """A header value with its encoded words decoded and white space folded; damaged words stay as they are."""
    if "=?" not in value:
        return " ".join(value.split())
    return " ".join("".join(_pieces(_BETWEEN_WORDS.sub(r"\1", value))).split())


def parse_people(value: str) -> tuple[Person, ...]:
    """The correspondents of an address field; names are decoded, addresses lower-case."""
    people: list[Person] = []
    entry: list[tuple[str, str]] = []
    for match in _ADDRESS_TOKEN.finditer(value[:_MAX_FIELD]):
        quoted, comment, angle, separator, bare, _stray = match.groups()
        if separator:
            people.extend(_person(entry))
            entry = []
        elif angle is not None:
            entry.append(("angle", angle))
        elif quoted is not None:
            entry.append(("words", quoted.replace('\\"', '"').replace("\\\\", "\\")))
        elif comment is not None:
            entry.append(("comment", comment))
        elif bare:
            entry.append(("words", bare.rpartition(":")[2] if "mailto:" not in bare else bare))
    people.extend(_person(entry))
    return tuple(people[:_MAX_PEOPLE])


def parse_date(value: str) -> datetime | None:
    """A mail date with its sender's offset, in the formats seen in the wild; None when there is none in it.

    A date without an offset counts as UTC.
    """
    parts = parsedate_tz(value[:200]) if value.strip() else None
    if parts is None:
        return _iso_date(value)
    year, month, day, hour, minute, second = parts[:6]
    offset = parts[9] or 0
    try:
        zone = UTC if offset == 0 else timezone(timedelta(seconds=offset))
        moment = datetime(year, month, day, hour, minute, min(second, 59), tzinfo=zone)
        moment.timestamp()
    except (ValueError, OverflowError, TypeError):
        return None
    return moment if 1971 <= year <= 9000 else None


def decode_base64(raw: bytes) -> bytes:
    """What can be saved of base64 text: strange bytes are skipped, a cut end is completed."""
    clean = _NOT_BASE64.sub(b"", raw)
    spare = len(clean) % 4
    if spare == 1:
        clean, spare = clean[:-1], 0
    return binascii.a2b_base64(clean + b"=" * (-spare % 4 if spare else 0))


def _iso_date(value: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError:
        return None
    if not 1971 <= moment.year <= 9000:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _unfolded(value: str) -> str:
    return value.replace("\r", "").replace("\n", " ").strip()


def _pieces(value: str) -> Iterator[str]:
    """Plain runs and decoded words; neighbours of one charset are joined first, for letters cut in two."""
    position, charset, pending = 0, "", b""
    for match in _ENCODED_WORD.finditer(value):
        between = value[position : match.start()]
        name = match[1].lower()
        if pending and (between or name != charset):
            yield decode(pending, charset)
            pending = b""
        yield between
        charset, position = name, match.end()
        pending += _word_bytes(match[2], match[3])
    yield decode(pending, charset)
    yield value[position:]


def _word_bytes(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "bB":
        return decode_base64(raw)
    return binascii.a2b_qp(raw.replace(b" ", b"_"), header=True)


def _person(entry: list[tuple[str, str]]) -> Iterator[Person]:
    words = " ".join(text for kind, text in entry if kind == "words").strip()
    angles = [text for kind, text in entry if kind == "angle" and text.strip()]
    comments = [text for kind, text in entry if kind == "comment"]
    address = normalise_address(angles[-1]) if angles else ""
    if not address and (found := _ADDRESS.search(words)):
        address = normalise_address(found[0])
        words = (words[: found.start()] + words[found.end() :]).strip()
    name = decode_words(words or (comments[0] if comments else "")).strip("'\" ")
    if address.endswith(".invalid") and "undisclosed" in name.lower() + address:
        return
    if name or address:
        yield Person(name if name.casefold() != address else "", address)
