"""Telegram Desktop's JSON export: one chat, or everything in one `result.json`."""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError
from heedful.reading.languages import guess
from heedful.reading.zones import Zone, ZoneKind
from heedful.sources.batching import Left, Step, in_batches
from heedful.sources.files import first_bytes, opened, stamp_of_open, translated
from heedful.sources.items import Begun, Extent, Incoming, Person, Rejected, Traits
from heedful.sources.json_stream import JsonDamageError, JsonStream
from heedful.sources.kinds import Batch
from heedful.sources.moments import can_be_told
from heedful.sources.unreadable import or_rejected

_HEAD = 64 * 1024
_LOOK_AHEAD = 200
_CHAT_TYPE = re.compile(
    r'"type"\s*:\s*"(?:personal_chat|bot_chat|private_group|private_supergroup|public_supergroup|'
    r'private_channel|public_channel|saved_messages)"'
)
_CHANNELS = frozenset({"private_channel", "public_channel"})
_SAME_NUMBERS_FOR_ALL = _CHANNELS | {"private_supergroup", "public_supergroup"}
"""Chats whose messages bear one number for whoever reads them; in all others each account numbers its own.

Source: Telegram's API documentation, «Messages», on identifiers of messages.
"""

_ONE_TO_ONE = frozenset({"personal_chat", "bot_chat"})
_HEAD_FIELDS: dict[str, tuple[type, ...]] = {"id": (int, str), "name": (str,), "type": (str,)}
_MEDIA_KEYS = ("file_name", "file", "photo")


@dataclass(frozen=True, slots=True)
class Chat:
    """What an export says about a chat. `owner` is whose export it is, as messages name their author, or empty."""

    id: str
    name: str
    type: str
    owner: str = ""
    peer_writes: bool = False

    @property
    def is_own(self) -> bool:
        return self.type == "saved_messages"

    def is_peer(self, message: dict[str, Any]) -> bool:
        """True when the other person of a chat for two wrote it."""
        return message.get("from_id") == f"user{self.id}" or (
            bool(self.name) and message.get("from") == self.name
        )


@dataclass(frozen=True, slots=True)
class Telegram:
    """The kind of source that a Telegram export is."""

    kind: str = "telegram"
    label: str = "Telegram export (result.json)"
    extent: Extent = "newest of a thread"

    def fits(self, path: Path) -> float:
        head = first_bytes(_export_file(path), _HEAD)
        if not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
            return 0.0
        text = head.decode("utf-8", "replace")
        if _CHAT_TYPE.search(text) and ('"messages"' in text or '"chats"' in text):
            return 0.98
        return 0.8 if '"personal_information"' in text else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        file = _export_file(path)
        with opened(file) as stream, translated(file):
            progress = _Progress.since(cursor, _version_of(stream))
            if progress.is_complete:
                return
            if self.fits(path) == 0:
                raise RejectedError(
                    f"{path.name} is no Telegram export", "It holds no chats as Telegram Desktop writes them."
                )
            yield from in_batches(
                _steps(stream, progress, zone=clock.zone, heads=_heads_if_needed(file)),
                since=cursor,
                cursor=progress.cursor,
                total=None,
                finish=progress.finish,
            )


def read_message(message: Any, chat: Chat, *, zone: tzinfo) -> Incoming | Rejected | None:  # noqa: ANN401 (JSON)
    """A message of an export; None for service notes such as «joined the group»."""
    if not isinstance(message, dict):
        return Rejected(f"{chat.name}", "Something in this chat is no message.")
    if message.get("type", "message") != "message":
        return None
    place = f"{chat.name or chat.id}, message {message.get('id')}"
    sent_at = _sent_at(message, zone)
    if not isinstance(message.get("id"), int) or sent_at is None:
        return Rejected(place, "It has no number or no time.")
    text = _text_of(message)
    kind = ZoneKind.FORWARDED if message.get("forwarded_from") else ZoneKind.NEW
    reply_to = message.get("reply_to_message_id")
    external_id = f"{chat.id}:{message['id']}"
    return Incoming(
        kind="message",
        channel="telegram",
        external_id=external_id,
        identity=_identity(message, chat),
        thread_key=f"tg:{chat.id}",
        thread_title=chat.name or ("Saved messages" if chat.is_own else ""),
        author=Person(str(message.get("from") or ""), str(message.get("from_id") or "").lower()),
        sent_at=sent_at,
        subject="",
        text=text,
        zones=(Zone(kind, 0, len(text)),) if text else (),
        lang=guess(text),
        reply_to=f"{chat.id}:{reply_to}" if isinstance(reply_to, int) else None,
        from_me=_from_me(message, chat),
        traits=Traits(bulk=chat.type in _CHANNELS, attachments=_attachments(message)),
    )


