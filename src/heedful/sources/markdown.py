"""Notes: a folder of Markdown files, as Obsidian and its like keep them, or one such file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from functools import partial
from itertools import chain
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.ids import content_id
from heedful.reading.languages import guess
from heedful.reading.zones import Zone, ZoneKind
from heedful.sources.batching import Step, in_batches
from heedful.sources.charsets import decode
from heedful.sources.files import (
    FileGoneError,
    Listing,
    changed_on_disk,
    first_bytes,
    listed,
    read_file,
    relative_name,
    stamp_of,
)
from heedful.sources.holdings import Stocktaking
from heedful.sources.items import Begun, Extent, Incoming, Person, Rejected
from heedful.sources.kinds import Batch
from heedful.sources.moments import can_be_told
from heedful.sources.unreadable import or_rejected, unread_folders

MAX_NOTE_BYTES = 4 * 1024 * 1024
_NAMES = frozenset({".md", ".markdown"})
_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z][\w -]{0,40}?)[ \t]*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_DAY_IN_NAME = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_MARKS = re.compile(r"(?m)^(?:#{1,6} \S|[-*] (?:\[[ xX]\] )?\S|>|```)|\[\[[^\]\n]+\]\]|\*\*\S")
_DATE_FIELDS = ("date", "created", "created at", "created_at", "date created", "updated", "modified")


@dataclass(frozen=True, slots=True)
class Markdown:
    """The kind of source that a folder of notes is."""

    kind: str = "markdown"
    label: str = "Notes (Markdown folder)"
    extent: Extent = "everything"

    def fits(self, path: Path) -> float:
        if path.is_dir():
            files = listed(path, limit=200).files
            notes = sum(file.suffix.lower() in _NAMES for file in files)
            if notes and (path / ".obsidian").is_dir():
                return 0.96
            return 0.8 * notes / len(files) if files else 0.0
        if path.suffix.lower() in _NAMES and path.is_file():
            return 0.9
        head = first_bytes(path, 4096).decode("utf-8", "replace")
        return 0.3 if path.suffix.lower() == ".txt" and _MARKS.search(head) else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        listing = listed(path) if path.is_dir() else Listing([path], [])
        files = [file for file in listing.files if file == path or file.suffix.lower() in _NAMES]
        stock = Stocktaking(cursor, name=path.name)
        yield from in_batches(
            chain(unread_folders(listing.unread, path, stock), _steps(path, files, stock, zone=clock.zone)),
            since=cursor,
            cursor=stock.cursor,
            total=len(files),
            finish=stock.finish,
        )


def read_note(
    raw: bytes, name: str, *, folder: str, changed_at: datetime | None, zone: tzinfo
) -> Incoming | Rejected:
    """A note by its content and its path within its folder; times without an offset are in `zone`."""
    if raw[:4000].count(0) > 2:
        return Rejected(name, "It is no text.")
    whole = decode(raw, "utf-8").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    fields, text = _split_front_matter(whole)
    text = text.strip("\n")
    written_at = _dated(fields, name, zone) or (changed_at.astimezone(zone) if changed_at else None)
    if written_at is None:
        return Rejected(name, "Nothing says when it was written.")
    title = fields.get("title") or _first_heading(text) or _title_from_name(name)
    return Incoming(
        kind="note",
        channel="note",
        external_id=name,
        identity=f"note:{folder}/{name}",
        thread_key=name,
        thread_title=title,
        author=Person(fields.get("author", "")),
        sent_at=written_at,
        subject=title,
        text=text,
        zones=(Zone(ZoneKind.NEW, 0, len(text)),) if text else (),
        lang=guess(text),
        from_me=True,
    )


def _steps(path: Path, files: list[Path], stock: Stocktaking, *, zone: tzinfo) -> Iterator[Step]:
    # Where the note lies is what it is: two folders called «notes» may both hold a «todo.md».
    folder = (path if path.is_dir() else path.parent).absolute().as_posix()
    for done, file in enumerate(files, start=1):
        name = relative_name(file, path)
        before = stock.stamp(name) or ""
        try:
            touched, changed_at = stamp_of(file), changed_on_disk(file)
            if before.startswith(touched + " ") and stock.knows(name, before):
                continue
            raw = read_file(file, MAX_NOTE_BYTES)
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
        except RejectedError as exc:
            stock.take(name, f"{touched} -", "")
            yield Rejected(name, exc.sentence()), done
            continue
        stamp = f"{touched} {content_id(raw.decode('latin-1'))}"
        if before.partition(" ")[2] == stamp.partition(" ")[2]:
            stock.keep(name, stamp)
            continue
        read = partial(read_note, raw, name, folder=folder, changed_at=changed_at, zone=zone)
        found = or_rejected(name, read)
        stock.take(name, stamp, found.external_id if isinstance(found, Incoming) else "")
        yield Begun(name), done
        yield found, done


def _split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """The plain fields of a note's front matter, by lower-case name, and the text below it."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(match[1])}
    return fields, text[match.end() :]


def _first_heading(text: str) -> str:
    found = _HEADING.search(text[:4000])
    return found[1].strip() if found else ""


def _title_from_name(name: str) -> str:
    return Path(name).stem.replace("_", " ")


def _dated(fields: dict[str, str], name: str, zone: tzinfo) -> datetime | None:
    """What the note says about its own time: a field of its front matter, or the day in a daily note's name."""
    for key in _DATE_FIELDS:
        if value := fields.get(key):
            try:
                moment = datetime.fromisoformat(value)
            except ValueError:
                continue
            if can_be_told(moment):
                return moment if moment.tzinfo else moment.replace(tzinfo=zone)
    found = _DAY_IN_NAME.search(Path(name).stem)
    if found is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    return datetime.combine(day, time(), zone) if can_be_told(day) else None


SOURCE = Markdown()
