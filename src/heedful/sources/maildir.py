"""Mail in a Maildir: a file a message, in `cur` and `new`, with subfolders such as `.Sent`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from itertools import chain, islice
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.sources.batching import Step, in_batches
from heedful.sources.eml import is_mail, read_mail_file
from heedful.sources.files import (
    FileGoneError,
    UnreadFolder,
    entries_of,
    entries_or_unread,
    is_bare,
    is_plain,
    listed,
    translated,
)
from heedful.sources.holdings import Stocktaking
from heedful.sources.items import Begun, Extent, Incoming, Rejected
from heedful.sources.kinds import Batch
from heedful.sources.mail_folders import FolderRole, role_of
from heedful.sources.unreadable import unread_folders

_INFO = re.compile(r"[:;!]2,([A-Za-z]*)$")
_UNFINISHED_FLAGS = frozenset("DT")  # drafts, and what waits to be deleted
_PARTS = frozenset({"cur", "new", "tmp"})
_READ = "1"
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class _MaildirFile:
    """A message's file: its name without flags, which stays the same while flags and `new`/`cur` change."""

    name: str
    path: Path
    is_sent: bool


@dataclass(frozen=True, slots=True)
class Maildir:
    """The kind of source that a Maildir is."""

    kind: str = "maildir"
    label: str = "Mail folder (Maildir)"
    extent: Extent = "everything"

    def fits(self, path: Path) -> float:
        if not path.is_dir():
            return 0.0
        if _is_maildir(path):
            return 1.0
        folders = list(islice(_folders(path, []), _LOOKED_AT))
        return _share(path, folders) if folders else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        entries_of(path)
        unread: list[UnreadFolder] = []
        with translated(path):
            folders = list(_folders(path, unread))
            files = [file for folder in folders for file in _messages(path, folder, unread)]
        if not folders and not is_bare(path):
            raise RejectedError(f"{path.name} is no Maildir", "It has no folder “cur”.")
        stock = Stocktaking(cursor, name=path.name)
        yield from in_batches(
            chain(unread_folders(unread, path, stock, holds=_held_in), _steps(files, stock, zone=clock.zone)),
            since=cursor,
            cursor=stock.cursor,
            total=len(files),
            finish=stock.finish,
        )


def _steps(files: list[_MaildirFile], stock: Stocktaking, *, zone: tzinfo) -> Iterator[Step]:
    for done, file in enumerate(files, start=1):
        if stock.knows(file.name, _READ):
            continue
        try:
            found = read_mail_file(file.path, place=file.name, zone=zone, in_sent_folder=file.is_sent)
        except FileGoneError as exc:
            # A mail program may rename it at any moment; the next look finds it under its new name.
            yield Rejected(file.name, exc.sentence()), done
            continue
        except UserCanFixError as exc:
            stock.refuse(file.name)
            yield Rejected(file.name, exc.sentence(), is_refused=True), done
            continue
        stock.take(file.name, _READ, found.external_id if isinstance(found, Incoming) else "")
        yield Begun(file.name), done
        yield found, done


def _share(path: Path, folders: list[Path]) -> float:
    """How much of the mail below a folder lies in its Maildirs: what lies beside them, reading them leaves out."""
    beside = sum(
        is_mail(file) for file in listed(path, limit=_LOOKED_AT, enters=lambda name: name not in _PARTS).files
    )
    if not beside:
        return 1.0
    inside = islice((file for folder in folders for file in _messages(path, folder, [])), _LOOKED_AT)
    met = sum(1 for _ in inside)
    return met / (met + beside)


def _folders(path: Path, unread: list[UnreadFolder], *, depth: int = 0) -> Iterator[Path]:
    """The Maildirs at a path: itself, its subfolders in either layout; those with mail that reached nobody not."""
    inside = entries_or_unread(path, unread)
    if inside is None:
        return
    if _is_maildir(path):
        yield path
    elif depth and path.name.startswith("."):
        return
    for entry in inside:
        is_folder = entry.is_dir(follow_symlinks=False) and entry.name not in _PARTS
        if is_folder and role_of(entry.name) is not FolderRole.LEFT_OUT:
            yield from _folders(Path(entry.path), unread, depth=depth + 1)


def _is_maildir(folder: Path) -> bool:
    """True even for one that was copied without its empty folders."""
    return (folder / "cur").is_dir() or ((folder / "new").is_dir() and (folder / "tmp").is_dir())


def _held_in(place: str) -> str:
    """What the names of the messages begin with that lie in a folder, or in a part of it such as «cur/»."""
    folder, _, part = place.removesuffix("/").rpartition("/")
    return place if part not in _PARTS else f"{folder}/" if folder else ""


def _messages(root: Path, folder: Path, unread: list[UnreadFolder]) -> Iterator[_MaildirFile]:
    within = folder.relative_to(root).as_posix()
    is_sent = role_of(folder.name) is FolderRole.SENT
    seen: set[str] = set()
    for part in ("cur", "new"):
        place = folder / part
        for entry in (entries_or_unread(place, unread) or ()) if place.is_dir() else ():
            info = _INFO.search(entry.name)
            if (
                entry.name.startswith(".")
                or (info and _UNFINISHED_FLAGS & set(info[1]))
                or not is_plain(entry)
            ):
                continue
            bare = entry.name[: info.start()] if info else entry.name
            if bare not in seen:
                seen.add(bare)
                yield _MaildirFile(bare if within == "." else f"{within}/{bare}", Path(entry.path), is_sent)


SOURCE = Maildir()