def _identity(message: dict[str, Any], chat: Chat) -> str:
    """The same for a message in every export that holds it, and another for one of another account's.

    Two accounts that write with one person number their messages alike; they were sent at other moments.
    """
    name = f"tg:{chat.id}:{message['id']}"
    if chat.type in _SAME_NUMBERS_FOR_ALL:
        return name
    return f"{name}@{message.get('date_unixtime') or message.get('date')}"


@dataclass(slots=True)
class _Progress:
    """How many messages of which version of the file were passed; `is_another` when one before it was read."""

    version: str
    skip: int = 0
    passed: int = 0
    is_complete: bool = False
    is_another: bool = False

    @classmethod
    def since(cls, cursor: str, version: str) -> "_Progress":
        """Where the cursor stands in this version of the file; at its beginning for another version."""
        try:
            kept = json.loads(cursor) if cursor else {}
        except ValueError:
            kept = {}
        if not isinstance(kept, dict) or kept.get("version") != version:
            return cls(version, is_another=bool(kept))
        return cls(version, int(kept.get("passed", 0)), 0, bool(kept.get("complete")))

    def cursor(self) -> str:
        return json.dumps({"version": self.version, "passed": self.passed, "complete": self.is_complete})

    def finish(self) -> Left:
        self.is_complete = True
        return Left()


@dataclass(slots=True)
class _Heads:
    """What is known of chats whose name or id follows their messages, in the order of the chats."""

    found: list[dict[str, Any]] = field(default_factory=list)
    next: int = 0


def _steps(stream: BinaryIO, progress: _Progress, *, zone: tzinfo, heads: _Heads) -> Iterator[Step]:
    if not progress.skip:
        yield Begun("", is_rewritten=progress.is_another), 0
    try:
        for chat, message in _walk(JsonStream(stream), heads):
            progress.passed += 1
            if progress.passed > progress.skip:
                read = partial(read_message, message, chat, zone=zone)
                yield or_rejected(f"after message {progress.passed - 1}", read), progress.passed
    except JsonDamageError as exc:
        yield Rejected(f"after message {progress.passed}", exc.sentence()), progress.passed


def _walk(stream: JsonStream, heads: _Heads) -> Iterator[tuple[Chat, Any]]:
    """Every message with its chat, in the export's order."""
    head: dict[str, Any] = {}
    for key in stream.members():
        if key == "messages" and stream.peek() == "[":
            yield from _messages(stream, head, heads)
        elif key in {"chats", "left_chats"} and stream.peek() == "{":
            for inner in stream.members():
                if inner == "list" and stream.peek() == "[":
                    yield from _chats(stream, head, heads)
                else:
                    stream.value()
        elif key in {"chats", "left_chats"} and stream.peek() == "[":
            yield from _chats(stream, head, heads)
        else:
            _note(head, key, stream.value())


def _chats(stream: JsonStream, export: dict[str, Any], heads: _Heads) -> Iterator[tuple[Chat, Any]]:
    for _ in stream.elements():
        head = {"owner": export.get("owner", "")}
        for key in stream.members():
            if key == "messages" and stream.peek() == "[":
                yield from _messages(stream, head, heads)
            else:
                _note(head, key, stream.value())


def _messages(stream: JsonStream, head: dict[str, Any], heads: _Heads) -> Iterator[tuple[Chat, Any]]:
    if heads.next < len(heads.found):
        head = {**heads.found[heads.next], **head}
    heads.next += 1
    chat = Chat(
        str(head.get("id", "")), head.get("name") or "", head.get("type") or "", head.get("owner", "")
    )
    messages = (stream.value() for _ in stream.elements())
    if chat.type in _ONE_TO_ONE:
        first = list(islice(messages, _LOOK_AHEAD))
        peer_writes = any(isinstance(message, dict) and chat.is_peer(message) for message in first)
        chat = Chat(chat.id, chat.name, chat.type, chat.owner, peer_writes)
        yield from ((chat, message) for message in first)
    yield from ((chat, message) for message in messages)


def _note(head: dict[str, Any], key: str, value: Any) -> None:  # noqa: ANN401 (JSON)
    if key == "personal_information" and isinstance(value, dict) and "user_id" in value:
        head["owner"] = f"user{value['user_id']}"
    elif isinstance(value, _HEAD_FIELDS.get(key, ())):
        head[key] = value


