"""How a source stands, in words: read to its end, or why not; how fresh it is; what waits; what is missing."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

from heedful.presenters import times
from heedful.presenters.numbers import count, thousands

if TYPE_CHECKING:  # whoever has a row has loaded its room
    from heedful.memory import SourceRow
    from heedful.memory.messages.sources_store import Stop

Standing = Literal[
    "being read", "paused", "needs you", "stopped", "incomplete", "comparing", "up to date", "not read yet"
]

_THINGS = {"ics": "event", "markdown": "note"}

_NAMED = 3
"""How many folders are told by their names."""

SILENT_AFTER = timedelta(minutes=5)
"""A reading that gave no sign for so long has ended with its process."""

_REASONS = {
    "cancelled": "Heedful or the command was ended",
    "paused": "you paused it",
    "cut off": "Heedful ended in the middle of it",
    "error": "it could not be read on",
    "busy": "the store was in use",
}


def things(row: "SourceRow", number: int) -> str:
    """«5,249 events»: how many of what a source brings in."""
    return count(number, _THINGS.get(row.kind, "message"))


def standing(row: "SourceRow", now: datetime) -> Standing:
    """Where a source stands, without what this process knows of a reading that goes on."""
    if row.state == "error":
        return "needs you"
    if row.state == "paused":
        return "paused"
    if row.reading_at is not None:
        return "being read" if now - row.reading_at < SILENT_AFTER else "stopped"
    if row.stop is not None:
        return "stopped"
    if row.missing or row.unread:
        return "incomplete"
    if is_comparing(row, now):
        return "comparing"
    return "up to date" if row.last_sync_at is not None else "not read yet"


def is_comparing(row: "SourceRow", now: datetime) -> bool:
    """Whether what was deleted in a source is still to be found out: its file was written anew, or its week is over."""
    return row.comparing_at is not None and row.comparing_at <= now


def comparing_words(row: "SourceRow", now: datetime) -> str:
    """That the count may be too high still; empty when it is not."""
    return "what was deleted there goes next" if standing(row, now) == "comparing" else ""


def stop_words(row: "SourceRow", now: datetime) -> str:
    """«Stopped after 2,000 of about 5,000 messages: you paused it.»; empty when the last reading got to its end."""
    if row.stop is not None:
        return f"Stopped after {_how_far(row, row.stop)}: {_REASONS[row.stop.reason]}."
    if row.reading_at is not None and now - row.reading_at >= SILENT_AFTER:
        return f"Stopped after {things(row, row.messages)}: {_REASONS['cut off']}."
    return ""


def missing_words(row: "SourceRow") -> str:
    """What is not where it was any more and is kept all the same; empty when nothing is."""
    if not row.missing:
        return ""
    told = f"{thousands(row.missing)} of its {things(row, row.messages)}"
    if row.unread:
        return f"{told} {'was' if row.missing == 1 else 'were'} not found; Heedful keeps what it has read."
    if row.missing == 1:
        return f"{told} is no longer there; Heedful keeps it."
    return f"{told} are no longer there; Heedful keeps them."


def belief_words(row: "SourceRow") -> str:
    """How a person says that what is missing was deleted; empty when nothing is, or while not all can be looked at."""
    if not row.missing or row.unread:
        return ""
    told = "It was deleted" if row.missing == 1 else "They were deleted"
    return f"{told}: forget {things(row, row.missing)}"


def unread_words(row: "SourceRow") -> str:
    """«1 folder could not be read: Archive. …»; empty when all could be looked at."""
    if not row.unread:
        return ""
    named = ", ".join(row.unread[:_NAMED])
    more = f" and {thousands(len(row.unread) - _NAMED)} more" if len(row.unread) > _NAMED else ""
    told = f"{count(len(row.unread), 'folder')} could not be read: {named}{more}."
    return f"{told} Heedful keeps what it has read there."


def empty_words(row: "SourceRow") -> str:
    """What a source was taken for in which nothing was ever found; empty when something was, or it was not read yet."""
    if row.last_sync_at is None or row.last_new_at is not None or row.messages or row.rejected:
        return ""
    thing = _THINGS.get(row.kind, "message")
    return f"No {thing} was found in it, read as “{row.label}”. If it is something else, choose its files one by one."


def fresh_words(row: "SourceRow", now: datetime) -> str:
    """When something last came in, by the moment it did and not by its own date; empty when nothing ever did."""
    return "" if row.last_new_at is None else f"last new {times.ago_words(row.last_new_at, now)}"


def pending_words(row: "SourceRow") -> str:
    """What the memory still has to work on; empty when nothing waits."""
    return f"{thousands(row.pending)} waiting for background work" if row.pending else ""


def kept_words(row: "SourceRow") -> str:
    """How long its messages are kept; empty when for ever."""
    return "" if row.keep_days is None else f"kept {count(row.keep_days, 'day')}"


def _how_far(row: "SourceRow", stop: "Stop") -> str:
    if stop.total is None:
        return things(row, stop.done)
    return f"{thousands(stop.done)} of about {things(row, stop.total)}"
