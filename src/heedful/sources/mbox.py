"""Mail in mbox files: one file, or a folder of them as Thunderbird, Apple Mail and Google Takeout leave them."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import BinaryIO

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.sources.appending import Mark, mark_at, mark_of, still_holds
from heedful.sources.batching import Step, in_batches
from heedful.sources.files import (
    FileGoneError,
    Listing,
    changed_on_disk,
    first_bytes,
    is_unreadable,
    listed,
    opened,
    relative_name,
    translated,
)
from heedful.sources.items import Begun, Extent, Incoming, Rejected, folder_place
from heedful.sources.kinds import Batch
from heedful.sources.mail_folders import FolderRole, role_of
from heedful.sources.mail_headers import parse_date, split_headers
from heedful.sources.mail_message import Surroundings, read_mail
from heedful.sources.mbox_splitting import MboxMessage, split_mbox, starts_with_separator, unquoted

_HEAD = 8192
_NOT_MBOX = frozenset(
    {".msf", ".eml", ".emlx", ".json", ".jsonl", ".dat", ".html", ".md", ".ics", ".sqlite", ".db"}
)
_EXPUNGED = re.compile(rb"(?mi)^x-mozilla-status:[ \t]*([0-9a-f]{4})")
_EXPUNGED_FLAG = 0x0008


@dataclass(slots=True)
class _Progress:
    """How far each file was read, by its name within the source; `refused` files and folders can't be read."""

    marks: dict[str, Mark]
    refused: list[str]
    _taken: tuple[str, BinaryIO, int, int] | None = None

    def forget_all_but(self, names: Iterable[str], *, below: tuple[str, ...]) -> list[str]:
        """Drops the marks of files that are no longer there, and returns their names.

        Nobody can look where names begin as one of `below`: what was read of the files there stands.
        """
        gone = sorted(name for name in self.marks.keys() - set(names) if not name.startswith(below))
        for name in gone:
            del self.marks[name]
        return gone

    def cursor(self) -> str:
        """The cursor that speaks of all messages taken so far."""
        self.settle()
        rows = {name: mark.to_row() for name, mark in sorted(self.marks.items()) if mark.end}
        kept: dict[str, object] = {"mbox": rows} if rows else {}
        if self.refused:
            kept["refused"] = self.refused
        return json.dumps(kept, separators=(",", ":")) if kept else ""

    def take(self, name: str, stream: BinaryIO, last: int, end: int) -> None:
        """Notes that a file was read up to `end`, and from where its last message begins."""
        self._taken = name, stream, last, end

    def settle(self) -> None:
        """Sets the mark of the file that is being read, on what was read: another may have taken its name since."""
        if self._taken is not None:
            name, stream, last, end = self._taken
            self.marks[name] = mark_at(stream, last, end)
            self._taken = None

    def begun_anew(self) -> list[str]:
        """The files and folders that could not be read last time; those that still can't are noted again."""
        before, self.refused = self.refused, []
        return before

    def refuse(self, name: str) -> None:
        """Notes what can't be read: once a file can, it is read from its beginning."""
        self.marks.pop(name, None)
        self.refused.append(name)
        self._taken = None


@dataclass(frozen=True, slots=True)
class Mbox:
    """The kind of source that an mbox is."""

    kind: str = "mbox"
    label: str = "Mailbox file (mbox)"
    extent: Extent = "everything"

    def fits(self, path: Path) -> float:
        if not path.is_dir():
            return 0.95 if starts_with_separator(first_bytes(path, _HEAD)) else 0.0
        if (path / "cur").is_dir():
            return 0.0
        files = listed(path, limit=200).files
        boxes = sum(_is_mbox(file) for file in files[:60])
        others = sum(file.suffix.lower() in {".eml", ".emlx", ".md"} for file in files)
        return 0.9 * boxes / (boxes + others) if boxes else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        mailboxes = _mailboxes(path)
        progress = _Progress(*_kept_in(cursor))
        yield from in_batches(
            _steps(path, mailboxes, progress, zone=clock.zone),
            since=cursor,
            cursor=progress.cursor,
            total=sum(map(_size_of, mailboxes.files)),
        )


def read_message(
    found: MboxMessage, *, place: str, file_time: datetime | None, zone: tzinfo, in_sent_folder: bool = False
) -> Incoming | Rejected | None:
    """One message of an mbox; None for blank lines and for mail that was deleted and only waits to be purged."""
    if not found.raw.strip() and not found.separator:
        return None
    block, _ = split_headers(found.raw)
    if found.is_last and block == found.raw:
        return Rejected(place, "It ends within its headers.")
    flags = _EXPUNGED.search(block[:_HEAD])
    if flags and int(flags[1], 16) & _EXPUNGED_FLAG:
        return None
    around = Surroundings(
        place=place,
        arrived_at=_separator_time(found.separator) or file_time,
        zone=zone,
        in_sent_folder=in_sent_folder,
        is_cut=found.is_cut,
    )
    return read_mail(unquoted(found.raw), around)


