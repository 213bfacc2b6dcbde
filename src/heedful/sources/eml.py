"""Mail in files of its own: one `.eml`, Apple's `.emlx`, or a folder full of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import chain
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError, UserCanFixError
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
    stamp_of,
    translated,
)
from heedful.sources.holdings import Stocktaking
from heedful.sources.items import Begun, Extent, Incoming, Rejected
from heedful.sources.kinds import Batch
from heedful.sources.mail_folders import FolderRole, role_of
from heedful.sources.mail_message import MAX_MAIL_BYTES, Surroundings, looks_like_mail, read_mail
from heedful.sources.unreadable import unread_folders

_HEAD = 4096
_COUNT_BYTES = 20
_MAIL_NAMES = frozenset({".eml", ".emlx", ".msg"})
_OTHER_NAMES = frozenset(
    {".md", ".ics", ".json", ".jsonl", ".xml", ".html", ".msf", ".db", ".sqlite", ".zip", ".pdf"}
)


@dataclass(frozen=True, slots=True)
class Eml:
    """The kind of source that mail in single files is."""

    kind: str = "eml"
    label: str = "Mail files (.eml)"
    extent: Extent = "everything"

    def fits(self, path: Path) -> float:
        if path.is_dir():
            files = listed(path, limit=200).files[:60]
            mails = sum(is_mail(file) for file in files)
            return 0.85 * mails / len(files) if files and not (path / "cur").is_dir() else 0.0
        if not is_mail(path):
            return 0.0
        is_one_of_many = first_bytes(path, 5) == b"From " and path.suffix.lower() not in _MAIL_NAMES
        return 0.5 if is_one_of_many else 0.97

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        files, unread = _mail_files(path)
        stock = Stocktaking(cursor, name=path.name)
        yield from in_batches(
            chain(unread_folders(unread, path, stock), _steps(path, files, stock, zone=clock.zone)),
            since=cursor,
            cursor=stock.cursor,
            total=len(files),
            finish=stock.finish,
        )


def read_mail_file(
    file: Path, *, place: str, zone: tzinfo, in_sent_folder: bool = False
) -> Incoming | Rejected:
    """The mail that a file holds, or why it can't be used.

    Raises:
        UserCanFixError: The file can't be read.
    """
    with opened(file) as stream, translated(file):
        raw = stream.read(MAX_MAIL_BYTES + 1)
    if not raw.strip():
        return Rejected(place, "The file is empty.")
    around = Surroundings(
        place=place, arrived_at=changed_on_disk(file), zone=zone, in_sent_folder=in_sent_folder
    )
    return read_mail(_without_count(raw, file), around)


def _mail_files(path: Path) -> Listing:
    if not path.is_dir():
        if first_bytes(path, _HEAD)[:2] in {b"{\n", b"{\r"}:
            raise RejectedError(f"{path.name} is no mail", "It has none of the headers of a mail.")
        return Listing([path], [])
    files, unread = listed(path, enters=lambda name: role_of(name) is not FolderRole.LEFT_OUT)
    return Listing(
        [file for file in files if file.suffix.lower() in _MAIL_NAMES or _may_be_mail(file)], unread
    )


def _steps(path: Path, files: list[Path], stock: Stocktaking, *, zone: tzinfo) -> Iterator[Step]:
    for done, file in enumerate(files, start=1):
        name = relative_name(file, path)
        is_sent = role_of(file.parent.name) is FolderRole.SENT
        try:
            stamp = stamp_of(file)
            if stock.knows(name, stamp):
                continue
            found = read_mail_file(file, place=name, zone=zone, in_sent_folder=is_sent)
        except FileGoneError:
            if file == path:
                raise
            stock.leave(name)
            continue
        except UserCanFixError as exc:
            if file == path:
                raise
            stock.refuse(name)
            yield Rejected(name, exc.sentence(), is_refused=True), done
            continue
        stock.take(name, stamp, found.external_id if isinstance(found, Incoming) else "")
        yield Begun(name), done
        yield found, done


def _may_be_mail(file: Path) -> bool:
    return is_mail(file) or (file.suffix.lower() not in _OTHER_NAMES and is_unreadable(file))


def is_mail(file: Path) -> bool:
    """Whether a file begins as a mail does."""
    name = file.suffix.lower()
    if name in _OTHER_NAMES:
        return False
    head = _without_count(first_bytes(file, _HEAD), file)
    return looks_like_mail(head, least=1 if name in _MAIL_NAMES else 2)


def _without_count(raw: bytes, file: Path) -> bytes:
    """Apple Mail's files begin with the length of the mail and end with a list of its own properties."""
    if file.suffix.lower() != ".emlx":
        return raw
    count, _, rest = raw.partition(b"\n")
    return rest[: int(count)] if count.strip().isdigit() and len(count) <= _COUNT_BYTES else raw


SOURCE = Eml()
