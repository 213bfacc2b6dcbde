"""Calendar files: `.ics` and `.vcs`, alone or a folder full of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from itertools import chain
from pathlib import Path

from heedful.core.clock import Clock
from heedful.core.errors import RejectedError, UserCanFixError
from heedful.core.ids import content_id
from heedful.reading.languages import guess
from heedful.reading.zones import Zone, ZoneKind
from heedful.sources.batching import Step, in_batches
from heedful.sources.calendar_events import changed_at, occurrences_of, parse_series
from heedful.sources.calendar_series import Series, is_calendar, split_series
from heedful.sources.calendar_text import attendees_of, organiser_of, render_event, title_of
from heedful.sources.files import FileGoneError, Listing, first_bytes, listed, read_file, relative_name
from heedful.sources.holdings import Stocktaking
from heedful.sources.items import Begun, Extent, Incoming, Occurrence, Rejected
from heedful.sources.kinds import Batch
from heedful.sources.unreadable import or_rejected, unread_folders

LOOK_BACK = timedelta(days=30)
LOOK_AHEAD = timedelta(days=400)
MAX_FILE_BYTES = 200 * 1024 * 1024
_ANYTHING = ""
"""What the names of events begin with, wherever they lie: an event is held by its own id, not by its file."""


def unfold(raw: str, begin: datetime, end: datetime, *, zone: tzinfo) -> tuple[Occurrence, ...]:
    """The occurrences of a kept series between two moments; `zone` is the person's, for floating times.

    At most the first 500. Empty for a series that can't be read any more.
    """
    try:
        return occurrences_of(parse_series(raw, zone=zone), begin, end)
    except RejectedError:
        return ()


def read_event(series: Series, *, now: datetime, zone: tzinfo) -> Incoming | Rejected:
    """A series as an `Incoming` with its occurrences around now, or why it can't be used."""
    try:
        event = parse_series(series.raw, zone=zone)
        occurrences = occurrences_of(event, now - LOOK_BACK, now + LOOK_AHEAD)
    except RejectedError as exc:
        return Rejected(series.place, exc.sentence())
    text = render_event(event, occurrences)
    title = title_of(event.main)
    return Incoming(
        kind="event",
        channel="calendar",
        external_id=series.uid,
        identity=f"ics:{series.uid}",
        thread_key=series.uid,
        thread_title=title,
        author=organiser_of(event.main),
        sent_at=changed_at(event) or now,
        subject=title,
        text=text,
        zones=(Zone(ZoneKind.NEW, 0, len(text)),),
        lang=guess(text),
        to=attendees_of(event.main),
        occurrences=occurrences,
        raw=series.raw,
    )


@dataclass(frozen=True, slots=True)
class Ics:
    """The kind of source that a calendar file is."""

    kind: str = "ics"
    label: str = "Calendar (.ics)"
    extent: Extent = "everything"

    def fits(self, path: Path) -> float:
        if path.is_dir():
            files = [file for file in listed(path, limit=200).files if not file.name.endswith(".md")][:50]
            calendars = sum(is_calendar(first_bytes(file, 64)) for file in files)
            return 0.95 * calendars / len(files) if files else 0.0
        return 1.0 if is_calendar(first_bytes(path, 64)) else 0.0

    def read(self, path: Path, cursor: str, *, clock: Clock) -> Iterator[Batch]:
        files, unread = _calendars(path)
        stock = Stocktaking(cursor, name=path.name)
        yield from in_batches(
            chain(
                unread_folders(unread, path, stock, holds=lambda _place: _ANYTHING),
                _steps(path, files, stock, clock),
            ),
            since=cursor,
            cursor=stock.cursor,
            total=None,
            finish=stock.finish,
        )


def _calendars(path: Path) -> Listing:
    if path.is_dir():
        files, unread = listed(path)
        return Listing([file for file in files if file.suffix.lower() in {".ics", ".vcs"}], unread)
    if not is_calendar(read_file(path, MAX_FILE_BYTES)[:64]):
        raise RejectedError(f"{path.name} is no calendar", "It does not begin like one.")
    return Listing([path], [])


def _steps(path: Path, files: list[Path], stock: Stocktaking, clock: Clock) -> Iterator[Step]:
    done = 0
    seen: set[str] = set()
    for file in files:
        name = relative_name(file, path)
        found_any = False
        try:
            raw = read_file(file, MAX_FILE_BYTES)
        except (UserCanFixError, RejectedError) as exc:
            if file == path:
                raise
            stock.leave_below(_ANYTHING)
            if not isinstance(exc, FileGoneError):
                stock.refuse(name)
                yield Rejected(name, exc.sentence(), is_refused=True), done
            continue
        for series in split_series(raw):
            found_any, done = True, done + 1
            stamp = content_id(series.raw)
            if series.uid in seen:
                continue
            seen.add(series.uid)
            placed = replace(series, place=f"{name}, {series.place}")
            if stock.knows(series.uid, stamp) or _is_still_bad(placed, stamp, stock):
                continue
            read = partial(read_event, placed, now=clock.now(), zone=clock.zone)
            found = or_rejected(placed.place, read)
            yield Begun(placed.place), done
            if isinstance(found, Incoming):
                stock.take(series.uid, stamp, series.uid)
            else:
                _take_bad(placed, stamp, stock)
            yield found, done
        if not found_any and not stock.knows(name, "empty"):
            stock.take(name, "empty", "")
            yield Begun(name), done
            yield Rejected(name, "It holds no events and no to-dos."), done


def _take_bad(series: Series, stamp: str, stock: Stocktaking) -> None:
    """Notes one that can't be used by its place, so that it is no longer told once the place is gone."""
    stock.take(series.place, stamp, "")
    if stock.stamp(series.uid) is not None:
        stock.refuse(series.uid)  # what was read of it before stands


def _is_still_bad(series: Series, stamp: str, stock: Stocktaking) -> bool:
    if not stock.knows(series.place, stamp):
        return False
    _take_bad(series, stamp, stock)
    return True


SOURCE = Ics()