def _mailboxes(path: Path) -> Listing:
    if path.is_dir():
        files, unread = listed(
            path, enters=lambda name: role_of(name.removesuffix(".sbd")) is not FolderRole.LEFT_OUT
        )
        boxes = [
            file for file in files if _may_be_mbox(file) and role_of(file.name) is not FolderRole.LEFT_OUT
        ]
        return Listing(boxes, unread)
    head = first_bytes(path, _HEAD)
    if head.strip() and b"From " not in head:
        raise RejectedError(
            f"{path.name} is no mailbox file", "No line in it separates one message from the next."
        )
    return Listing([path], [])


def _is_mbox(file: Path) -> bool:
    return file.suffix.lower() not in _NOT_MBOX and starts_with_separator(first_bytes(file, _HEAD))


def _may_be_mbox(file: Path) -> bool:
    return _is_mbox(file) or (file.suffix.lower() not in _NOT_MBOX and is_unreadable(file))


def _begun(path: Path, mailboxes: Listing, progress: _Progress) -> Iterator[Step]:
    """What is no longer as it was: files that are gone, what could not be read before, folders that can't be now."""
    refused = {folder_place(relative_name(one.path, path)): one.reason for one in mailboxes.unread}
    names = (relative_name(file, path) for file in mailboxes.files)
    for name in progress.forget_all_but(names, below=tuple(refused)):
        yield Begun(name, is_rewritten=True), 0
    for name in progress.begun_anew():
        yield Begun(name), 0
    for place, why in refused.items():
        progress.refuse(place)
        yield Rejected(place, why, is_refused=True), 0


def _steps(path: Path, mailboxes: Listing, progress: _Progress, *, zone: tzinfo) -> Iterator[Step]:
    yield from _begun(path, mailboxes, progress)
    passed = 0
    for file in mailboxes.files:
        name = relative_name(file, path)
        try:
            for found, place in _messages_of(file, name, progress, zone=zone):
                yield found, passed + place
        except FileGoneError:
            if file == path:
                raise  # else what was read of it stands, and the next pass tells
        except UserCanFixError as exc:
            if file == path:
                raise
            progress.refuse(name)
            yield Rejected(name, exc.sentence(), is_refused=True), passed
        passed += _size_of(file)


def _messages_of(file: Path, name: str, progress: _Progress, *, zone: tzinfo) -> Iterator[Step]:
    """What is new in one mailbox, and where in it reading then is.

    Raises:
        UserCanFixError: It can't be read, or not to its end.
    """
    is_sent = role_of(_folder_name(file)) is FolderRole.SENT
    file_time = changed_on_disk(file)
    with opened(file) as stream, translated(file):
        mark = progress.marks.get(name, Mark())
        start = _where_to_start(stream, mark)
        if start == 0:
            yield Begun(name, is_rewritten=mark.end > 0), 0
        for found in split_mbox(stream, start) if start is not None else ():
            progress.take(name, stream, found.start, found.end)
            message = read_message(
                found,
                place=f"{name}, byte {found.start}",
                file_time=file_time,
                zone=zone,
                in_sent_folder=is_sent,
            )
            yield message, found.end
        progress.settle()


def _size_of(file: Path) -> int:
    """In bytes; nothing for one that has gone since it was listed, or whose size nobody can tell."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _where_to_start(stream: BinaryIO, mark: Mark) -> int | None:
    """After the mark; at the beginning of a file that was rewritten since; None where nothing follows.

    A last message that went on growing is read again from its own beginning.
    """
    if not mark.end or not still_holds(stream, mark):
        return 0
    stream.seek(mark.end - 1)
    following = stream.read(_HEAD)
    if len(following) <= 1:
        return None
    blank = len(following) - len(following.lstrip(b"\r\n"))
    is_next = blank > 0 and starts_with_separator(following[blank:])
    return mark.end - 1 + blank if is_next else mark.last


def _folder_name(file: Path) -> str:
    """What the mail program calls the folder that a file holds."""
    return file.parent.name if file.name.lower() in {"mbox", "mbx"} else file.name


def _separator_time(separator: bytes) -> datetime | None:
    """When a message arrived, by the line that separates it: «From sender Thu Dec  3 15:00:00 2026»."""
    words = separator.decode("ascii", "replace").split(maxsplit=2)
    return parse_date(words[2]) if len(words) > 2 else None


def _kept_in(cursor: str) -> tuple[dict[str, Mark], list[str]]:
    """What `_Progress.cursor` wrote; nothing for one that is empty or damaged: all is then read again, safely."""
    try:
        kept = json.loads(cursor) if cursor else {}
    except ValueError:
        kept = {}
    rows = kept.get("mbox") if isinstance(kept, dict) else None
    refused = kept.get("refused") if isinstance(kept, dict) else None
    marks = {name: mark_of(row) for name, row in rows.items()} if isinstance(rows, dict) else {}
    return marks, [str(name) for name in refused] if isinstance(refused, list) else []


SOURCE = Mbox()