def _heads_if_needed(file: Path) -> _Heads:
    """Read ahead for an export whose keys another program put in order, so that messages come before names."""
    text = first_bytes(file, _HEAD).decode("utf-8", "replace")
    before, found, _ = text.partition('"messages"')
    if not found or ('"name"' in before and '"id"' in before):
        return _Heads()
    heads: list[dict[str, Any]] = []
    with opened(file) as stream:
        try:
            _collect_heads(JsonStream(stream), heads)
        except JsonDamageError:
            return _Heads(heads)
    return _Heads(heads)


def _collect_heads(stream: JsonStream, heads: list[dict[str, Any]]) -> None:
    head: dict[str, Any] = {}
    for key in stream.members():
        if key in {"chats", "left_chats"} and stream.peek() in {"{", "["}:
            _collect_from_list(stream, heads)
        elif key == "messages":
            heads.append(head)
            _skip_messages(stream)
        else:
            _note(head, key, stream.value())


def _collect_from_list(stream: JsonStream, heads: list[dict[str, Any]]) -> None:
    if stream.peek() == "[":
        for _ in stream.elements():
            _collect_heads(stream, heads)
        return
    for key in stream.members():
        if key == "list" and stream.peek() == "[":
            _collect_from_list(stream, heads)
        else:
            stream.value()


def _skip_messages(stream: JsonStream) -> None:
    if stream.peek() != "[":
        stream.value()
        return
    for _ in stream.elements():
        stream.value()


def _text_of(message: dict[str, Any]) -> str:
    """The text without its formatting; a poll's question and answers; a sticker's emoji."""
    entities = message.get("text_entities")
    text = _joined(entities) if isinstance(entities, list) and entities else _joined(message.get("text"))
    if text.strip():
        return text
    poll = message.get("poll")
    if isinstance(poll, dict):
        stated = poll.get("answers")
        answers = stated if isinstance(stated, list) else []
        offered = [f"- {answer.get('text', '')}" for answer in answers if isinstance(answer, dict)]
        return "\n".join([str(poll.get("question", "")), *offered]).strip()
    emoji = message.get("sticker_emoji")
    return emoji if isinstance(emoji, str) else ""


def _joined(text: Any) -> str:  # noqa: ANN401 (a string, or strings and entities mixed)
    if isinstance(text, str):
        return text
    if not isinstance(text, list):
        return ""
    pieces = (
        piece if isinstance(piece, str) else piece.get("text", "")
        for piece in text
        if isinstance(piece, str | dict)
    )
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _sent_at(message: dict[str, Any], zone: tzinfo) -> datetime | None:
    """The moment, with the offset of the computer that exported where both of its clocks are given."""
    local = _local(message.get("date"))
    try:
        moment = datetime.fromtimestamp(int(message["date_unixtime"]), UTC)
    except (KeyError, TypeError, ValueError, OverflowError, OSError):
        return local.replace(tzinfo=zone) if local else None
    if not can_be_told(moment):
        return None
    if local is None:
        return moment
    offset = local.replace(tzinfo=UTC) - moment
    if abs(offset) > timedelta(hours=14) or offset % timedelta(minutes=15):
        return moment
    return moment.astimezone(timezone(offset))


def _local(value: Any) -> datetime | None:  # noqa: ANN401 (JSON)
    try:
        moment = datetime.fromisoformat(value).replace(tzinfo=None)
    except (TypeError, ValueError):
        return None
    return moment if can_be_told(moment) else None


def _from_me(message: dict[str, Any], chat: Chat) -> bool | None:
    if chat.owner:
        return message.get("from_id") == chat.owner
    if chat.is_own:
        return not message.get("forwarded_from")
    if chat.type in _ONE_TO_ONE and chat.peer_writes:
        return not chat.is_peer(message)
    return None


def _attachments(message: dict[str, Any]) -> tuple[str, ...]:
    for key in _MEDIA_KEYS:
        value = message.get(key)
        if isinstance(value, str) and value and not value.startswith("("):
            return (value.rpartition("/")[2],)
    media = message.get("media_type")
    return (str(media),) if media else ()


def _export_file(path: Path) -> Path:
    return path / "result.json" if path.is_dir() else path


def _version_of(stream: BinaryIO) -> str:
    head = stream.read(4096)
    stream.seek(0)
    return f"{stamp_of_open(stream)}.{hashlib.blake2b(head, digest_size=8).hexdigest()}"


SOURCE = Telegram()
